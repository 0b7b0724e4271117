import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTestApp, type TestApp } from '@invigil/testkit/app';
import {
  inviteCandidate,
  mailServer,
  makeQuiz,
  setUpAppWithAdmin,
  setUpSmtpSink,
} from '@invigil/testkit/factories';
import { HeldWindow } from '@invigil/testkit/held-window';
import { silentLog } from '@invigil/testkit/silent-log';
import { afterEach, describe, expect, it } from 'vitest';
import { createApp } from '../../boot/app.ts';
import { deliverMail } from '../../jobs/deliver-mail.ts';

const NOTHING = { name: null, timeZone: null, publicUrl: null };
const COLLEGE = {
  name: 'St. Jude’s College',
  timeZone: 'Pacific/Auckland',
  publicUrl: 'https://exams.example.org',
};

describe('the institution', () => {
  const app = setUpAppWithAdmin({ SMTP_ALLOWED_HOSTS: '127.0.0.1', TIME_ZONE: 'Europe/Berlin' });
  const sink = setUpSmtpSink();
  const configured = { timeZone: 'Europe/Berlin', publicUrl: 'http://localhost:3000' };
  const put = (body: object, as = app.admin) => app.call('putInstitution', { as, body });
  const get = async () => (await app.call('getInstitution', { as: app.admin })).body;
  afterEach(async () => {
    await app.pool.query('delete from institution');
  });

  it('is what the environment says until it is set, and again once it is cleared', async () => {
    expect(await get()).toEqual({ ...NOTHING, configured });
    expect((await put(COLLEGE)).body).toEqual({ ...COLLEGE, configured });
    expect(await get()).toEqual({ ...COLLEGE, configured });
    await put(NOTHING);
    expect(await get()).toEqual({ ...NOTHING, configured });
    // Who has not read that changes nothing.
    expect((await put({ ...NOTHING, name: 'Other', before: COLLEGE })).body.code).toBe('STALE');
    expect((await put({ ...COLLEGE, before: NOTHING })).status).toBe(200);
  });

  it.each([NOTHING, { ...NOTHING, name: 'Read' }])(
    'is changed by one of two who read the same: %j',
    async (before) => {
      if (before.name !== null) await put(before);
      // Both could read it, and wait to write.
      const held = await HeldWindow.open(app.pool, 'lock table institution in share mode', []);
      const both = ['One', 'Two'].map((name) => put({ ...NOTHING, name, before }));
      await held.untilStuck(app.pool, 2);
      await held.release();
      const codes = (await Promise.all(both)).map(({ status, body }) => body.code ?? status);
      expect(codes.toSorted()).toEqual([200, 'STALE']);
    },
  );

  it.each([
    ['name', { name: '  ' }],
    ['name', { name: 'A\r\nBcc: b@example.org' }],
    ['name', { name: 'x'.repeat(121) }],
    ['timeZone', { timeZone: 'Berlin' }],
    ['publicUrl', { publicUrl: 'exams.example.org' }],
    ['publicUrl', { publicUrl: 'https://exams.example.org/login' }],
    ['publicUrl', { publicUrl: 'https://user@exams.example.org' }],
    ['publicUrl', { publicUrl: 'javascript:alert(1)' }],
    ['publicUrl', { publicUrl: 'https://exams.example.org:99999' }],
    ['publicUrl', { publicUrl: 'https://1.2.3.999' }],
  ])('is refused with an impossible %s: %j', async (path, change) => {
    expect(await put({ ...COLLEGE, ...change })).toMatchObject({
      status: 400,
      body: { code: 'INVALID_INPUT', issues: [{ path }] },
    });
    expect(await get()).toEqual({ ...NOTHING, configured });
  });

  it('is in mails and figures from the next one on, in other processes too', async () => {
    const other = await startTestApp(
      { TIME_ZONE: 'Europe/Berlin', SMTP_ALLOWED_HOSTS: '127.0.0.1' },
      Promise.resolve({ pool: app.pool, connection: {}, stop: async () => undefined }),
    );
    const server = mailServer(sink.port);
    await app.call('putSmtpSettings', { as: app.admin, body: server });
    const zoneIn = async (of: TestApp) =>
      (await of.call('getStats', { as: app.admin })).body.timeZone;
    expect(await zoneIn(other)).toBe('Europe/Berlin');
    await put({ ...COLLEGE, publicUrl: 'HTTPS://Exams.example.org:443/' });
    expect((await get()).publicUrl).toBe('https://exams.example.org');
    expect([await zoneIn(app), await zoneIn(other)]).toEqual(Array(2).fill('Pacific/Auckland'));
    const quiz = await makeQuiz(other, app.admin, { endDate: '2099-06-01T00:00:00.000Z' });
    await inviteCandidate(other, app.admin, quiz.id, 'a@example.org');
    await deliverMail(other.context);
    const mail = sink.mails.at(-1)?.mail;
    expect(mail?.from).toMatchObject({ name: COLLEGE.name });
    expect(mail?.text).toContain(`${COLLEGE.name} invites you`);
    expect(mail?.text).toContain('https://exams.example.org/login');
    expect(mail?.text).toContain('12:00 (Pacific/Auckland, GMT+12)');
    expect(mail?.messageId).toContain('@exams.example.org>');
    // The address that security relies on stays as configured.
    const foreign = { headers: { origin: COLLEGE.publicUrl }, as: app.admin, body: NOTHING };
    expect((await app.call('putInstitution', foreign)).body.code).toBe('FOREIGN_ORIGIN');
  });

  it('is named in the page only while it has a name, escaped', async () => {
    const webDist = mkdtempSync(join(tmpdir(), 'invigil-page-'));
    mkdirSync(join(webDist, 'assets'));
    writeFileSync(join(webDist, 'index.html'), '<head></head>');
    writeFileSync(join(webDist, 'service-worker.js'), '');
    const { config, keys } = app.context;
    const deps = { config, keys, pool: app.pool, clock: app.clock, log: silentLog, webDist };
    const { fastify, close } = await createApp(deps);
    const page = async () => (await fastify.inject('/login')).body;
    expect(await page()).toBe('<head></head>');
    await put({ ...NOTHING, name: '"><script>$&' });
    app.clock.advance({ seconds: 3 });
    expect(await page()).toBe(
      '<head><meta name="institution" content="&quot;&gt;&lt;script&gt;$&amp;" /></head>',
    );
    await close();
    rmSync(webDist, { recursive: true });
  });

  it('needs the password again for another address, and records what changed', async () => {
    await put({ ...NOTHING, name: 'One' });
    app.clock.advance({ minutes: 16 });
    expect((await put({ ...NOTHING, name: 'Two' })).status).toBe(200);
    expect((await put({ ...COLLEGE, name: 'Two' })).body.code).toBe('CONFIRM_PASSWORD');
    const { rows } = await app.pool.query(
      "select details from audit_entries where action = 'institution.changed' order by id desc limit 1",
    );
    expect(rows).toEqual([{ details: { changed: ['name'] } }]);
  });
});

