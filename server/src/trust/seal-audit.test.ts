import { startTestApp, type TestApp } from '@invigil/testkit/app';
import { inviteCandidate, makeQuiz, signInAdmin } from '@invigil/testkit/factories';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sealAudit, verifyAudit } from './seal-audit.ts';
import { TrustRoot } from './trust-root.ts';

describe('the chain of the audit log', () => {
  let app: TestApp;
  let admin: string;

  beforeEach(async () => {
    app = await startTestApp();
    admin = await signInAdmin(app);
    const quiz = await makeQuiz(app, admin);
    await inviteCandidate(app, admin, quiz.id);
  });
  afterEach(() => app.stop());

  const seal = () => sealAudit(app.context);
  const verify = (known?: { number: number; hash: string }) => verifyAudit(app.context, known);
  const numbers = async () =>
    (await app.pool.query('select number from audit_entries order by at, id')).rows.map((row) =>
      row.number === null ? null : Number(row.number),
    );

  it('numbers each entry once, in order of time', async () => {
    expect(new Set(await numbers())).toEqual(new Set([null]));
    const all = (await numbers()).length;
    expect(all).toBeGreaterThan(3);
    expect(await seal()).toBe(all);
    expect(await numbers()).toEqual(Array.from({ length: all }, (_, i) => i + 1));
    expect(await seal()).toBe(0);
    expect(await verify()).toMatchObject({ entries: all, waiting: 0, problem: null });
  });

  it('continues where it ended, and counts entries that are waiting', async () => {
    await seal();
    const { entries } = await verify();
    await app.call('createCategory', { as: admin, body: { name: 'Later' } });
    expect(await verify()).toMatchObject({ entries, waiting: 1, problem: null });
    await seal();
    expect(await verify()).toMatchObject({ entries: entries + 1, waiting: 0, problem: null });
  });

  it('begins once, and includes each entry once, when several seal concurrently', async () => {
    const sealAtOnce = async () =>
      (await Promise.all([seal(), seal(), seal(), seal()])).reduce((sum, n) => sum + n);
    const all = (await numbers()).length;
    expect(await sealAtOnce()).toBe(all);
    for (let i = 0; i < 20; i += 1) {
      await app.call('createCategory', { as: admin, body: { name: `C${i}` } });
    }
    expect(await sealAtOnce()).toBe(20);
    expect(await verify()).toMatchObject({ entries: all + 20, problem: null });
  });

  it('is valid and empty on a new database', async () => {
    const fresh = await startTestApp();
    expect(await verifyAudit(fresh.context)).toEqual({
      entries: 0,
      waiting: 0,
      head: null,
      problem: null,
    });
    await fresh.stop();
  });

  describe('is logged', () => {
    const logged = () => {
      const lines: Record<string, unknown>[] = [];
      const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) });
      return { lines, log };
    };

    it('with the number and the hash of each new head, and not without new entries', async () => {
      const { lines, log } = logged();
      const ctx = { ...app.context, log };
      await sealAudit(ctx);
      const first = (await verify()).head;
      await app.call('createCategory', { as: admin, body: { name: 'Later' } });
      await sealAudit(ctx);
      await sealAudit(ctx);
      const second = (await verify()).head;
      expect(lines).toMatchObject(
        [first, second].map((head) => ({
          level: 30,
          msg: 'audit log sealed',
          number: head?.number,
          hash: head?.hash.toString('hex'),
          seal: expect.stringMatching(/^[0-9a-f]{64}$/),
        })),
      );
      // `--head` accepts what was logged.
      for (const { number, hash } of lines) {
        const named = { number: Number(number), hash: String(hash) };
        expect((await verify(named)).problem).toBeNull();
      }
    });

    it('as an alarm with its reason once, and once when it is over', async () => {
      await seal();
      const { lines, log } = logged();
      const trust = new TrustRoot(app.context.config.dataDir, app.context.keys.integrity, log);
      const ctx = { ...app.context, log, trust };
      await app.pool.query('alter table audit_head rename to kept');
      await app.pool.query('create table audit_head (like kept including all)');
      await sealAudit(ctx);
      await sealAudit(ctx);
      const problem = expect.stringMatching(
        /^the head of the chain is missing, and number \d+ was/,
      );
      const alarm = { level: 50, problem, msg: expect.stringMatching(/^audit chain alarm: /) };
      expect(lines).toMatchObject([alarm]);
      await app.pool.query('drop table audit_head; alter table kept rename to audit_head');
      await sealAudit(ctx);
      expect(lines).toMatchObject([alarm, { level: 40, msg: 'audit chain alarm over' }]);
    });
  });
});
