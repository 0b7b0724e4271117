import { createHash } from 'node:crypto';
import { STRICT_POLICY } from '@invigil/core/domain/violations/violation-policy';
import {
  type BegunAttempt,
  beginAttempt,
  makeQuiz,
  setUpAppWithAdmin,
} from '@invigil/testkit/factories';
import { STILL } from '@invigil/testkit/stills';
import { beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../../db/new-id.ts';
import { deleteExpired } from '../../review/delete-expired.ts';

/** A unique picture: a JPEG with noise in a comment, as large as a real one. */
function picture(n: number): string {
  const bytes = Buffer.from(STILL, 'base64');
  const comment = Buffer.alloc(8_000, n);
  comment.writeUInt16BE(0xfffe, 0);
  comment.writeUInt16BE(comment.length - 2, 2);
  return Buffer.concat([bytes.subarray(0, 2), comment, bytes.subarray(2)]).toString('base64');
}

describe('a repeated still', () => {
  const app = setUpAppWithAdmin();
  let attempt: BegunAttempt;
  let n = 0;

  const enter = async () => {
    const policy = { ...STRICT_POLICY, preset: 'custom', stillEveryMs: 60_000 };
    const quiz = await makeQuiz(app, app.admin, { policy, duration: 60 });
    attempt = await beginAttempt(app, app.admin, quiz);
    n += 100;
  };
  beforeEach(enter);

  const send = (body: object) =>
    app.call('uploadEvidence', {
      as: attempt.candidate.cookie,
      params: { id: attempt.id },
      body: { id: newId(), levels: null, ...body },
    });
  const periodic = (jpeg: string) => send({ stills: [{ offsetMs: 0, jpeg }] });
  const detected = async (ageMs: number, stills: object[]) => {
    const { body } = await attempt.report('looking_away', { ageMs });
    return send({ violationId: body.id, ageMs, stills });
  };
  const flags = async () =>
    (await attempt.record()).body.violations.filter(
      (v: { type: string }) => v.type === 'repeated_still',
    );

  it('is flagged within an attempt and never counts', async () => {
    for (const i of [1, 2, 3]) {
      expect((await periodic(picture(n + i))).status).toBe(201);
      app.clock.advance({ minutes: 2 });
    }
    expect(await flags()).toEqual([]);
    expect((await periodic(picture(n + 2))).status).toBe(201);
    expect(await flags()).toMatchObject([
      { level: 'high', counted: false, notes: expect.stringContaining('of this attempt') },
    ]);
    expect((await attempt.record()).body.participant).toMatchObject({
      status: 'in_progress',
      violationCount: 0,
    });
    const { review_flags: raised } = await attempt.row();
    expect(raised).toBe(1);
  });

  it('is flagged in another attempt', async () => {
    const jpeg = picture(n + 1);
    await periodic(jpeg);
    await enter();
    await periodic(jpeg);
    expect(await flags()).toMatchObject([{ notes: expect.stringContaining('another attempt') }]);
  });

  it('is flagged within one upload', async () => {
    const jpeg = picture(n + 1);
    await detected(0, [
      { offsetMs: -60_000, jpeg },
      { offsetMs: 5_000, jpeg },
    ]);
    expect(await flags()).toHaveLength(1);
  });

  it('is not flagged for two detections of the same moment, nor when it is sent again', async () => {
    const jpeg = picture(n + 1);
    await detected(0, [{ offsetMs: -1_000, jpeg }]);
    app.clock.advance({ seconds: 8 });
    await detected(0, [{ offsetMs: -9_000, jpeg }]);
    // Minutes later, from a page that was offline: it reports the age.
    app.clock.advance({ minutes: 10 });
    await detected(609_000, [{ offsetMs: 0, jpeg }]);
    const again = { id: newId(), stills: [{ offsetMs: 0, jpeg: picture(n + 2) }] };
    expect((await send(again)).status).toBe(201);
    app.clock.advance({ minutes: 5 });
    expect((await send(again)).status).toBe(200);
    expect(await flags()).toEqual([]);
  });

  it('is not flagged when it is a uniform picture, as behind a closed shutter', async () => {
    for (let i = 0; i < 3; i += 1) {
      expect((await periodic(STILL)).status).toBe(201);
      app.clock.advance({ minutes: 2 });
    }
    expect(await flags()).toEqual([]);
  });

  it('is flagged at most ten times', async () => {
    const jpeg = picture(n + 1);
    for (let i = 0; i < 14; i += 1) {
      expect((await periodic(jpeg)).status).toBe(201);
      app.clock.advance({ minutes: 2 });
    }
    expect(await flags()).toHaveLength(10);
  });

  it('leaves only a keyed hash, which is deleted with its evidence', async () => {
    const jpeg = picture(n + 1);
    await periodic(jpeg);
    const hashes = async () =>
      (
        await app.pool.query('select hash from still_hashes where participant_id = $1', [
          attempt.id,
        ])
      ).rows;
    const [row] = await hashes();
    expect(row.hash).toHaveLength(16);
    const plain = createHash('sha256').update(Buffer.from(jpeg, 'base64')).digest();
    expect(row.hash.equals(plain.subarray(0, 16))).toBe(false);
    await attempt.submit();
    app.clock.advance({ days: 91 });
    await deleteExpired(app.context, app.clock.now());
    expect(await hashes()).toEqual([]);
  });
});
