import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { OFF_POLICY, STRICT_POLICY } from '@invigil/core/domain/violations/violation-policy';
import {
  type BegunAttempt,
  beginAttempt,
  makeQuiz,
  passTime,
  setUpAppWithAdmin,
  signInAdmin,
} from '@invigil/testkit/factories';
import { STILL, stillOf } from '@invigil/testkit/stills';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { newId } from '../../../db/new-id.ts';
import { StorageAway } from '../../../storage/storage.ts';
import { deleteExpired } from '../../review/delete-expired.ts';

const LEVELS = { offsetMs: -3_000, everyMs: 300, values: [0, 12.5, 61, 118] };

describe('evidence', () => {
  const app = setUpAppWithAdmin();
  let attempt: BegunAttempt;
  let id: string;
  let violation: string;
  let n = 0;

  beforeEach(() => enter());

  async function enter(policy: object = STRICT_POLICY) {
    n += 1;
    attempt = await beginAttempt(app, app.admin, await makeQuiz(app, app.admin, { policy }));
    id = attempt.id;
    violation = (await report('window_blur')).body.id;
  }

  const report = (violationType: string) => attempt.report(violationType);
  const stills = (count: number, jpeg = STILL) =>
    Array.from({ length: count }, (_, i) => ({ offsetMs: (i - count) * 1_000, jpeg }));
  const upload = (body: object = {}) =>
    app.call('uploadEvidence', {
      as: attempt.candidate.cookie,
      params: { id },
      body: { id: newId(), violationId: violation, stills: stills(2), levels: LEVELS, ...body },
    });
  const view = (query: Record<string, string>) =>
    app.call('readEvidence', { as: app.admin, query: { participantId: id, ...query } });
  /** One upload as shown with its violation. */
  async function viewUpload(evidence: string) {
    const { status, body } = await view({ violationId: violation });
    if (status !== 200) return { status, body };
    const found = body.evidence.find((one: { id: string }) => one.id === evidence);
    return found ? { status, body: found } : { status: 404, body: undefined };
  }
  const record = async () =>
    (await app.call('getParticipantRecord', { as: app.admin, params: { id } })).body;
  const audit = async (action: string) =>
    (await app.call('listAudit', { as: app.admin, query: { search: action } })).body;
  /** The folder of the uploads of attempts. */
  const folder = () => join(app.context.config.dataDir, 'evidence');
  const fileOf = (evidence: string) => join(folder(), id, evidence);
  const erase = async () => {
    const params = { id: attempt.candidate.userId };
    const erased = { as: app.admin, params, body: { reason: 'Asked for it' } };
    expect((await app.call('erasePerson', erased)).status).toBe(204);
  };
  const stored = async () =>
    (await app.pool.query('select id from evidence where participant_id = $1', [id])).rows.length;

  describe('is refused', () => {
    it.each([
      ['what is not base64', { stills: [{ offsetMs: 0, jpeg: 'not a picture!' }] }],
      ['nothing at all', { stills: [], levels: null }],
      ['a still an hour away from its moment', { stills: [{ offsetMs: 3_600_000, jpeg: STILL }] }],
      ['21 stills', { stills: stills(21) }],
      ['a level above 120', { levels: { ...LEVELS, values: [121] } }],
      ['a curve that is too long', { levels: { ...LEVELS, values: Array(401).fill(1) } }],
      ['an id that is not valid', { id: 'x' }],
    ])('for %s', async (_, body) => {
      expect(await upload(body)).toMatchObject({ status: 400, body: { code: 'INVALID_INPUT' } });
      expect(await stored()).toBe(0);
    });

    it.each([
      ['text', Buffer.from('hello, world').toString('base64')],
      ['a PNG', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex').toString('base64')],
      ['a truncated picture', STILL.slice(0, 400)],
      [
        'a page behind the start of a picture',
        Buffer.from('ffd8<script>\xff\xd9').toString('base64'),
      ],
      ['a full-size camera picture', stillOf(640, 480)],
      ['a picture of zero size', stillOf(0, 240)],
    ])('for %s instead of a still', async (_, jpeg) => {
      expect(await upload({ stills: stills(1, jpeg) })).toMatchObject({
        status: 400,
        body: { code: 'NOT_A_STILL', issues: [{ path: 'stills.0.jpeg' }] },
      });
      expect(await stored()).toBe(0);
    });

    it('for a violation that is unknown or someone else’s, and for an id in use', async () => {
      const mine = newId();
      expect((await upload({ id: mine })).status).toBe(201);
      const theirs = violation;
      await enter();
      expect((await upload({ violationId: theirs })).status).toBe(404);
      expect((await upload({ violationId: newId() })).status).toBe(404);
      expect((await upload({ id: mine })).status).toBe(404);
      expect(await stored()).toBe(0);
    });

    it('for sensors that are off, by the policy or for the person', async () => {
      await enter({ ...STRICT_POLICY, preset: 'custom', microphone: false });
      expect(await upload()).toMatchObject({ status: 403, body: { code: 'SENSOR_OFF' } });
      expect((await upload({ levels: null })).status).toBe(201);
      await enter(OFF_POLICY);
      expect((await upload({ levels: null })).status).toBe(403);
      expect((await upload({ stills: [] })).status).toBe(403);
    });

    it('two minutes after the end', async () => {
      await attempt.submit();
      app.clock.advance({ seconds: 120 });
      expect((await upload()).status).toBe(201);
      app.clock.advance({ seconds: 1 });
      expect(await upload()).toMatchObject({ status: 403, body: { code: 'ATTEMPT_CLOSED' } });
    });

    it('beyond two uploads or twenty stills per violation', async () => {
      expect((await upload({ stills: stills(12) })).status).toBe(201);
      expect(await upload({ stills: stills(9) })).toMatchObject({
        status: 429,
        body: { code: 'TOO_MUCH_EVIDENCE' },
      });
      expect((await upload({ stills: stills(8) })).status).toBe(201);
      expect((await upload({ stills: [] })).status).toBe(429);
      expect(await stored()).toBe(2);
    });

    it('beyond twenty uploads per minute', async () => {
      for (let i = 0; i < 20; i += 1) {
        expect((await upload()).status).toBe(201);
        if (i % 2 === 1) violation = (await report('window_blur')).body.id;
      }
      const late = await upload();
      expect(late).toMatchObject({ status: 429, body: { code: 'TOO_MUCH_EVIDENCE' } });
      expect(late.headers['retry-after']).toBe('60');
      app.clock.advance({ seconds: 61 });
      expect((await upload()).status).toBe(201);
    });

    it('beyond 100 MB per attempt, and accepted up to that byte', async () => {
      expect((await upload()).status).toBe(201);
      const room = (await record()).violations[0].evidence[0].bytes;
      violation = (await report('window_blur')).body.id;
      const store = (bytes: number) =>
        app.pool.query('update evidence set bytes = $2 where participant_id = $1', [id, bytes]);
      await store(100_000_000 - room + 1);
      expect(await upload()).toMatchObject({
        status: 429,
        body: { code: 'TOO_MUCH_EVIDENCE', details: { isFull: true } },
      });
      expect(await stored()).toBe(1);
      await store(100_000_000 - room);
      expect((await upload()).status).toBe(201);
    });

    it('for stills without a violation unless the policy asks for them, one at a time', async () => {
      const periodic = () => upload({ violationId: null, stills: stills(1), levels: null });
      expect(await periodic()).toMatchObject({ status: 403, body: { code: 'SENSOR_OFF' } });
      await enter({ ...STRICT_POLICY, preset: 'custom', stillEveryMs: 60_000 });
      expect((await upload({ violationId: null, stills: stills(2) })).status).toBe(429);
      expect((await periodic()).status).toBe(201);
      app.clock.advance({ seconds: 29 });
      expect((await periodic()).status).toBe(429);
      app.clock.advance({ seconds: 1 });
      expect((await periodic()).status).toBe(201);
      expect((await record()).periodicEvidence).toHaveLength(2);
    });
  });

  it('opens unchanged for an administrator, and each view is audited first', async () => {
    const evidence = newId();
    const sent = [
      { offsetMs: -1_000, jpeg: stillOf(320, 239) },
      { offsetMs: 250, jpeg: STILL },
    ];
    expect(await upload({ id: evidence, stills: sent })).toMatchObject({
      status: 201,
      body: { id: evidence },
    });
    const before = (await audit('evidence.viewed')).length;
    expect((await viewUpload(evidence)).body).toMatchObject({
      id: evidence,
      participantId: id,
      violationId: violation,
      stills: sent,
      levels: LEVELS,
    });
    await viewUpload(evidence);
    const entries = await audit('evidence.viewed');
    expect(entries).toHaveLength(before + 2);
    expect(entries[0]).toMatchObject({
      subjectType: 'participant',
      subjectId: id,
      details: { kind: 'violation', violation, uploads: 1, stills: 2 },
    });
  });

  describe('of a whole period', () => {
    /** Periodic stills, one each minute. */
    async function enterPeriodic(count: number): Promise<string[]> {
      await enter({ ...STRICT_POLICY, preset: 'custom', stillEveryMs: 60_000 });
      const ids = Array.from({ length: count }, newId);
      for (const still of ids) {
        const body = { id: still, violationId: null, stills: stills(1), levels: null };
        expect((await upload(body)).status).toBe(201);
        app.clock.advance({ minutes: 1 });
      }
      return ids;
    }
    const idsOf = (reply: { body: { evidence: { id: string }[] } }) =>
      reply.body.evidence.map((one) => one.id);
    const views = async () =>
      (await audit('evidence.viewed')).filter((e: { subjectId: string }) => e.subjectId === id);

    it('is not found where there is none, at other times, and behind the last', async () => {
      const [still = ''] = await enterPeriodic(1);
      for (const query of [
        { violationId: violation },
        { violationId: newId() },
        { after: newId() },
        { after: still },
        { after: still, violationId: violation },
        { participantId: newId() },
      ]) {
        expect((await view(query)).status, JSON.stringify(query)).toBe(404);
      }
      expect((await view({ after: 'the first' })).status).toBe(400);
      expect(await views()).toEqual([]);
    });

    it('is viewed at once, with one audit entry that counts each kind', async () => {
      const between = await enterPeriodic(3);
      const reply = await view({});
      expect(idsOf(reply)).toEqual(between);
      expect(reply.body).toMatchObject({ unreadable: 0, next: null });
      expect((await views()).map(({ details }: { details: object }) => details)).toEqual([
        { kind: 'in_between', uploads: 3, stills: 3 },
      ]);
      const halves = [newId(), newId()];
      for (const half of halves) await upload({ id: half });
      expect(idsOf(await view({ violationId: violation })).sort()).toEqual([...halves].sort());
      expect((await views())[0].details).toEqual({
        kind: 'violation',
        violation,
        uploads: 2,
        stills: 4,
      });
    });

    it('is limited per view, and the next view continues behind it', async () => {
      const between = await enterPeriodic(3);
      await app.pool.query('update evidence set bytes = 1500000 where participant_id = $1', [id]);
      const first = await view({});
      expect(idsOf(first)).toEqual(between.slice(0, 2));
      expect(first.body.next).toBe(between[1]);
      const second = await view({ after: first.body.next });
      expect(idsOf(second)).toEqual(between.slice(2));
      expect(second.body.next).toBeNull();
      expect(await views()).toHaveLength(2);
      await app.pool.query('update evidence set bytes = 9000000 where participant_id = $1', [id]);
      expect(idsOf(await view({}))).toEqual(between.slice(0, 1));
    });

    it('that cannot be opened is reported, and the rest is shown', async () => {
      const [first = '', ...rest] = await enterPeriodic(3);
      rmSync(fileOf(first));
      const reply = await view({});
      expect(idsOf(reply)).toEqual(rest);
      expect(reply.body.unreadable).toBe(1);
      expect((await views())[0].details).toMatchObject({ uploads: 2, stills: 2 });
    });

    it('deleted during a view is shown to no one, and the view is not audited', async () => {
      await enterPeriodic(1);
      await attempt.submit();
      const { storage } = app.context;
      const get = storage.get.bind(storage);
      const slow = vi.spyOn(storage, 'get').mockImplementation(async (...file) => {
        const bytes = await get(...file);
        await deleteExpired(app.context, new Date(app.clock.now().getTime() + 91 * 86_400_000));
        return bytes;
      });
      expect(await view({})).toMatchObject({ status: 409, body: { code: 'EVIDENCE_GONE' } });
      slow.mockRestore();
      expect(await views()).toEqual([]);
    });
  });

  it('is listed with its violation in the record', async () => {
    const seen = app.clock.now().toISOString();
    app.clock.advance({ seconds: 12 });
    await upload({ levels: null });
    expect((await record()).violations).toMatchObject([
      {
        id: violation,
        type: 'window_blur',
        at: seen,
        evidence: [
          {
            at: seen,
            receivedAt: app.clock.now().toISOString(),
            stills: 2,
            hasLevels: false,
            bytes: 920,
          },
        ],
      },
    ]);
  });

  it('that is sent again, even concurrently, is stored once and not changed', async () => {
    const evidence = newId();
    const replies = await Promise.all(Array.from({ length: 6 }, () => upload({ id: evidence })));
    expect(replies.map((r) => r.status).sort()).toEqual([200, 200, 200, 200, 200, 201]);
    const again = await upload({ id: evidence, stills: stills(1, stillOf(10, 10)) });
    expect(again).toMatchObject({ status: 200, body: { id: evidence } });
    expect((await viewUpload(evidence)).body.stills).toEqual(stills(2));
    expect(await stored()).toBe(1);
  });

  describe('on a slow or full disk', () => {
    /** Blocks every write until it is released. */
    function slowDisk() {
      const { storage } = app.context;
      const put = storage.put.bind(storage);
      const gate = Promise.withResolvers<void>();
      const slow = vi.spyOn(storage, 'put').mockImplementation(async (...file) => {
        await gate.promise;
        await put(...file);
      });
      return { letGo: gate.resolve, slow, [Symbol.dispose]: () => slow.mockRestore() };
    }

    it('holds no database connection while it is written, and is not shown before it is durable', async () => {
      using disk = slowDisk();
      const evidence = newId();
      const sending = upload({ id: evidence });
      await expect.poll(() => disk.slow.mock.calls.length).toBe(1);
      const waiting = await app.pool.query(
        `select from pg_stat_activity
         where datname = current_database() and state like 'idle in transaction%'`,
      );
      expect(waiting.rows).toHaveLength(0);
      expect((await viewUpload(evidence)).status).toBe(404);
      expect((await record()).violations[0]?.evidence).toEqual([]);
      disk.letGo();
      expect((await sending).status).toBe(201);
      expect((await viewUpload(evidence)).status).toBe(200);
    });

    it('reserves its space before it is written, so that no more is accepted beside it', async () => {
      using disk = slowDisk();
      const sending = [upload({ stills: stills(12) }), upload({ stills: stills(8) })];
      await expect.poll(() => disk.slow.mock.calls.length).toBe(2);
      expect((await upload()).status).toBe(429);
      disk.letGo();
      expect((await Promise.all(sending)).map(({ status }) => status)).toEqual([201, 201]);
    });

    it('is completed after a failure by the same upload only', async () => {
      const full = vi.spyOn(app.context.storage, 'put').mockRejectedValueOnce(new Error('full'));
      const evidence = newId();
      expect((await upload({ id: evidence })).status).toBe(500);
      full.mockRestore();
      expect((await record()).violations[0]?.evidence).toEqual([]);
      expect((await upload({ id: evidence, stills: stills(20) })).status).toBe(200);
      expect((await viewUpload(evidence)).status).toBe(404);
      expect((await upload({ id: evidence })).status).toBe(201);
      expect((await viewUpload(evidence)).body.stills).toEqual(stills(2));
    });

    it('is refused while the disk is nearly full, and accepted later', async () => {
      const nearlyFull = vi.spyOn(app.context.disk, 'isNearlyFull', 'get').mockReturnValue(true);
      const evidence = newId();
      const refused = await upload({ id: evidence });
      expect(refused).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } });
      expect(refused.headers['retry-after']).toBeDefined();
      expect((await record()).violations).toHaveLength(1);
      nearlyFull.mockRestore();
      expect((await upload({ id: evidence })).status).toBe(201);
    });

    it('leaves nothing behind when the retention deletes it during the upload', async () => {
      using disk = slowDisk();
      const evidence = newId();
      await attempt.submit();
      const sending = upload({ id: evidence });
      await expect.poll(() => disk.slow.mock.calls.length).toBe(1);
      const later = new Date(app.clock.now().getTime() + 91 * 86_400_000);
      await deleteExpired(app.context, later);
      disk.letGo();
      expect(await sending).toMatchObject({ status: 403, body: { code: 'ATTEMPT_CLOSED' } });
      expect(await stored()).toBe(0);
      expect(readdirSync(folder()).includes(id)).toBe(false);
    });
  });

  it('is stored under a key of its attempt, and nowhere in clear', async () => {
    const evidence = newId();
    await upload({ id: evidence });
    const bytes = readFileSync(fileOf(evidence));
    expect(bytes.includes(Buffer.from(STILL.slice(0, 40)))).toBe(false);
    expect(bytes.includes(Buffer.from(STILL, 'base64').subarray(0, 20))).toBe(false);
    const mine = id;
    const other = newId();
    await enter();
    await upload({ id: other });
    const keys = await app.pool.query(
      'select sealed_key from evidence_keys where participant_id = any ($1::uuid[])',
      [[mine, id]],
    );
    expect(new Set(keys.rows.map((row) => row.sealed_key.toString('hex'))).size).toBe(2);
    // Under another name or for another attempt a file does not open.
    writeFileSync(fileOf(other), bytes);
    expect(await viewUpload(other)).toMatchObject({ status: 409, body: { code: 'EVIDENCE_GONE' } });
  });

  it('of the last ten seconds is accepted after a dismissal', async () => {
    for (const type of ['face_not_detected', 'voice_detected', 'face_not_detected']) {
      violation = (await report(type)).body.id;
      app.clock.advance({ seconds: 11 });
    }
    await passTime(app, {});
    expect((await record()).participant.status).toBe('dismissed');
    expect((await upload()).status).toBe(201);
  });

  it('is deleted after the retention, its key first, so that copies of the files are unreadable', async () => {
    const evidence = newId();
    await upload({ id: evidence });
    const copy = readFileSync(fileOf(evidence));
    const { sealed_key: key } = (
      await app.pool.query('select sealed_key from evidence_keys where participant_id = $1', [id])
    ).rows[0];
    await attempt.submit();
    const keptUntil = new Date(app.clock.now().getTime() + 90 * 86_400_000).toISOString();
    expect(await record()).toMatchObject({ evidenceKeptUntil: keptUntil, evidenceDeletedAt: null });
    app.clock.advance({ days: 90 });
    await deleteExpired(app.context, app.clock.now());
    app.admin = await signInAdmin(app, `later${n}@example.org`);
    expect((await viewUpload(evidence)).status).toBe(200);
    app.clock.advance({ ms: 1 });
    await deleteExpired(app.context, app.clock.now());
    expect((await viewUpload(evidence)).status).toBe(404);
    expect(await record()).toMatchObject({
      evidenceDeletedAt: app.clock.now().toISOString(),
      violations: [{ id: violation, evidence: [] }],
      actions: [
        { action: 'evidence.viewed' },
        { action: 'evidence.deleted', adminEmail: 'System' },
      ],
    });
    const rows = await app.pool.query(
      'select sealed_key from evidence_keys where participant_id = $1',
      [id],
    );
    expect(rows.rows).toEqual([{ sealed_key: null }]);
    await expect.poll(() => readdirSync(folder()).includes(id)).toBe(false);
    expect(copy.includes(key)).toBe(false);
    const entries = await audit('evidence.deleted');
    expect(entries.find(({ subjectId }: { subjectId: string }) => subjectId === id)).toMatchObject({
      adminId: null,
      details: { uploads: 1, days: 90 },
    });
    await deleteExpired(app.context, app.clock.now());
    expect(await record()).toMatchObject({ actions: [{}, {}] });
  });

  it('leaves no file behind when the storage was away: the next run removes it', async () => {
    await upload();
    await attempt.submit();
    const isThere = () => readdirSync(folder()).includes(id);
    const away = vi
      .spyOn(app.context.storage, 'removeFolder')
      .mockRejectedValue(new StorageAway('away'));
    await erase();
    await expect(deleteExpired(app.context, app.clock.now())).rejects.toThrow('away');
    expect(isThere()).toBe(true);
    away.mockRestore();
    await deleteExpired(app.context, app.clock.now());
    expect(isThere()).toBe(false);
    const remove = vi.spyOn(app.context.storage, 'removeFolder');
    await deleteExpired(app.context, app.clock.now());
    expect(remove).not.toHaveBeenCalled();
    remove.mockRestore();
  });
});
