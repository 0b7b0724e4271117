import { Readable } from 'node:stream';
import { plainDefinition } from '@invigil/core/domain/questions/question-definition';
import type { Grant } from '@invigil/core/domain/rights';
import {
  type BegunAttempt,
  beginAttempt,
  type MadeQuiz,
  makeQuiz,
  setUpAppWithAdmin,
  signInAdmin,
} from '@invigil/testkit/factories';
import { HeldWindow } from '@invigil/testkit/held-window';
import { portOf } from '@invigil/testkit/left-requests';
import pg from 'pg';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { AppError } from '../../runtime/app-error.ts';
import { whileActing } from '../while-acting.ts';

const reason = 'They asked for it';

describe('a long action', () => {
  const app = setUpAppWithAdmin();
  let quiz: MadeQuiz;
  let attempts: BegunAttempt[];

  beforeAll(async () => {
    quiz = await makeQuiz(app, app.admin);
    attempts = [
      await beginAttempt(app, app.admin, quiz),
      await beginAttempt(app, app.admin, quiz),
      await beginAttempt(app, app.admin, quiz),
    ];
  });

  let people = 0;
  async function colleague(grants: Grant[]) {
    people += 1;
    const cookie = await signInAdmin(app, `demoted${people}@example.org`);
    const { id } = (await app.call('me', { as: cookie })).body.user;
    const give = (to: Grant[]) =>
      app.call('setGrants', { as: app.admin, params: { id }, body: { grants: to } });
    expect((await give(grants)).status).toBe(200);
    return { cookie, give };
  }

  it('on many attempts stops where the role ends', async () => {
    const { cookie, give } = await colleague([{ role: 'invigilator', quizId: quiz.id }]);
    const ids = attempts.map(({ id }) => id);
    const held = await HeldWindow.open(
      app.pool,
      'select from participants where id = $1 for update',
      [ids[1]],
    );
    const body = {
      id: '0197f5a3-1c1e-7c3a-9b1a-2f4d5e6a7b8c',
      ids,
      action: { kind: 'extend', minutes: 5 },
      reason,
    };
    const many = app.call('applyToMany', { as: cookie, body });
    await held.untilStuck(app.pool, 1);
    expect((await give([{ role: 'analyst', quizId: quiz.id }])).status).toBe(200);
    await held.release();
    const reply = await many;
    expect(reply.body.done).toEqual([ids[0]]);
    expect(reply.body.refused.map(({ code }: { code: string }) => code)).toEqual([
      'FORBIDDEN',
      'FORBIDDEN',
    ]);
  });

  it('that waits for its turn adds nothing once the role has ended', async () => {
    const { cookie, give } = await colleague([{ role: 'author', quizId: quiz.id }]);
    const held = await HeldWindow.open(app.pool, 'select from quizzes where id = $1 for update', [
      quiz.id,
    ]);
    const body = { definition: plainDefinition('Late?', ['a', 'b'], 'a'), quizId: quiz.id };
    const late = app.call('addToBank', { as: cookie, body });
    await held.untilStuck(app.pool, 1);
    // The call was admitted by a role that is no longer there.
    expect((await give([{ role: 'support', quizId: quiz.id }])).status).toBe(200);
    await held.release();
    expect(await late).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
    const bank = await app.call('listBank', { as: app.admin });
    expect(bank.text).not.toContain('Late?');
  });

  it('that downloads people gets none of them once the role has ended', async () => {
    const { cookie, give } = await colleague([{ role: 'support' }]);
    const url = `http://127.0.0.1:${await portOf(app)}/api/people/export?format=csv`;
    const headers = { cookie: `invigil_session=${cookie}` };
    // A connection that is cut off in the middle fails.
    const download = () =>
      fetch(url, { headers, signal: AbortSignal.timeout(20_000) }).then((reply) =>
        reply.text().catch(() => 'cut off'),
      );
    const [someone] = attempts;
    expect(await download()).toContain(someone?.candidate.email);
    const { query } = pg.Client.prototype;
    let demoted: number | undefined;
    vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
      this: pg.Client,
      ...args: unknown[]
    ) {
      const go = () => Reflect.apply(query, this, args);
      const { text = '' } = args[0] as { text?: string };
      // The head of the file is on its way.
      if (demoted !== undefined || !text.includes('"users"."email" from')) return go();
      demoted = 0;
      return give([{ role: 'analyst' }]).then(({ status }) => {
        demoted = status;
        return go();
      });
    } as never);
    expect(await download()).toBe('cut off');
    expect(demoted).toBe(200);
  });

  it('that sends a file breaks off once the role has ended', async () => {
    let left = 1;
    const portions = Readable.from(['first', 'second', 'third'], { objectMode: false });
    const file = whileActing(portions, async () => {
      left -= 1;
      if (left < 0) throw new AppError('FORBIDDEN');
    });
    const sent: string[] = [];
    await expect(
      (async () => {
        for await (const chunk of file) sent.push(String(chunk));
      })(),
    ).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect(sent).toEqual(['first']);
    expect(portions.destroyed).toBe(true);
  });
});
