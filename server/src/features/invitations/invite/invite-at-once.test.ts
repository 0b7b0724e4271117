import { makeQuiz, setUpAppWithAdmin } from '@invigil/testkit/factories';
import { describe, expect, it } from 'vitest';

describe('concurrent invitations of the same people', () => {
  const app = setUpAppWithAdmin();

  /** Waits until so many statements wait for a lock. */
  async function waitForLocks(wanted: number): Promise<void> {
    for (let waiting = 0; waiting < wanted; ) {
      const { rows } = await app.pool.query(
        `select count(*)::int as n from pg_stat_activity
         where wait_event_type = 'Lock' and datname = current_database()`,
      );
      waiting = rows[0].n;
    }
  }

  it('succeed in any order of addresses, even crossing each other', async () => {
    const one = await makeQuiz(app, app.admin);
    const two = await makeQuiz(app, app.admin);
    const emails = Array.from({ length: 7 }, (_, i) => `p${i}@example.org`);
    const invite = (quizId: string, list: string[]) =>
      app.call('inviteToQuiz', { as: app.admin, params: { id: quizId }, body: { emails: list } });

    // A third connection is inserting the middle address: both calls wait for it, one with the
    // first half done, one with the second. Then it rolls back.
    const holder = await app.pool.connect();
    const calls: ReturnType<typeof invite>[] = [];
    try {
      await holder.query('begin');
      await holder.query(
        'insert into users (id, email, created_at) values (gen_random_uuid(), $1, $2)',
        [emails[3], app.clock.now()],
      );
      calls.push(invite(one.id, emails), invite(two.id, emails.toReversed()));
      await waitForLocks(calls.length);
      await holder.query('rollback');
    } finally {
      holder.release();
    }
    for (const reply of await Promise.all(calls)) {
      expect(reply.status).toBe(200);
      const states = reply.body.invitations.map((i: { status: string }) => i.status);
      expect(states).toEqual(emails.map(() => 'queued'));
    }
    const { rows } = await app.pool.query('select count(*)::int as n from users');
    expect(rows).toEqual([{ n: 7 }]);
  });

  it('create a new person for one who is being erased', async () => {
    const quiz = await makeQuiz(app, app.admin);
    const email = 'erased-during-invite@example.org';
    const params = { id: quiz.id };
    const invite = () =>
      app.call('inviteToQuiz', { as: app.admin, params, body: { emails: [email] } });
    const [before] = (await invite()).body.invitations;
    const holder = await app.pool.connect();
    let call: ReturnType<typeof invite>;
    try {
      // As an erasure does: it locks the invitation, then removes the address.
      await holder.query('begin');
      const text = 'select user_id from invitations where id = $1 for update';
      const { user_id } = (await holder.query(text, [before.id])).rows[0];
      call = invite();
      await waitForLocks(1);
      await holder.query('update users set email = null where id = $1', [user_id]);
      await holder.query('commit');
    } finally {
      holder.release();
    }
    const [after] = (await call).body.invitations;
    expect(after).toMatchObject({ email, status: 'queued' });
    expect(after.id).not.toBe(before.id);
    const { rows } = await app.pool.query(
      `select count(*)::int as n from outbox o join invitations i on i.id = o.invitation_id
       where i.id = $1 and o.state = 'queued'`,
      [before.id],
    );
    expect(rows).toEqual([{ n: 1 }]);
  });

  it('leave each person one valid code per assessment', async () => {
    const quiz = await makeQuiz(app, app.admin);
    const emails = Array.from({ length: 40 }, (_, i) => `q${i}@example.org`);
    const replies = await Promise.all(
      [emails, emails.toReversed(), emails.map((e) => e.toUpperCase())].map((list) =>
        app.call('inviteToQuiz', {
          as: app.admin,
          params: { id: quiz.id },
          body: { emails: list },
        }),
      ),
    );
    expect(replies.map((r) => r.status)).toEqual([200, 200, 200]);
    const { rows } = await app.pool.query(
      `select count(distinct u.id)::int as people, count(*)::int as codes
       from invitation_codes c join invitations i on i.id = c.invitation_id
       join users u on u.id = i.user_id
       where c.revoked_at is null and i.quiz_id = $1`,
      [quiz.id],
    );
    expect(rows).toEqual([{ people: 40, codes: 40 }]);
  });
});