describe('a translation', () => {
  const app = setUpAppWithAdmin();
  const read = async () => (await app.call('getInstitution', { as: app.admin })).body.translations;
  const check = (language: string, body: { version: string; checkedBy: string | null }) =>
    app.call('checkTranslation', { as: app.admin, params: { language }, body });

  it('is a preview until it is recorded who has read which version of it', async () => {
    const body = { ...NOTHING, languages: ['en', 'de'] };
    await app.call('putInstitution', { as: app.admin, body });
    const [{ version, ...preview }, ...others] = await read();
    expect([preview, others]).toEqual([{ language: 'de' }, []]);
    const { body: texts } = await app.call('readTranslation', {
      as: app.admin,
      params: { language: 'de' },
    });
    expect(texts.version).toBe(version);
    const consent = texts.texts.find(({ id }: { id: string }) => id.startsWith('consent.'));
    expect(consent.text).not.toBe(consent.english);
    expect((await check('de', { version: 'another', checkedBy: 'Ada' })).body.code).toBe('STALE');
    expect((await check('de', { version, checkedBy: ' ' })).status).toBe(400);
    expect((await check('xx', { version, checkedBy: 'Ada' })).status).toBe(404);
    await check('de', { version, checkedBy: ' Ada Lovelace ' });
    const checkedAt = app.clock.now().toISOString();
    const recorded = { checkedBy: 'Ada Lovelace', checkedAt, version };
    expect(await read()).toEqual([{ language: 'de', version, check: recorded }]);
    await check('de', { version, checkedBy: null });
    expect(await read()).toEqual([{ language: 'de', version }]);
    const { rows } = await app.pool.query(
      "select details from audit_entries where action = 'translation.checked' order by id",
    );
    expect(rows.map(({ details }) => details)).toEqual([
      { language: 'de', version, isChecked: true },
      { language: 'de', version, isChecked: false },
    ]);
  });
});

describe('the check of a public address', () => {
  const app = setUpAppWithAdmin();
  const check = async (publicUrl: string) =>
    (await app.call('checkPublicUrl', { as: app.admin, body: { publicUrl } })).body;

  it('finds this installation, not another one, a redirect, or what does not answer', async () => {
    const own = await app.fastify.listen({ port: 0, host: '127.0.0.1' });
    expect(await check(own)).toEqual({ leadsHere: true });
    const answers = [
      { status: 200, body: '{"publicKey":"another"}' },
      { status: 200, body: 'x'.repeat(100_000) },
      { status: 302, body: '', headers: { location: `${own}/api/receipts/key` } },
    ];
    for (const { status, body, headers = {} } of answers) {
      const server = createServer((_, response) => response.writeHead(status, headers).end(body));
      await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
      const address = server.address();
      const port = typeof address === 'object' ? address?.port : 0;
      expect(await check(`http://127.0.0.1:${port}`), body.slice(0, 30)).toEqual({
        leadsHere: false,
      });
      await new Promise((closed) => server.close(closed));
    }
    expect(await check('http://127.0.0.1:1')).toEqual({ leadsHere: false });
  });
});
