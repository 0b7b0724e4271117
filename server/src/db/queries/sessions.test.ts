import { ATTEMPT_LIMITS } from '@invigil/core/domain/limits';
import { OWNER } from '@invigil/core/domain/rights';
import { startTestDatabase, type TestDatabase } from '@invigil/testkit/app';
import { silentLog } from '@invigil/testkit/silent-log';
import {
  type StoredQuiz,
  type StoredRunning,
  storeQuiz,
  storeRunning,
} from '@invigil/testkit/stored';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newAdmin } from '../../features/sign-in/check-password.ts';
import { openAdminSession } from '../../features/sign-in/open-admin-session.ts';
import { signOut } from '../../features/sign-in/sign-in.ts';
import { deriveKeys } from '../../security/keys.ts';
import { hashSessionToken } from '../../security/secrets/tokens.ts';
import { requireLive } from '../../sessions/guards.ts';
import { adminOwner, guardOf } from '../../sessions/session-reader.ts';
import { setTotpRequired } from '../../sessions/sign-in-policy.ts';
import { ADMINS, changeSealed } from '../../trust/sealed-kinds.ts';
import { TrustRoot } from '../../trust/trust-root.ts';
import { type Database, openDatabase } from '../database.ts';
import { newId } from '../new-id.ts';
import { adminTotp } from '../schema/sign-in.ts';
import { inTransaction } from '../transaction.ts';
import { insertAdmin } from './admins.ts';
import {
  deleteOldSessions,
  endOtherAdminSessions,
  endSession,
  endSessionsOfRevoked,
  extendSessions,
  insertSession,
  keepAdminSessions,
  replaceSessions,
  setSessionExpiry,
} from './session-changes.ts';
import { findSessionEnd, findSessions, isSessionLive, type Session } from './sessions.ts';

const NOW = new Date('2026-05-14T08:00:00.000Z');
const later = (ms: number) => new Date(NOW.getTime() + ms);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const keys = deriveKeys('a secret for tests that nobody else uses');
const ctx = { keys, trust: new TrustRoot('/nonexistent/folder', keys.integrity, silentLog) };

