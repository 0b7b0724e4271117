import { startTestApp, type TestApp } from '@invigil/testkit/app';
import { beginAttempt, signInAdmin } from '@invigil/testkit/factories';
import { S3_KEYS, S3_PLACE, type S3Double, startS3Double } from '@invigil/testkit/s3-double';
import { STILL } from '@invigil/testkit/stills';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../db/new-id.ts';

describe('evidence uploaded to an S3 store', () => {
  let double: S3Double;
  let app: TestApp;
  beforeAll(async () => {
    double = await startS3Double();
    app = await startTestApp({
      EVIDENCE_S3_ENDPOINT: double.endpoint,
      EVIDENCE_S3_BUCKET: S3_PLACE.bucket,
      EVIDENCE_S3_REGION: S3_PLACE.region,
      EVIDENCE_S3_ACCESS_KEY_ID: S3_KEYS.accessKeyId,
      EVIDENCE_S3_SECRET_ACCESS_KEY: S3_KEYS.secretAccessKey,
    });
  });
  afterAll(async () => {
    await app.stop();
    await double.close();
  });

  it('is sent again while the store is away, and is then stored sealed', async () => {
    const admin = await signInAdmin(app);
    const attempt = await beginAttempt(app, admin);
    const as = attempt.candidate.cookie;
    const flag = await app.call('reportViolation', {
      as,
      body: { participantId: attempt.id, violationType: 'window_blur', notes: null },
    });
    const id = newId();
    const stills = [{ jpeg: STILL, offsetMs: -1_000 }];
    const levels = { offsetMs: -3_000, everyMs: 300, values: [0, 12.5] };
    const body = { id, violationId: flag.body.id, stills, levels };
    const upload = () => app.call('uploadEvidence', { as, params: { id: attempt.id }, body });
    double.fault = { status: 503, code: 'SlowDown' };
    const refused = await upload();
    expect(refused).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    // Answers do not wait for it.
    expect((await attempt.save(0, 1, 1)).status).toBe(200);

    double.fault = undefined;
    expect((await upload()).status).toBe(201);
    const stored = double.files.get(`evidence/${attempt.id}/${id}`);
    expect(stored?.includes('jpeg')).toBe(false);
    const query = { participantId: attempt.id, violationId: flag.body.id };
    const seen = await app.call('readEvidence', { as: admin, query });
    expect(seen.body.evidence).toMatchObject([{ id, stills }]);
  });
});
