import type { Reply } from '@invigil/testkit/app';
import {
  inviteForCodes,
  type MadeQuiz,
  makeQuiz,
  setUpApp,
  signInAdmin,
  signInCandidate,
} from '@invigil/testkit/factories';
import { HeldWindow } from '@invigil/testkit/held-window';
import { Client } from 'pg';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { hashOneTimeCode } from '../../../security/secrets/codes.ts';

const PEOPLE = 30;

/*
 * Many concurrent candidates share statements and commits, and each is answered as if alone. The rules
 * for one person are in the tests of sign-in, start and submit.
 */
describe('many concurrent candidates', () => {
  const app = setUpApp();
  let admin: string;
  let quiz: MadeQuiz;
  let emails: string[];
  let codes: string[];
  let n = 0;
  beforeEach(async () => {
    n += 1;
    admin = await signInAdmin(app, `admin${n}@example.org`);
    quiz = await makeQuiz(app, admin, { duration: 10 });
    emails = Array.from({ length: PEOPLE }, (_, i) => `${i}.of.${n}@example.org`);
    codes = await inviteForCodes(app, admin, quiz.id, emails);
  });

  const signIn = (i: number, code = codes[i] ?? '') =>
    app.call('login', { body: { email: emails[i], password: code } });
  const start = (cookie: string) => app.call('startParticipant', { as: cookie, body: {} });
  const submit = (cookie: string, id: string, answers: object[] = []) =>
    app.call('submitParticipant', { as: cookie, params: { id }, body: { answers } });
  /** A change of the i-th question; the second option is right. */
  const change = (i: number, option: number, revision: number) => ({
    questionId: quiz.questions[i]?.id,
    selectedOption: quiz.questions[i]?.options[option],
    isFlagged: false,
    revision,
  });
  const forAll = <T>(call: (i: number) => Promise<T>) =>
    Promise.all(Array.from({ length: PEOPLE }, (_, i) => call(i)));
  const statuses = (replies: Reply[]) => replies.map(({ status }) => status);
  const allBut = (usual: number, others: Record<number, number>) =>
    Array.from({ length: PEOPLE }, (_, i) => others[i] ?? usual);

  async function allSignedIn(): Promise<string[]> {
    return (await forAll((i) => signIn(i))).map(({ cookie }) => cookie ?? '');
  }
  async function allBegun(cookies: string[]): Promise<string[]> {
    return (await forAll((i) => start(cookies[i] ?? ''))).map(({ body }) => body.id);
  }
  const scores = async () => {
    const { rows } = await app.pool.query(
      `select u.email, p.status, p.score from participants p join users u on u.id = p.user_id
       where p.quiz_id = $1`,
      [quiz.id],
    );
    return new Map(rows.map(({ email, status, score }) => [email, [status, score]]));
  };

  /** The result of `work`, and how many transactions were committed during it. */
  async function commitsOf<T>(work: () => Promise<T>): Promise<[T, number]> {
    const query = vi.spyOn(Client.prototype, 'query');
    try {
      const result = await work();
      return [result, query.mock.calls.filter(([text]) => (text as unknown) === 'commit').length];
    } finally {
      query.mockRestore();
    }
  }

  /** Locks rows while `work` runs. */
  async function whileHolding<T>(select: string, values: unknown[], work: () => Promise<T>) {
    const held = await HeldWindow.open(app.pool, `${select} for update`, values);
    return work().finally(() => held.release());
  }

  it('sign in, begin and end in a few commits', async () => {
    const [cookies, signIns] = await commitsOf(allSignedIn);
    const [ids, starts] = await commitsOf(() => allBegun(cookies));
    const [ends, submits] = await commitsOf(() =>
      forAll((i) => submit(cookies[i] ?? '', ids[i] ?? '', [change(0, i % 2, 1)])),
    );
    expect(new Set(cookies).size).toBe(PEOPLE);
    expect(new Set(ids).size).toBe(PEOPLE);
    expect(statuses(ends)).toEqual(allBut(200, {}));
    // The first of each goes at once, the others are batched behind it; background jobs commit too.
    for (const commits of [signIns, starts, submits]) expect(commits).toBeLessThan(PEOPLE / 3);
    expect([...(await scores()).entries()].sort()).toEqual(
      emails.map((email, i) => [email, ['completed', i % 2]]).sort(),
    );
    const papers = await app.pool.query(
      `select participant_id, count(*)::int as n from paper_questions
       where participant_id = any ($1::uuid[]) group by 1`,
      [ids],
    );
    expect(papers.rows.map((row) => row.n)).toEqual(Array.from({ length: PEOPLE }, () => 5));
    // Each receipt states its own answers.
    for (const [i, { body }] of ends.entries()) {
      expect(body.summary).toMatchObject({ answeredCount: 1, totalQuestions: 5 });
      const receipt = await app.call('verifyReceipt', { body: { receipt: body.receipt.signed } });
      expect(receipt.body).toMatchObject({ matches: true, content: { participantId: ids[i] } });
    }
  });

  it('sign in: refusals and takeovers do not affect the others', async () => {
    const before = await signInCandidate(app, emails[3] ?? '', codes[3] ?? '');
    const running = await start(before.cookie);
    const done = await signInCandidate(app, emails[5] ?? '', codes[5] ?? '');
    await submit(done.cookie, (await start(done.cookie)).body.id);
    await app.pool.query(
      `update invitation_codes set created_at = created_at - interval '1 year'
       where invitation_id = (select i.id from invitations i join users u on u.id = i.user_id
         where u.email = $1)`,
      [emails[7]],
    );
    const replies = await forAll((i) => signIn(i, i === 9 ? 'AAAAA-BBBBB-CCCCC' : codes[i]));
    expect(statuses(replies)).toEqual(allBut(200, { 5: 403, 7: 403, 9: 401 }));
    expect(replies[5]?.body.code).toBe('ALREADY_COMPLETED');
    expect(replies[7]?.body.code).toBe('CODE_EXPIRED');
    expect(replies[9]?.body.code).toBe('INVALID_CREDENTIALS');
    expect(replies[3]?.body.attempt.id).toBe(running.body.id);
    // Each cookie opens its own account.
    const accounts = await forAll((i) => app.call('me', { as: replies[i]?.cookie ?? '' }));
    expect(accounts.flatMap(({ body }) => body.user?.email ?? [])).toEqual(
      emails.filter((_, i) => ![5, 7, 9].includes(i)),
    );
    expect((await app.call('me', { as: before.cookie })).status).toBe(401);
  });

  it('cannot use a code that is revoked or replaced between lookup and sign-in', async () => {
    const holders = await Promise.all(
      [0, 1, 2, 3].map((i) =>
        app.context.codeSignIns.findHolder({
          codeHash: hashOneTimeCode(app.context.keys.codes, codes[i] ?? ''),
          email: emails[i] ?? '',
          throttleKey: Buffer.alloc(32),
        }),
      ),
    );
    const ids = [holders[1]?.invitationId ?? ''];
    const revoked = await app.call('revokeInvitations', {
      as: admin,
      params: { id: quiz.id },
      body: { ids },
    });
    expect(revoked.status).toBe(200);
    await app.pool.query('update invitation_codes set revoked_at = now() where id = $1', [
      holders[2]?.codeId,
    ]);
    const opened = await Promise.allSettled(
      holders.map(async (holder) => {
        if (!holder) throw new Error('no one holds the code');
        return app.context.codeSignIns.open(holder, app.clock.now());
      }),
    );
    expect(opened.map((one) => (one.status === 'rejected' ? one.reason.code : 'opened'))).toEqual([
      'opened',
      'CODE_WITHDRAWN',
      'CODE_REPLACED',
      'opened',
    ]);
    const sessions = await app.pool.query(
      'select count(*)::int as n from sessions where invitation_id = any ($1::uuid[])',
      [[holders[1]?.invitationId, holders[2]?.invitationId]],
    );
    expect(sessions.rows[0].n).toBe(0);
  });

  it('begin: resumes, revocations and replaced sessions do not affect the others', async () => {
    const cookies = await allSignedIn();
    const running = await start(cookies[2] ?? '');
    await signIn(4);
    const taken = await app.pool.query(
      `select i.id from invitations i join users u on u.id = i.user_id where u.email = $1`,
      [emails[6]],
    );
    await app.pool.query('update invitations set revoked_at = now() where id = $1', [
      taken.rows[0].id,
    ]);
    const replies = await forAll((i) => start(cookies[i] ?? ''));
    expect(statuses(replies)).toEqual(allBut(201, { 2: 200, 4: 401, 6: 401 }));
    expect(replies[2]?.body.id).toBe(running.body.id);
    expect(replies[4]?.body.code).toBe('SESSION_REPLACED');
    expect(replies[6]?.body.code).toBe('NOT_SIGNED_IN');
  });

  it('end: conflicts, replaced sessions, earlier ends and expired times are answered individually', async () => {
    const cookies = await allSignedIn();
    const ids = await allBegun(cookies);
    await app.call('saveAnswers', {
      as: cookies[1] ?? '',
      params: { id: ids[1] ?? '' },
      body: { answers: [change(0, 0, 3)] },
    });
    await signIn(3);
    const first = await submit(cookies[5] ?? '', ids[5] ?? '', [change(0, 1, 1)]);
    await app.pool.query(
      'update participants set close_at = started_at, deadline_at = started_at where id = $1',
      [ids[7]],
    );
    app.clock.advance({ seconds: 30 });
    const replies = await forAll((i) =>
      submit(cookies[i] ?? '', ids[i] ?? '', [change(0, 1, i === 1 ? 3 : 4)]),
    );
    expect(statuses(replies)).toEqual(allBut(200, { 1: 409, 3: 401 }));
    expect(replies[1]?.body).toMatchObject({
      code: 'REVISION_CONFLICT',
      issues: [{ path: 'answers.0' }],
    });
    expect(replies[3]?.body.code).toBe('SESSION_REPLACED');
    expect(replies[5]?.body).toEqual(first.body);
    expect(replies[7]?.body.participant.submissionType).toBe('auto');
    const expected = emails.map((email, i) => [
      email,
      { 1: ['in_progress', null], 3: ['in_progress', null], 7: ['completed', 0] }[i] ?? [
        'completed',
        1,
      ],
    ]);
    expect([...(await scores()).entries()].sort()).toEqual(expected.sort());
  });

  it.each([
    ['sign-ins', 'invitations'],
    ['starts', 'invitations'],
    ['submits', 'participants'],
  ])('complete %s without waiting for one whose row is locked', async (what, table) => {
    const cookies = what === 'sign-ins' ? [] : await allSignedIn();
    const ids = what === 'submits' ? await allBegun(cookies) : [];
    const call = (i: number) => {
      if (what === 'sign-ins') return signIn(i);
      if (what === 'starts') return start(cookies[i] ?? '');
      return submit(cookies[i] ?? '', ids[i] ?? '');
    };
    let heldOne: Promise<Reply> | undefined;
    let isAnswered = false;
    const others = await whileHolding(
      `select 1 from ${table} where user_id = (select id from users where email = $1)`,
      [emails[8]],
      async () => {
        const replies: Promise<Reply>[] = [];
        for (let i = 0; i < PEOPLE; i += 1) {
          const reply = call(i);
          if (i === 8) heldOne = reply.finally(() => (isAnswered = true));
          else replies.push(reply);
        }
        const answered = await Promise.all(replies);
        expect(isAnswered).toBe(false);
        return answered;
      },
    );
    const usual = what === 'starts' ? 201 : 200;
    expect(new Set(statuses(others))).toEqual(new Set([usual]));
    expect((await heldOne)?.status).toBe(usual);
  });

  it('wait once for the save of one whose row is locked, not repeatedly', {
    tags: 'long',
  }, async () => {
    const cookies = await allSignedIn();
    const ids = await allBegun(cookies);
    const save = (i: number, revision: number) =>
      app.call('saveAnswers', {
        as: cookies[i] ?? '',
        params: { id: ids[i] ?? '' },
        body: { answers: [change(0, 1, revision)] },
      });
    let heldOne: Promise<Reply> | undefined;
    await whileHolding('select 1 from participants where id = $1', [ids[8]], async () => {
      const all = Array.from({ length: PEOPLE }, (_, i) => save(i, 1));
      heldOne = all[8];
      expect(statuses(await Promise.all(all.filter((_, i) => i !== 8)))).toEqual(
        Array(PEOPLE - 1).fill(200),
      );
      // By now the locked one is tried alone, and no one waits behind it.
      const began = performance.now();
      expect((await save(3, 2)).status).toBe(200);
      expect(performance.now() - began).toBeLessThan(4_000);
    });
    expect((await heldOne)?.status).toBe(200);
  });

  it('start without waiting for another assessment that is being changed', async () => {
    const cookies = await allSignedIn();
    const changed = await makeQuiz(app, admin);
    const [code = ''] = await inviteForCodes(app, admin, changed.id, [emails[0] ?? '']);
    const { cookie } = await signInCandidate(app, emails[0] ?? '', code);
    let waiting: Promise<Reply> | undefined;
    const others = await whileHolding(
      'select 1 from quizzes where id = $1',
      [changed.id],
      async () => {
        const first = start(cookies[0] ?? '');
        waiting = start(cookie);
        return [await first, ...(await Promise.all(cookies.slice(1).map((as) => start(as))))];
      },
    );
    expect(statuses(others)).toEqual(allBut(201, {}));
    expect(await waiting).toMatchObject({ status: 201, body: { quizId: changed.id } });
  });

  it('start, except for one that the database refuses', async () => {
    const cookies = await allSignedIn();
    await app.pool.query(`
      create function refuse_one() returns trigger language plpgsql as $$
      begin
        if new.user_id = (select id from users where email = '${emails[11]}') then
          raise exception 'not this one';
        end if;
        return new;
      end $$;
      create trigger refuse_one before insert or update on participants
      for each row execute function refuse_one()`);
    try {
      const replies = await forAll((i) => start(cookies[i] ?? ''));
      expect(statuses(replies)).toEqual(allBut(201, { 11: 500 }));
    } finally {
      await app.pool.query('drop function refuse_one cascade');
    }
  });
});
