import { inviteCandidate, makeQuiz, setUpAppWithAdmin } from '@invigil/testkit/factories';
import { HeldWindow } from '@invigil/testkit/held-window';
import { storeAttempts } from '@invigil/testkit/stored';
import { describe, expect, it } from 'vitest';
import { deleteExpired } from './delete-expired.ts';

const DAY_MS = 86_400_000;

describe('retention', () => {
  const app = setUpAppWithAdmin();
  const get = async () => (await app.call('getRetention', { as: app.admin })).body;
  const put = (body: unknown) => app.call('putRetention', { as: app.admin, body });
  const audit = async (search: string) =>
    (await app.call('listAudit', { as: app.admin, query: { search } })).body;

  it('is 90 days until it is changed, and changes are audited', async () => {
    expect(await get()).toEqual({ days: 90 });
    expect(await put({ days: 30 })).toMatchObject({ status: 200, body: { days: 30 } });
    expect(await put({ days: 14 })).toMatchObject({ status: 200, body: { days: 14 } });
    expect(await get()).toEqual({ days: 14 });
    expect((await audit('retention.changed')).map((e: { details: object }) => e.details)).toEqual([
      { before: 30, days: 14 },
      { before: 90, days: 30 },
    ]);
  });

  it('is sent to candidates for their consent', async () => {
    await app.pool.query('delete from retention');
    const quiz = await makeQuiz(app, app.admin);
    const { cookie } = await inviteCandidate(app, app.admin, quiz.id, 'asks@example.org');
    const shownDays = async () => (await app.call('me', { as: cookie })).body.evidenceDays;
    expect(await shownDays()).toBe(90);
    await put({ days: 14 });
    expect(await shownDays()).toBe(14);
    expect((await app.call('me', { as: app.admin })).body.evidenceDays).toBeUndefined();
  });

  it.each([0, 3_651, 1.5, '30', null, undefined])('refuses %j days', async (days) => {
    const before = await get();
    expect(await put({ days })).toMatchObject({
      status: 400,
      body: { code: 'INVALID_INPUT', issues: [{ path: 'days', message: '1 to 3650 days' }] },
    });
    expect(await get()).toEqual(before);
  });

  it('deletes old mail that no screen shows, and keeps the rest', async () => {
    await app.pool.query('delete from outbox');
    await put({ days: 10 });
    const quiz = await makeQuiz(app, app.admin);
    const invite = (...emails: string[]) =>
      app.call('inviteToQuiz', { as: app.admin, params: { id: quiz.id }, body: { emails } });
    await invite('again@example.org', 'once@example.org', 'waits@example.org');
    app.clock.advance({ seconds: 1 });
    await invite('again@example.org');
    await app.call('sendTestInvitation', { as: app.admin, params: { id: quiz.id }, body: {} });
    await app.pool.query(`update outbox set state = 'sent', sent_at = created_at, sealed_code = null,
      next_attempt_at = null where recipient <> 'waits@example.org' and state = 'queued'`);
    const left = async () =>
      (await app.pool.query('select recipient, state from outbox order by 1, 2')).rows.map(
        ({ recipient, state }) => `${recipient} ${state}`,
      );
    const newest = ['again@example.org sent', 'once@example.org sent', 'waits@example.org queued'];
    const ahead = (days: number) => new Date(app.clock.now().getTime() + days * DAY_MS);
    await app.pool.query('delete from erased_leftovers');
    const leftovers = async () => (await app.pool.query('select from erased_leftovers')).rowCount;
    await deleteExpired(app.context, ahead(9));
    expect(await left()).toHaveLength(5);
    expect(await leftovers()).toBe(0);
    await deleteExpired(app.context, ahead(11));
    expect(await left()).toEqual(newest);
    expect((await app.pool.query('select from preview_codes')).rowCount).toBe(0);
    expect(await leftovers()).toBe(1);
    const { body } = await app.call('listInvitations', { as: app.admin, params: { id: quiz.id } });
    expect(body).toHaveLength(3);
  });

  it('deletes only the device check of attempts that ended longer ago', async () => {
    await put({ days: 10 });
    const quiz = await makeQuiz(app, app.admin);
    const now = app.clock.now().getTime();
    const ago = (days: number) => new Date(now - days * DAY_MS);
    const ids = await storeAttempts(app, quiz.id, [
      { email: 'old@example.org', startedAt: ago(11), endedAfter: 60, score: 3 },
      { email: 'new@example.org', startedAt: ago(9), endedAfter: 60 },
      { email: 'running@example.org', startedAt: ago(20) },
    ]);
    await app.pool.query(`update participants set device_check = '{"camera": "HD"}',
      consent_at = started_at, consent_text_version = '1', consent_address = '::1'`);
    expect(await deleteExpired(app.context, app.clock.now())).toBe(1);
    const { rows } = await app.pool.query(
      'select id, device_check is null as gone, consent_address, score from participants',
    );
    expect(rows.filter((row) => row.gone)).toEqual([
      { id: ids[0], gone: true, consent_address: '::1', score: 3 },
    ]);
    expect(await audit('retention.deleted')).toMatchObject([
      { adminId: null, adminEmail: null, details: { participants: 1, days: 10 } },
    ]);
    expect(await deleteExpired(app.context, app.clock.now())).toBe(0);
    expect(await audit('retention.deleted')).toHaveLength(1);
  });

  it('is not changed by who has not read the last change', async () => {
    await put({ days: 365 });
    expect((await put({ days: 10, before: 30 })).body.code).toBe('STALE');
    expect((await put({ days: 10, before: 365 })).status).toBe(200);
  });

  it.each([
    ['what it is at first', 90],
    ['a change', 200],
  ])('is changed by one of two who read the same: %s', async (_, before) => {
    await app.pool.query('delete from retention');
    if (before !== 90) await put({ days: before });
    // Both could read it, and wait to write.
    const held = await HeldWindow.open(app.pool, 'lock table retention in share mode', []);
    const both = [100, 50].map((days) => put({ days, before }));
    await held.untilStuck(app.pool, 2);
    await held.release();
    const codes = (await Promise.all(both)).map(({ status, body }) => body.code ?? status);
    expect(codes.toSorted()).toEqual([200, 'STALE']);
  });

  it.each([
    ['a device check', `update participants set device_check = '{"camera": "HD"}' where id = $1`],
    [
      'evidence',
      `insert into evidence_keys (participant_id, sealed_key, created_at)
       select id, '\\x01', started_at from participants where id = $1`,
    ],
  ])(
    'records that a deleted copy of %s is still in the files of the database',
    async (name, put) => {
      await app.pool.query('delete from erased_leftovers');
      await app.call('putRetention', { as: app.admin, body: { days: 10 } });
      const quiz = await makeQuiz(app, app.admin);
      const startedAt = new Date(app.clock.now().getTime() - 11 * DAY_MS);
      const email = `${name.replace(' ', '-')}@example.org`;
      const [id] = await storeAttempts(app, quiz.id, [{ email, startedAt, endedAfter: 60 }]);
      const leftovers = async () => (await app.pool.query('select from erased_leftovers')).rowCount;
      await deleteExpired(app.context, app.clock.now());
      expect(await leftovers()).toBe(0);
      await app.pool.query(put, [id]);
      expect(await deleteExpired(app.context, app.clock.now())).toBe(1);
      expect(await leftovers()).toBe(1);
    },
  );

  it('continues with the other steps when one fails', async () => {
    await put({ days: 10 });
    const quiz = await makeQuiz(app, app.admin);
    const ago = (days: number) => new Date(app.clock.now().getTime() - days * DAY_MS);
    const [id] = await storeAttempts(app, quiz.id, [
      { email: 'part@example.org', startedAt: ago(11), endedAfter: 60 },
    ]);
    await app.pool.query(
      `update participants set device_check = '{"camera": "HD"}' where id = $1`,
      [id],
    );
    await app.pool.query('alter table evidence_keys rename to evidence_keys_away');
    await expect(deleteExpired(app.context, app.clock.now())).rejects.toThrow();
    await app.pool.query('alter table evidence_keys_away rename to evidence_keys');
    const { rows } = await app.pool.query('select device_check from participants where id = $1', [
      id,
    ]);
    expect(rows).toEqual([{ device_check: null }]);
  });
});