describe('the rows of sessions', () => {
  let database: TestDatabase;
  let db: Database;
  let quiz: StoredQuiz;
  let candidate: StoredRunning;
  let admin: { id: string; email: string };
  let people = 0;

  beforeAll(async () => {
    database = await startTestDatabase();
    db = openDatabase(database.pool);
    quiz = await storeQuiz(database.pool);
  });
  afterAll(() => database.stop());
  beforeEach(async () => {
    await requireTotp(false);
    candidate = await storeRunning(database.pool, quiz);
    admin = await storeAdmin();
  });

  async function storeAdmin() {
    people += 1;
    const email = `admin${people}@example.org`;
    const row = newAdmin(keys, { email, passwordHash: 'x', now: NOW });
    await insertAdmin(db, row);
    return { id: row.id, email };
  }

  /** A session that lives for an hour. */
  async function open(
    owner: { adminId: string } | { invitationId: string } = { adminId: admin.id },
    expiresAt = later(HOUR),
  ) {
    const id = newId();
    const tokenHash = Buffer.from(`hash of ${id}`);
    const sealed =
      'adminId' in owner
        ? adminOwner(keys, { ...owner, id, tokenHash, createdAt: NOW, expiresAt })
        : owner;
    await insertSession(db, { id, tokenHash, owner: sealed, now: NOW, expiresAt });
    return { id, tokenHash };
  }
  /** The candidate's session is one of the fixture; its hash is its id. */
  const ofCandidate = ({ sessionId } = candidate) => ({
    id: sessionId,
    tokenHash: Buffer.from(sessionId),
  });
  const replace = (invitationId: string, now: Date) =>
    inTransaction(db, (tx) =>
      replaceSessions(tx, [
        {
          id: newId(),
          tokenHash: Buffer.from(newId()),
          invitationId,
          now,
          expiresAt: later(12 * HOUR),
        },
      ]),
    );
  /** Whether it is live for an open stream. */
  const keep = async (id: string, now: Date) => (await keepAdminSessions(db, [id], now)).has(id);
  const find = async (one: { tokenHash: Buffer }, now = NOW) =>
    (await findSessions(db, [one.tokenHash], now, guardOf(ctx)))[0];
  const row = async ({ id }: { id: string }) => {
    const { rows } = await database.pool.query('select * from sessions where id = $1', [id]);
    return rows[0];
  };
  const requireTotp = (required = true) =>
    inTransaction(db, (tx) => setTotpRequired(tx, ctx, required, NOW));
  const storeTotp = (confirmedAt: Date | null) =>
    inTransaction(db, (tx) =>
      changeSealed(tx, keys.integrity, ADMINS, [admin.id], () =>
        tx.insert(adminTotp).values({
          ...{ adminId: admin.id, sealedSecret: Buffer.from('sealed') },
          ...{ createdAt: NOW, confirmedAt },
        }),
      ),
    );

  describe('are found', () => {
    it('not by another hash, and not once they have expired', async () => {
      const one = await open();
      expect(await find({ tokenHash: Buffer.from('another') })).toBeUndefined();
      await database.pool.query('update sessions set last_seen_at = expires_at');
      expect(await find(one, later(HOUR))).toBeUndefined();
      expect(await find(one, later(HOUR - 1))).toMatchObject({ id: one.id });
    });

    it('with the facts of an administrator', async () => {
      const one = await open();
      expect(await find(one)).toEqual({
        kind: 'admin',
        id: one.id,
        adminId: admin.id,
        email: admin.email,
        name: '',
        language: null,
        grants: OWNER,
        mustSetUpTotp: false,
        passwordAt: NOW,
        expiresAt: later(HOUR),
        endedAt: null,
        endReason: null,
      });
    });

    it('with the facts of a candidate, even one who has been erased', async () => {
      const expected = {
        kind: 'participant',
        id: candidate.sessionId,
        invitationId: candidate.invitationId,
        userId: candidate.userId,
        quizId: quiz.quizId,
        email: expect.stringMatching(/^running\d+@example\.org$/),
        expiresAt: later(HOUR / 2 + ATTEMPT_LIMITS.graceMs),
        endedAt: null,
        endReason: null,
      };
      expect(await find(ofCandidate())).toEqual(expected);
      await database.pool.query('update users set email = null where id = $1', [candidate.userId]);
      expect(await find(ofCandidate())).toEqual({ ...expected, email: 'Unknown' });
    });

    it('also when they have ended, with the reason', async () => {
      await endSession(db, candidate.sessionId, later(1_000));
      expect(await find(ofCandidate(), later(2_000))).toMatchObject({
        endedAt: later(1_000),
        endReason: 'signed_out',
      });
    });

    it('not for an administrator idle for over half an hour', async () => {
      const one = await open();
      expect(await find(one, later(30 * MINUTE + 1))).toBeUndefined();
      expect(await find(one, later(30 * MINUTE))).toMatchObject({ id: one.id });
      // That read was activity.
      expect(await find(one, later(59 * MINUTE))).toMatchObject({ id: one.id });
    });

    it('for a candidate idle for any time', async () => {
      await setSessionExpiry(db, [candidate.sessionId], later(HOUR));
      expect(await find(ofCandidate(), later(HOUR - 1))).toMatchObject({ kind: 'participant' });
      expect((await row(ofCandidate())).last_seen_at).toEqual(NOW);
    });
  });

  it('record an administrator’s activity once a minute at most, each session separately', async () => {
    const [one, other] = [await open(), await open()];
    await find(one, later(MINUTE));
    expect((await row(one)).last_seen_at).toEqual(NOW);
    await find(one, later(MINUTE + 1));
    expect((await row(one)).last_seen_at).toEqual(later(MINUTE + 1));
    expect((await row(other)).last_seen_at).toEqual(NOW);
  });

  it.each([
    ['it is required', true, undefined, true],
    ['it was set up and not confirmed', true, null, true],
    ['it was set up', true, NOW, false],
    ['it is no longer required', false, undefined, false],
    ['it was never set up', undefined, undefined, false],
  ])('require two-step sign-in when %s', async (_, required, confirmedAt, asked) => {
    if (required !== undefined) await requireTotp(required);
    if (confirmedAt !== undefined) await storeTotp(confirmedAt);
    const one = await open();
    expect(await find(one)).toMatchObject({ kind: 'admin', mustSetUpTotp: asked });
    expect(await keep(one.id, NOW)).toBe(!asked);
    expect(await find(ofCandidate())).not.toHaveProperty('mustSetUpTotp');
  });

  describe('end', () => {
    it('of one invitation when a newer sign-in replaces them, not those of others', async () => {
      const other = await storeRunning(database.pool, quiz);
      await replace(candidate.invitationId, NOW);
      expect(await find(ofCandidate())).toMatchObject({ endedAt: NOW, endReason: 'replaced' });
      expect(await find(ofCandidate(other))).toMatchObject({ endedAt: null, endReason: null });
    });

    it('and of replaced ones only the newest are kept', async () => {
      const many = 25;
      for (let i = 1; i <= many; i += 1) await replace(candidate.invitationId, later(i * 1_000));
      const { rows } = await database.pool.query(
        `select count(ended_at)::int as ended, count(*)::int as total, min(ended_at) as oldest
         from sessions where invitation_id = $1`,
        [candidate.invitationId],
      );
      // A sign-in leaves twenty ended sessions, and ends one more.
      const kept = 21;
      expect(rows).toEqual([
        { ended: kept, total: kept + 1, oldest: later((many - kept + 1) * 1_000) },
      ]);
    });

    it('of revoked invitations', async () => {
      const [second, third] = [
        await storeRunning(database.pool, quiz),
        await storeRunning(database.pool, quiz),
      ];
      const ids = [candidate.invitationId, second.invitationId];
      await inTransaction(db, (tx) => endSessionsOfRevoked(tx, ids, NOW));
      const ended = { endedAt: NOW, endReason: 'signed_out' };
      expect(await find(ofCandidate())).toMatchObject(ended);
      expect(await find(ofCandidate(second))).toMatchObject(ended);
      expect(await find(ofCandidate(third))).toMatchObject({ endedAt: null });
    });

    it.each(['admin', 'participant'] as const)('by signing out: %s', async (kind) => {
      const { id, tokenHash } = kind === 'admin' ? await open() : ofCandidate();
      const session = (await find({ tokenHash })) as Session;
      await signOut({ db }, session, later(1_000));
      expect(await row({ id })).toMatchObject({
        ended_at: later(1_000),
        end_reason: 'signed_out',
      });
      const { rows } = await database.pool.query(
        'select session_id from participants where id = $1',
        [candidate.participantId],
      );
      expect(rows).toEqual([{ session_id: kind === 'admin' ? candidate.sessionId : null }]);
    });

    it('of an administrator, all or all but one, while others’ live on', async () => {
      const [kept, second, third] = [await open(), await open(), await open()];
      const colleague = await open({ adminId: (await storeAdmin()).id });
      await endOtherAdminSessions(db, admin.id, kept.id, NOW);
      const reasons = async () =>
        Promise.all(
          [kept, second, third, colleague].map(async (one) => (await row(one)).end_reason),
        );
      expect(await reasons()).toEqual([null, 'signed_out', 'signed_out', null]);
      await endOtherAdminSessions(db, admin.id, null, later(1_000));
      expect(await reasons()).toEqual(['signed_out', 'signed_out', 'signed_out', null]);
      expect((await row(second)).ended_at).toEqual(NOW);
    });

    it('once: the first end counts', async () => {
      await replace(candidate.invitationId, NOW);
      await endSession(db, candidate.sessionId, later(1_000));
      const ids = [candidate.invitationId];
      await inTransaction(db, (tx) => endSessionsOfRevoked(tx, ids, later(2_000)));
      await replace(candidate.invitationId, later(3_000));
      expect(await row(ofCandidate())).toMatchObject({ ended_at: NOW, end_reason: 'replaced' });
    });
  });

  it('are live until they end, and an unknown one is not', async () => {
    const isLive = (id: string) => inTransaction(db, (tx) => isSessionLive(tx, id));
    expect(await isLive(newId())).toBe(false);
    expect(await isLive(candidate.sessionId)).toBe(true);
    await endSession(db, candidate.sessionId, NOW);
    expect(await isLive(candidate.sessionId)).toBe(false);
  });

  it('are extended only when they would have ended before, and are live', async () => {
    const [longer, ended, other] = [
      await open(undefined, later(3 * HOUR)),
      await open(),
      await open(),
    ];
    await endSession(db, ended.id, NOW);
    const ids = [candidate.sessionId, longer.id, ended.id];
    await inTransaction(db, (tx) => extendSessions(tx, ids, later(2 * HOUR)));
    const expiry = async (one: { id: string }) => (await row(one)).expires_at;
    expect(await expiry(ofCandidate())).toEqual(later(2 * HOUR));
    expect(await expiry(longer)).toEqual(later(3 * HOUR));
    expect(await expiry(ended)).toEqual(later(HOUR));
    expect(await expiry(other)).toEqual(later(HOUR));
  });

  it('get the given end, earlier or later, without affecting others', async () => {
    const [one, other] = [await open(), await open()];
    await setSessionExpiry(db, [one.id], later(MINUTE));
    expect((await row(one)).expires_at).toEqual(later(MINUTE));
    expect((await row(other)).expires_at).toEqual(later(HOUR));
  });

  describe('checked within a transaction', () => {
    const end = (one: { id: string }, now = NOW) => findSessionEnd(db, one.id, now);

    it('allow it while they live', async () => {
      expect(await end(ofCandidate())).toBeNull();
      await requireLive(db, candidate.sessionId, NOW);
    });

    it('report signed out when there is none, or when expired', async () => {
      expect(await end({ id: newId() })).toBe('signed_out');
      const { expires_at: expiresAt } = await row(ofCandidate());
      expect(await end(ofCandidate(), expiresAt)).toBe('signed_out');
      await expect(requireLive(db, candidate.sessionId, expiresAt)).rejects.toMatchObject({
        code: 'NOT_SIGNED_IN',
      });
    });

    it('report that a newer sign-in replaced them', async () => {
      await replace(candidate.invitationId, NOW);
      expect(await end(ofCandidate())).toBe('replaced');
      await expect(requireLive(db, candidate.sessionId, NOW)).rejects.toMatchObject({
        code: 'SESSION_REPLACED',
      });
    });
  });

  describe('behind an open stream of an administrator', () => {
    it('stay while they live, and record activity once a minute at most', async () => {
      const [one, other] = [await open(), await open()];
      expect(await keep(one.id, later(MINUTE))).toBe(true);
      expect((await row(one)).last_seen_at).toEqual(NOW);
      expect(await keep(one.id, later(MINUTE + 1))).toBe(true);
      expect((await row(one)).last_seen_at).toEqual(later(MINUTE + 1));
      expect((await row(other)).last_seen_at).toEqual(NOW);
    });

    it('do not stay once ended, expired or unknown', async () => {
      const [one, ended] = [await open(), await open()];
      await endSession(db, ended.id, NOW);
      expect(await keep(ended.id, NOW)).toBe(false);
      expect(await keep(one.id, later(HOUR))).toBe(false);
      expect((await row(one)).last_seen_at).toEqual(NOW);
      expect(await keep(newId(), NOW)).toBe(false);
    });
  });

  it('are deleted a day after their end, as are sign-ins without a second step', async () => {
    const [old, young] = [await open(), await open(undefined, later(HOUR + 1))];
    const pending = async (expiresAt: Date) => {
      const hash = Buffer.from(newId());
      await database.pool.query('insert into pending_sign_ins values ($1, $2, $3)', [
        hash,
        admin.id,
        expiresAt,
      ]);
      return hash.toString();
    };
    await pending(later(HOUR + DAY));
    const kept = await pending(later(HOUR + DAY + 1));
    await deleteOldSessions(db, later(HOUR + DAY + 1));
    expect(await row(old)).toBeUndefined();
    expect(await row(young)).toBeDefined();
    const { rows } = await database.pool.query('select token_hash from pending_sign_ins');
    expect(rows.map((r) => r.token_hash.toString())).toEqual([kept]);
  });

  describe('of a verified administrator', () => {
    const signIn = (secondStep: Parameters<typeof openAdminSession>[3], now = NOW) =>
      inTransaction(db, (tx) => openAdminSession(tx, ctx, admin, secondStep, now));

    it('last twelve hours and are found by the token alone', async () => {
      const { token, session } = await signIn(null);
      expect(session).toEqual({
        kind: 'admin',
        id: session.id,
        adminId: admin.id,
        email: admin.email,
        name: '',
        language: null,
        grants: OWNER,
        mustSetUpTotp: false,
        passwordAt: NOW,
        expiresAt: later(12 * HOUR),
        endedAt: null,
        endReason: null,
      });
      expect(await find({ tokenHash: hashSessionToken(keys.sessions, token) })).toEqual(session);
    });

    it.each([
      ['without one', null, null],
      ['with one', 'app', { secondStep: 'app' }],
    ] as const)('are audited, and their time is recorded: %s', async (_, secondStep, details) => {
      await signIn(secondStep, later(5));
      const { rows } = await database.pool.query(
        'select action, at, details from audit_entries where admin_id = $1',
        [admin.id],
      );
      expect(rows).toMatchObject([{ action: 'admin.signed_in', at: later(5) }]);
      expect(rows[0].details).toEqual(details);
      const noted = await database.pool.query('select last_sign_in_at from admins where id = $1', [
        admin.id,
      ]);
      expect(noted.rows).toEqual([{ last_sign_in_at: later(5) }]);
    });

    it('report whether two-step sign-in has to be set up', async () => {
      await requireTotp();
      expect((await signIn(null)).session).toMatchObject({ mustSetUpTotp: true });
      expect((await signIn('app')).session).toMatchObject({ mustSetUpTotp: false });
    });
  });
});
