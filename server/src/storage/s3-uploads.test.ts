import { startTestApp, type TestApp } from '@invigil/testkit/app';
import { makeEvidence } from '@invigil/testkit/evidence';
import { beginAttempt, signInAdmin } from '@invigil/testkit/factories';
import { S3_KEYS, S3_PLACE, type S3Double, startS3Double } from '@invigil/testkit/s3-double';
import { STILL } from '@invigil/testkit/stills';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

describe('an upload to an S3 store', () => {
  let double: S3Double;
  let app: TestApp;
  let admin: string;
  beforeAll(async () => {
    double = await startS3Double();
    app = await startTestApp({
      EVIDENCE_S3_ENDPOINT: double.endpoint,
      EVIDENCE_S3_BUCKET: S3_PLACE.bucket,
      EVIDENCE_S3_REGION: S3_PLACE.region,
      EVIDENCE_S3_ACCESS_KEY_ID: S3_KEYS.accessKeyId,
      EVIDENCE_S3_SECRET_ACCESS_KEY: S3_KEYS.secretAccessKey,
    });
    admin = await signInAdmin(app);
  });
  afterAll(async () => {
    await app.stop();
    await double.close();
  });

  it('of evidence is sent again while the store is away, and is then stored sealed', async () => {
    const attempt = await beginAttempt(app, admin);
    const levels = { offsetMs: -3_000, everyMs: 300, values: [0, 12.5] };
    const { id, violationId, send } = await makeEvidence(app, attempt, { levels });
    double.fault = { status: 503, code: 'SlowDown' };
    const refused = await send();
    expect(refused).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    // Answers do not wait for it.
    expect((await attempt.save(0, 1, 1)).status).toBe(200);

    double.fault = undefined;
    expect((await send()).status).toBe(201);
    const stored = double.files.get(`evidence/${attempt.id}/${id}`);
    expect(stored?.includes('jpeg')).toBe(false);
    const query = { participantId: attempt.id, violationId };
    const seen = await app.call('readEvidence', { as: admin, query });
    const stills = [{ jpeg: STILL, offsetMs: -1_000 }];
    expect(seen.body.evidence).toMatchObject([{ id, stills }]);
  });

  it('of an image has its own prefix, waits for a store that is away, and is held in memory', async () => {
    const upload = () =>
      app.call('uploadImage', {
        as: admin,
        body: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="60" height="40"/>'),
        headers: { 'content-type': 'image/svg+xml' },
      });
    double.fault = { status: 503, code: 'SlowDown' };
    expect(await upload()).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } });
    double.fault = undefined;
    expect((await app.pool.query('select from images')).rowCount).toBe(0);
    const { hash } = (await upload()).body;
    expect([...double.files.keys()]).toContain(`images/${hash.slice(0, 2)}/${hash}`);
    const read = () => app.call('readImage', { as: admin, params: { hash } });
    const away = { status: 500, code: 'InternalError' };
    for (const [fault, status] of [
      [away, 503],
      [undefined, 200],
      // From memory.
      [away, 200],
    ] as const) {
      double.fault = fault;
      expect((await read()).status).toBe(status);
    }
  });
});
