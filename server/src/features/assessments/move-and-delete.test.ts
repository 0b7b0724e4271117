import { plainDefinition } from '@invigil/core/domain/questions/question-definition';
import type { Grant } from '@invigil/core/domain/rights';
import {
  makeScoredQuiz,
  setUpAppWithAdmin,
  signInAdmin,
  sitScoredQuiz,
} from '@invigil/testkit/factories';
import { HeldWindow } from '@invigil/testkit/held-window';
import { beforeAll, describe, expect, it } from 'vitest';

const QUESTIONS = ['One', 'Two', 'Three', 'Four', 'Five'].map((text) =>
  plainDefinition(text, ['a', 'b'], 'a'),
);

describe('an assessment with results', () => {
  const app = setUpAppWithAdmin();
  let quizId: string;
  let attempt: string;
  let near: string;
  let far: string;

  beforeAll(async () => {
    const made = await makeScoredQuiz(app, app.admin, QUESTIONS);
    quizId = made.id;
    const sat = await sitScoredQuiz(app, app.admin, made, ['a', 'a', 'a', 'a', 'b']);
    await sat.submit();
    attempt = sat.id;
    const quizzes = (await app.call('listQuizzes', { as: app.admin })).body;
    near = quizzes.find(({ id }: { id: string }) => id === quizId).categoryId;
    const body = { name: 'Far' };
    far = (await app.call('createCategory', { as: app.admin, body })).body.id;
  });

  let people = 0;
  async function colleague(grants: Grant[]) {
    people += 1;
    const cookie = await signInAdmin(app, `mover${people}@example.org`);
    const { id } = (await app.call('me', { as: cookie })).body.user;
    const reply = await app.call('setGrants', { as: app.admin, params: { id }, body: { grants } });
    expect(reply.status).toBe(200);
    return cookie;
  }
  const settings = { title: 'T', duration: 30, totalQuestions: 5 };
  const move = (as: string, categoryId: string) =>
    app.call('updateQuiz', { as, params: { id: quizId }, body: { ...settings, categoryId } });
  const back = async () => expect((await move(app.admin, near)).status).toBe(200);

  it('is not moved to where its mover may do more', async () => {
    const as = await colleague([
      { role: 'author', quizId },
      { role: 'owner', categoryId: far },
    ]);
    const seen = () => app.call('listParticipants', { as, query: { quizId } });
    expect((await seen()).text).not.toContain(attempt);
    const refused = await move(as, far);
    expect(refused).toMatchObject({
      status: 403,
      body: { code: 'FORBIDDEN', message: expect.stringContaining('Ask an owner') },
    });
    expect((await seen()).text).not.toContain(attempt);
    // Whatever else is changed in its place.
    expect((await move(as, near)).status).toBe(200);
  });

  it('is moved neither to an accomplice nor out of the sight of its owner', async () => {
    const elsewhere = (
      await app.call('createCategory', { as: app.admin, body: { name: 'Elsewhere' } })
    ).body.id;
    const author = await colleague([
      { role: 'author', categoryId: near },
      { role: 'author', categoryId: far },
      { role: 'author', categoryId: elsewhere },
    ]);
    // Nobody else has a role in the one or the other.
    expect((await move(author, elsewhere)).status).toBe(200);
    await back();
    await colleague([{ role: 'owner', categoryId: elsewhere }]);
    expect((await move(author, elsewhere)).status).toBe(403);
    const owner = await colleague([{ role: 'owner', categoryId: near }]);
    expect((await move(author, far)).status).toBe(403);
    expect((await app.call('getQuizResults', { as: owner, params: { id: quizId } })).status).toBe(
      200,
    );
  });

  it('is not moved to where a role is given at this moment', async () => {
    const body = { name: 'Contested' };
    const categoryId = (await app.call('createCategory', { as: app.admin, body })).body.id;
    const author = await colleague([
      { role: 'author', categoryId: near },
      { role: 'author', categoryId },
    ]);
    const { id } = (await app.call('me', { as: await colleague([]) })).body.user;
    // Both wait for the administrators; the role is ahead.
    const lock = 'lock table admins in share row exclusive mode';
    const held = await HeldWindow.open(app.pool, lock, []);
    const grants = [{ role: 'owner', categoryId }];
    const given = app.call('setGrants', { as: app.admin, params: { id }, body: { grants } });
    await held.untilStuck(app.pool, 1);
    const moved = move(author, categoryId);
    await held.untilStuck(app.pool, 2);
    await held.release();
    expect([(await given).status, (await moved).status]).toEqual([200, 403]);
  });

  it('is moved by who may give roles on it, and the log names both categories', async () => {
    const as = await colleague([
      { role: 'owner', quizId },
      { role: 'author', categoryId: far },
    ]);
    expect((await move(as, far)).status).toBe(200);
    const { rows } = await app.pool.query(
      "select details from audit_entries where action = 'quiz.edited' and subject_id = $1 order by id desc limit 1",
      [quizId],
    );
    expect(rows[0].details).toMatchObject({ fromCategoryId: near, toCategoryId: far });
    await back();
  });

  it('is deleted only by who may give roles on it, and its results stay', async () => {
    const author = await colleague([{ role: 'author', quizId }]);
    const owner = await colleague([{ role: 'owner', quizId }]);
    const params = { id: quizId };
    const remove = (as: string) => app.call('deleteQuiz', { as, params });
    expect(await remove(author)).toMatchObject({
      status: 403,
      body: { message: expect.stringContaining('inactive') },
    });
    const body = { ...settings, title: 'Never taken', categoryId: near };
    const unused = (await app.call('createQuiz', { as: app.admin, body })).body.id;
    const authorOfUnused = await colleague([{ role: 'author', quizId: unused }]);
    const removed = await app.call('deleteQuiz', { as: authorOfUnused, params: { id: unused } });
    expect(removed.status).toBe(204);
    expect((await remove(owner)).status).toBe(204);
    const rules = { parts: ['score'], when: { kind: 'by_hand' }, openDays: 30 };
    const listed = await app.call('listInvitations', { as: owner, params });
    const ids = listed.body.map(({ id }: { id: string }) => id);
    for (const [name, given] of [
      ['getQuizResults', undefined],
      ['setResultRules', { rules: null, dryRun: true }],
      ['getQuizStatistics', undefined],
      ['exportQuizStatistics', undefined],
      ['setReleaseRules', { rules }],
      ['releaseResults', {}],
      ['getReleases', undefined],
      ['makePasswords', { ids }],
    ] as const) {
      const reply = await app.call(name, { as: owner, params, ...(given ? { body: given } : {}) });
      expect([name, reply.status]).toEqual([name, 200]);
      if (name === 'makePasswords') expect(reply.body.passwords).toHaveLength(1);
    }
    // Nothing of it begins again.
    expect((await app.call('getStructure', { as: owner, params })).status).toBe(404);
    expect(
      (await app.call('updateQuiz', { as: owner, params, body: { ...settings, categoryId: near } }))
        .status,
    ).toBe(404);
  });
});
