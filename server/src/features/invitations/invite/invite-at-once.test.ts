import { makeQuiz, setUpAppWithAdmin } from '@invigil/testkit/factories';
import { HeldWindow } from '@invigil/testkit/held-window';
import { describe, expect, it } from 'vitest';

describe('concurrent invitations of the same people', () => {
  const app = setUpAppWithAdmin();

  it('succeed in any order of addresses, even crossing each other', async () => {
    const one = await makeQuiz(app, app.admin);
    const two = await makeQuiz(app, app.admin);
    const emails = Array.from({ length: 7 }, (_, i) => `p${i}@example.org`);
    const invite = (quizId: string, list: string[]) =>
      app.call('inviteToQuiz', { as: app.admin, params: { id: quizId }, body: { emails: list } });

    // A third connection is inserting the middle address: both calls wait for it, one with the
    // first half done, one with the second. Then it rolls back.
    const held = await HeldWindow.open(
      app.pool,
      'insert into users (id, email, created_at) values (gen_random_uuid(), $1, $2)',
      [emails[3], app.clock.now()],
    );
    const calls = [invite(one.id, emails), invite(two.id, emails.toReversed())];
    await held.untilStuck(app.pool, calls.length);
    await held.release();
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
    // As an erasure does: it locks the invitation and removes the address.
    const held = await HeldWindow.open(
      app.pool,
      `with locked as (select user_id from invitations where id = $1 for update)
       update users set email = null where id = (select user_id from locked)`,
      [before.id],
    );
    const call = invite();
    await held.untilStuck(app.pool, 1);
    await held.commit();
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
