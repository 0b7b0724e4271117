import { setUpAppWithAdmin } from '@invigil/testkit/factories';
import { describe, expect, it } from 'vitest';
import { newId } from '../db/new-id.ts';
import { insertCategory, listCategories } from '../db/queries/categories.ts';
import { commandOf, SYSTEM, type Write } from './command.ts';

describe('a command', () => {
  const app = setUpAppWithAdmin();
  const commandWith = (more: { before?: unknown } = {}) =>
    commandOf(app.context.db, { actor: SYSTEM, now: app.clock.now(), ...more });
  const add = ({ tx, now }: Pick<Write<never>, 'tx' | 'now'>, name: string) =>
    insertCategory(tx, { id: newId(), name, description: null, createdAt: now });
  const names = async () => (await listCategories(app.context.db, 'all')).map(({ name }) => name);

  it('keeps nothing without an entry, runs nothing after it, and answers all the same', async () => {
    let isRun = false;
    const answer = await commandWith()(async (write) => {
      await add(write, 'Unrecorded');
      write.afterCommit(() => {
        isRun = true;
      });
      return 'as a dry run';
    });
    expect(answer).toBe('as a dry run');
    expect(isRun).toBe(false);
    expect(await names()).not.toContain('Unrecorded');
  });

  it('refuses to keep what does not compare what was read, or finds it changed', async () => {
    const change = commandWith({ before: 1 });
    const store = async (write: Write<string, typeof SYSTEM>, stored?: number) => {
      if (stored !== undefined) write.requireRead(stored);
      await add(write, 'Compared');
      await write.record('category.created');
    };
    await expect(change((write) => store(write))).rejects.toThrow('not compared');
    await expect(change((write) => store(write, 2))).rejects.toMatchObject({ code: 'STALE' });
    expect(await names()).not.toContain('Compared');
    await change((write) => store(write, 1));
    expect(await names()).toContain('Compared');
  });

  it('finds what another one has stored in the same instant, and refuses it by name', async () => {
    const body = (givenName: string) => ({
      people: [{ email: 'rival@example.org', externalId: 'R1', givenName }],
      dryRun: false,
    });
    const add = (givenName: string) =>
      app.call('importPeople', { as: app.admin, body: body(givenName) });
    const replies = await Promise.all([add('One'), add('Two'), add('Three')]);
    const statuses = replies.map(({ body: { outcomes } }) => outcomes[0].status);
    expect(statuses.toSorted()).toEqual(['added', 'changed', 'changed']);
    const admins = ['a', 'b', 'c'].map((given) =>
      app.call('createAdmin', {
        as: app.admin,
        body: { email: 'twice@example.org', name: given, password: 'granite lantern otter' },
      }),
    );
    const made = (await Promise.all(admins)).map(({ status, body: { code } }) => code ?? status);
    expect(made.toSorted()).toEqual([201, 'ADMIN_EXISTS', 'ADMIN_EXISTS']);
  });

  it('is tried again after a deadlock, a few times', async () => {
    let tries = 0;
    const losing = async (write: Write<string, typeof SYSTEM>) => {
      tries += 1;
      await add(write, `Tried ${tries}`);
      await write.record('category.created');
      if (tries < 3) throw Object.assign(new Error('lost'), { code: '40P01' });
    };
    await commandWith()(losing);
    expect(await names()).toEqual(expect.arrayContaining(['Tried 3']));
    expect(await names()).not.toContain('Tried 1');
    const always = async () => {
      tries += 1;
      throw Object.assign(new Error('lost'), { code: '40P01' });
    };
    tries = 0;
    await expect(commandWith()(always)).rejects.toThrow('lost');
    expect(tries).toBe(4);
  });
});
