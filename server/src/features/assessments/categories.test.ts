import { setUpAppWithAdmin } from '@invigil/testkit/factories';
import { describe, expect, it } from 'vitest';

const UNKNOWN = '0197f5a3-1c1e-7c3a-9b1a-2f4d5e6a7b8c';

describe('categories', () => {
  const app = setUpAppWithAdmin();
  const create = (body: unknown) => app.call('createCategory', { as: app.admin, body });
  const edit = (id: string, body: unknown) =>
    app.call('updateCategory', { as: app.admin, params: { id }, body });
  const remove = (id: string) => app.call('deleteCategory', { as: app.admin, params: { id } });
  const list = async () => (await app.call('listCategories', { as: app.admin })).body;

  it('that do not exist are refused', async () => {
    expect((await edit(UNKNOWN, { name: 'N' })).status).toBe(404);
    expect((await remove(UNKNOWN)).status).toBe(404);
    expect((await remove('no-id')).status).toBe(404);
  });

  it('are created, changed, and listed by name regardless of case', async () => {
    const made = await create({ name: ' networks ', description: '' });
    expect(made.status).toBe(201);
    expect(made.body).toEqual({
      id: expect.any(String),
      name: 'networks',
      description: null,
      createdAt: app.clock.now().toISOString(),
    });
    await create({ name: 'Biology', description: 'Cells' });
    await create({ name: 'Zoology' });
    await create({ name: 'chemistry' });
    expect((await list()).map((c: { name: string }) => c.name)).toEqual([
      'Biology',
      'chemistry',
      'networks',
      'Zoology',
    ]);
    const edited = await edit(made.body.id, { name: 'Arts', description: 'Music' });
    expect(edited.body).toEqual({ ...made.body, name: 'Arts', description: 'Music' });
    expect((await list())[0]).toEqual(edited.body);
    expect(
      (await edit(made.body.id, { name: 'Arts', description: null })).body.description,
    ).toBeNull();
  });

  it('are not changed by who has not read the last change', async () => {
    const { body } = await create({ name: 'Maths' });
    const before = { name: 'Maths', description: null };
    const put = async (change: object) => (await edit(body.id, change)).status;
    expect(await put({ name: 'Mathematics', before })).toBe(200);
    expect(await put({ name: 'Maths', description: 'Numbers', before })).toBe(409);
    await remove(body.id);
  });

  it('cannot be deleted while an assessment uses them, even an archived one', async () => {
    const { id } = (await create({ name: 'In use' })).body;
    const makeQuiz = async () => {
      const body = { title: 'T', categoryId: id, duration: 5, totalQuestions: 5 };
      return (await app.call('createQuiz', { as: app.admin, body })).body;
    };
    const quiz = await makeQuiz();
    expect(await remove(id)).toMatchObject({
      status: 409,
      body: {
        code: 'CATEGORY_IN_USE',
        message: 'This category has 1 assessment and cannot be deleted',
        details: { count: 1, archived: 0 },
      },
    });
    await makeQuiz();
    await app.call('deleteQuiz', { as: app.admin, params: { id: quiz.id } });
    expect((await remove(id)).body).toMatchObject({
      message: 'This category has 2 assessments (1 deleted) and cannot be deleted',
      details: { count: 2, archived: 1 },
    });
  });

  it('are deleted once by concurrent requests, and never under an assessment being created', async () => {
    for (let i = 0; i < 5; i += 1) {
      const { id } = (await create({ name: 'Contested' })).body;
      const body = { title: 'T', categoryId: id, duration: 5, totalQuestions: 5 };
      const [made, ...removed] = await Promise.all([
        app.call('createQuiz', { as: app.admin, body }),
        remove(id),
        remove(id),
      ]);
      const statuses = removed.map((r) => r.status).sort();
      expect([made.status, ...statuses]).toEqual(
        made.status === 201 ? [201, 409, 409] : [404, 204, 404],
      );
    }
  });
});
