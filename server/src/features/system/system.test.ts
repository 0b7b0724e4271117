import { startTestApp, type TestApp } from '@invigil/testkit/app';
import { setUpAppWithAdmin, signInAdmin } from '@invigil/testkit/factories';
import { describe, expect, it } from 'vitest';
import { sealAudit } from '../../trust/seal-audit.ts';

describe('system information', () => {
  const app = setUpAppWithAdmin({ TIME_ZONE: 'Asia/Kolkata', SMTP_ALLOWED_HOSTS: '198.18.0.25' });
  const read = async (from: TestApp = app, as = app.admin) =>
    (await from.call('getSystemInformation', { as })).body;
  const featuresOf = (body: { securityFeatures: { name: string; active: boolean }[] }) =>
    new Map(body.securityFeatures.map((f) => [f.name, f.active]));

  it('shows the actual version, database, administrators and time zone', async () => {
    const { rows } = await app.pool.query(
      "select current_setting('server_version') as version, pg_database_size(current_database())::float8 as size",
    );
    const body = await read();
    expect(body).toMatchObject({
      platformVersion: '1.0.0',
      database: { status: 'connected', version: rows[0].version },
      adminCount: 1,
      timeZone: app.context.config.timeZone,
    });
    expect(Math.abs(body.database.sizeBytes - rows[0].size)).toBeLessThan(1_000_000);
    await signInAdmin(app, 'second@example.org');
    expect((await read()).adminCount).toBe(2);
  });

  it('shows mail as configured while an active mail server is set', async () => {
    expect((await read()).emailConfigured).toBe(false);
    const mailServer = {
      host: '198.18.0.25',
      port: 587,
      username: 'u',
      password: 'p',
      fromEmail: 'tests@example.org',
    };
    const put = (isActive: boolean) =>
      app.call('putSmtpSettings', { as: app.admin, body: { ...mailServer, isActive } });
    expect((await put(true)).status).toBe(200);
    expect((await read()).emailConfigured).toBe(true);
    await put(false);
    expect((await read()).emailConfigured).toBe(false);
  });

  it('shows the connection as encrypted only if the public address is https', async () => {
    expect(featuresOf(await read()).get('Encrypted connection')).toBe(false);
    const own = await startTestApp({ PUBLIC_URL: 'https://invigil.example.org' });
    try {
      const as = await signInAdmin(own);
      const body = await read(own, as);
      expect(featuresOf(body).get('Encrypted connection')).toBe(true);
    } finally {
      await own.stop();
    }
  });

  it('counts the sealed and the waiting entries of the audit log', async () => {
    const before = (await read()).audit;
    expect(before.sealed).toBe(0);
    expect(before.waiting).toBeGreaterThan(0);
    await sealAudit(app.context);
    expect((await read()).audit).toEqual({ sealed: before.waiting, waiting: 0 });
  });
});
