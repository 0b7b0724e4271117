import type { Participant } from '@invigil/core/contract/review/participants';
import { plainDefinition } from '@invigil/core/domain/questions/question-definition';
import type { NamedSection } from '@invigil/core/domain/questions/quiz-structure';
import {
  outcomeOf,
  type ResultRules,
  type StoredResult,
} from '@invigil/core/domain/results/outcome';
import { beginAttempt, makeQuiz, setUpAppWithAdmin } from '@invigil/testkit/factories';
import { storeAttempts } from '@invigil/testkit/stored';
import { parse } from 'csv-parse/sync';
import { type SQL, sql } from 'drizzle-orm';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../db/new-id.ts';
import { inTransaction } from '../../db/transaction.ts';
import { ASSESSMENTS, RELEASES } from '../../trust/row-kinds.ts';
import { changeSealed, listWhole, RESULTS, type SealedKind } from '../../trust/sealed-kinds.ts';

const NO_GRADES = { sectionMarks: [], grades: [] };
const GRADES = [
  { name: 'A', from: 80 },
  { name: 'B', from: 50 },
  { name: 'F', from: 0 },
];

describe('the results of an assessment', () => {
  const app = setUpAppWithAdmin();
  const as = () => app.admin;
  const read = (id: string) => app.call('getQuizResults', { as: as(), params: { id } });
  const set = (id: string, rules: ResultRules | null, dryRun = false) =>
    app.call('setResultRules', { as: as(), params: { id }, body: { rules, dryRun } });
  const list = async (query: Record<string, string>): Promise<Participant[]> =>
    (await app.call('listParticipants', { as: as(), query })).body;

  describe('with a pass mark and grades', () => {
    let quizId: string;
    let ids: string[];
    beforeAll(async () => {
      quizId = (await makeQuiz(app, app.admin, { questions: [] })).id;
      const startedAt = app.clock.now();
      const ended = (email: string, score: number, more: object = {}) => ({
        ...{ email: `${email}@example.org`, startedAt, endedAfter: 60, score },
        ...more,
      });
      ids = await storeAttempts(app, quizId, [
        ended('nine', 9),
        ended('six', 6),
        ended('five', 5),
        ended('breach', 10, { verdict: 'breach' }),
        ended('dismissed', 8, { status: 'dismissed' }),
        ended('cleared', 8, { status: 'dismissed', verdict: 'no_concern' }),
        ended('replaced', 10, { replaced: true }),
        { email: 'running@example.org', startedAt },
      ]);
    });

    it('replace no rules that someone else has set since', async () => {
      const { id } = await makeQuiz(app, app.admin, { questions: [] });
      const rules = { passMark: { percent: 50 }, ...NO_GRADES };
      const replace = (before: ResultRules | null, percent: number) =>
        app.call('setResultRules', {
          ...{ as: as(), params: { id } },
          body: { rules: { passMark: { percent }, ...NO_GRADES }, dryRun: false, before },
        });
      expect((await replace(null, 50)).status).toBe(200);
      expect((await replace(null, 60)).body.code).toBe('STALE');
      expect((await read(id)).body.rules).toEqual(rules);
      expect((await replace(rules, 60)).status).toBe(200);
    });

    it('have none at first: no outcome anywhere, and the report has the same columns', async () => {
      expect((await read(quizId)).body).toMatchObject({
        ...{ rules: null, sections: [], maxPoints: 10 },
        figures: { ended: 6, passed: 0, failed: 0, meanPercent: 76.67, grades: [] },
      });
      for (const row of await list({ quizId })) expect(row).not.toHaveProperty('outcome');
      expect(await list({ quizId, result: 'passed' })).toEqual([]);
      const { text } = await app.call('exportParticipants', { as: as(), query: { quizId } });
      expect(text.split('\r\n')[0]).not.toMatch(/Percent|Result|Grade/);
      const charts = await app.call('getStatsCharts', { as: as(), query: { quizId } });
      expect(charts.body).not.toHaveProperty('results');
    });

    it('say in a dry run who would change, change nothing, and then exactly that', async () => {
      const rules = { ...NO_GRADES, passMark: { percent: 60 } };
      const dry = await set(quizId, rules, true);
      expect(dry.body).toMatchObject({
        ...{ applied: false, changed: 6 },
        before: { passed: 0, failed: 0 },
        after: { ended: 6, passed: 3, failed: 3 },
      });
      expect((await read(quizId)).body.rules).toBeNull();
      expect((await set(quizId, rules)).body).toEqual({ ...dry.body, applied: true });
      const raised = (await set(quizId, { ...rules, passMark: { points: 6.25 } }, true)).body;
      expect(raised).toMatchObject({ changed: 1, changes: [{ userEmail: 'six@example.org' }] });
      expect(raised.changes[0]).toMatchObject({
        before: { result: 'passed', percent: 60 },
        after: { result: 'failed', because: 'points' },
      });
      expect((await set(quizId, rules, true)).body).toMatchObject({ changed: 0, changes: [] });
    });

    it('are asked for in a dry run without waiting for a lock, or holding one', async () => {
      const rules = { ...NO_GRADES, passMark: { percent: 60 } };
      const client = await app.pool.connect();
      try {
        await client.query('begin');
        await client.query('select 1 from quizzes where id = $1 for update', [quizId]);
        await client.query('select 1 from participants where quiz_id = $1 for update', [quizId]);
        expect((await set(quizId, rules, true)).status).toBe(200);
      } finally {
        await client.query('rollback');
        client.release();
      }
      expect((await set('00000000-0000-7000-8000-000000000000', rules, true)).status).toBe(404);
    });

    it('are in list, filter, record and report, and audited', async () => {
      await set(quizId, { passMark: { percent: 60 }, sectionMarks: [], grades: GRADES });
      const emails = async (result: string) =>
        (await list({ quizId, result })).map(({ userEmail }) => userEmail?.split('@')[0]).sort();
      expect(await emails('passed')).toEqual(['cleared', 'nine', 'six']);
      expect(await emails('failed')).toEqual(['breach', 'dismissed', 'five']);
      const { body } = await app.call('getParticipantRecord', {
        as: as(),
        params: { id: ids[3] ?? '' },
      });
      const outcome = { percent: 100, result: 'failed', grade: 'F', because: 'breach' };
      expect(body.participant.outcome).toEqual(outcome);
      const { text } = await app.call('exportParticipants', { as: as(), query: { quizId } });
      const rows = parse(text, { bom: true, columns: true }) as Record<string, string>[];
      const row = rows.find(({ Participant: email }) => email === 'nine@example.org');
      expect(row).toMatchObject({ Percent: '90', Result: 'passed', Grade: 'A' });
      const { id } = await makeQuiz(app, app.admin, { questions: [] });
      const startedAt = app.clock.now();
      const email = 'without-rules@example.org';
      await storeAttempts(app, id, [{ email, startedAt, endedAfter: 60, score: 7 }]);
      const ofAll = (await app.call('exportParticipants', { as: as() })).text;
      expect(parse(ofAll, { bom: true, columns: true })).toContainEqual(
        expect.objectContaining({ Participant: email, Percent: '70', Result: '', Grade: '' }),
      );
      const { body: figures } = await read(quizId);
      expect(figures.figures).toMatchObject({
        ...{ ended: 6, passed: 3, failed: 3 },
        grades: [
          { name: 'A', attempts: 2 },
          { name: 'B', attempts: 2 },
          { name: 'F', attempts: 2 },
        ],
      });
      const charts = await app.call('getStatsCharts', { as: as(), query: { quizId } });
      expect(charts.body.results).toEqual({ passed: 3, failed: 3 });
      const { rows: entries } = await app.pool.query(
        `select details from audit_entries where action = 'quiz.results_set' order by id desc limit 1`,
      );
      expect(entries[0].details).toMatchObject({ changed: 6, rules: { grades: GRADES } });
    });

    it('are refused with what is wrong at its place, and for unknown assessments', async () => {
      const issues = async (rules: object) =>
        (await set(quizId, rules as ResultRules)).body.issues?.map(
          ({ path, message }: { path: string; message: string }) => `${path}: ${message}`,
        );
      const percent = (n: number) => ({ ...NO_GRADES, passMark: { percent: n } });
      expect(await issues(percent(101))).toEqual(['rules.passMark.percent: From 0 to 100']);
      expect(await issues(percent(60.123))).toEqual([
        'rules.passMark.percent: At most two decimals',
      ]);
      expect(await issues({ ...NO_GRADES, passMark: null })).toEqual([
        'rules.passMark: Enter a pass mark or grades',
      ]);
      const grades = [
        { name: 'A', from: 50 },
        { name: 'A', from: 50 },
      ];
      expect(await issues({ passMark: null, sectionMarks: [], grades })).toEqual([
        'rules.grades.1.from: Lower than the grade above',
        'rules.grades.1.from: The lowest grade begins at 0',
        'rules.grades.1.name: This grade is there twice',
      ]);
      expect((await set(newId(), null)).status).toBe(404);
      expect((await read(newId())).status).toBe(404);
    });
  });

  /** An assessment with the sections "Law" (two questions) and "Practice" (three). */
  const makeSections = async () => {
    const quiz = await makeQuiz(app, app.admin, { questions: [] });
    const titles = ['Law', 'Law', 'Practice', 'Practice', 'Practice'];
    const ids: string[] = [];
    for (const [i, title] of titles.entries()) {
      const definition = plainDefinition(`${title} ${i}`, ['right', 'wrong'], 'right');
      ids.push((await app.call('addToBank', { as: as(), body: { definition } })).body.id);
    }
    const sections = ['Law', 'Practice'].map((title) => ({
      ...{ title, isShuffled: true },
      items: ids.filter((_, i) => titles[i] === title).map((questionId) => ({ questionId })),
    }));
    const put = async (wanted: object[]) => {
      const body = { structure: { sections: wanted }, negativeMarks: null };
      const reply = await app.call('setStructure', { as: as(), params: { id: quiz.id }, body });
      expect(reply.text).toContain('"structure"');
      return reply.body.structure.sections;
    };
    await put(sections);
    const sit = async (right: readonly string[]) => {
      const attempt = await beginAttempt(app, as(), quiz);
      const answers = ids.map((questionId, i) => ({
        ...{ questionId, isFlagged: false, revision: 1 },
        selectedOption: right.includes(titles[i] ?? '') ? 'right' : 'wrong',
      }));
      const call = { as: attempt.candidate.cookie, params: { id: attempt.id }, body: { answers } };
      expect((await app.call('saveAnswers', call)).status).toBe(200);
      await attempt.submit();
      return attempt;
    };
    return { quiz, sections, put, sit };
  };

  it('need the minimum of a section, also of attempts that ended before sections had points', async () => {
    const { quiz, sit } = await makeSections();
    const [all, practice] = [await sit(['Law', 'Practice']), await sit(['Practice'])];
    const pointsOf = async ({ row }: typeof all) =>
      ((await row()).sections as { points: number }[]).map(({ points }) => points);
    expect(await pointsOf(all)).toEqual([20_000, 30_000]);
    expect(await pointsOf(practice)).toEqual([0, 30_000]);
    // Earlier versions stored sections without points, and sealed them like that.
    const { db, keys } = app.context;
    await inTransaction(db, (tx) =>
      changeSealed(tx, keys.integrity, RESULTS, [practice.id], () =>
        tx.execute(sql`update participants set sections = (
          select jsonb_agg(s - 'points' - 'maxPoints') from jsonb_array_elements(sections) s
        ) where id = ${practice.id}`),
      ),
    );
    expect(await pointsOf(practice)).toEqual([undefined, undefined]);
    const rules = {
      ...{ passMark: { percent: 50 }, grades: [] },
      sectionMarks: [{ title: 'Law', percent: 50 }],
    };
    await set(quiz.id, rules);
    const { body: results } = await read(quiz.id);
    expect(results).toMatchObject({
      sections: [{ title: 'Law' }, { title: 'Practice' }],
      figures: {
        ...{ passed: 1, failed: 1 },
        sections: [
          { title: 'Law', attempts: 2, meanPercent: 50, below: 1 },
          { title: 'Practice', attempts: 2, meanPercent: 100, below: null },
        ],
      },
    });
    const { body: record } = await practice.record();
    expect(record.participant.outcome).toMatchObject({ result: 'failed', because: 'section' });
    expect(record).not.toHaveProperty('hasBrokenSeal');
    // Points of a section that were changed in the database are found.
    await app.pool.query(
      `update participants set sections = jsonb_set(sections, '{0,points}', '20000') where id = $1`,
      [practice.id],
    );
    expect((await practice.record()).body.hasBrokenSeal).toBe(true);
  });

  const LAW_50 = {
    ...{ passMark: { percent: 50 }, grades: [] },
    sectionMarks: [{ title: 'Law', percent: 50 }],
  };

  it('keep minimum, points and statistics of a section that is renamed', async () => {
    const { quiz, sections, put, sit } = await makeSections();
    const first = await sit(['Practice']);
    await set(quiz.id, LAW_50);
    const [law, practice] = await put(sections);
    const later = { id: practice.id, title: 'Law', percent: 1 };
    // The titles change places: neither the minimum nor the results do.
    await put([
      { ...law, title: 'Contracts' },
      { ...practice, title: 'Law' },
    ]);
    const second = await sit(['Practice']);
    const { body } = await read(quiz.id);
    const mark = { id: law.id, title: 'Contracts', percent: 50 };
    expect(body).toMatchObject({
      rules: { sectionMarks: [mark] },
      sections: [
        { id: law.id, title: 'Contracts' },
        { id: practice.id, title: 'Law' },
      ],
      figures: {
        ...{ passed: 0, failed: 2 },
        sections: [
          { id: law.id, title: 'Contracts', attempts: 2, meanPercent: 0, below: 2 },
          { id: practice.id, title: 'Law', attempts: 2, meanPercent: 100, below: null },
        ],
      },
    });
    for (const attempt of [first, second]) {
      const { body: record } = await attempt.record();
      expect(record.participant.outcome).toMatchObject({ result: 'failed', because: 'section' });
    }
    expect(await list({ quizId: quiz.id, result: 'failed' })).toHaveLength(2);
    // A program of before knows the sections by the titles that they have now.
    const { id: _, ...byTitle } = mark;
    const rules = { ...LAW_50, sectionMarks: [byTitle, later] };
    const tried = (await set(quiz.id, rules, true)).body;
    expect(tried).toMatchObject({ changed: 0, after: { sections: [{ below: 2 }, { below: 0 }] } });
    expect((await set(quiz.id, rules)).status).toBe(200);
    expect((await read(quiz.id)).body.rules.sectionMarks).toEqual([mark, later]);
    const twice = { ...LAW_50, sectionMarks: [byTitle, { ...mark, percent: 1 }] };
    expect((await set(quiz.id, twice)).body).toMatchObject({
      code: 'RULES_UNMET',
      issues: [{ path: 'rules.sectionMarks.1.id', message: 'A section is there twice' }],
    });
    const gone = { ...LAW_50, sectionMarks: [{ ...mark, id: 'gone' }] };
    expect((await set(quiz.id, gone)).body).toMatchObject({
      code: 'RULES_UNMET',
      issues: [{ path: 'rules.sectionMarks.0.id' }],
    });
  });

  it('stay as they were where a former version stored sections and minimums by title', async () => {
    const { quiz, put, sit } = await makeSections();
    const params = { id: quiz.id };
    const ended = await sit(['Practice']);
    await set(quiz.id, LAW_50);
    const parts = ['outcome', 'sections'];
    const releaseRules = { parts, when: { kind: 'by_hand' }, openDays: 30 };
    await app.call('setReleaseRules', { as: as(), params, body: { rules: releaseRules } });
    await app.call('releaseResults', { as: as(), params, body: {} });
    const { db, keys } = app.context;
    const { rows } = await app.pool.query(
      'select id from result_releases where participant_id = $1',
      [ended.id],
    );
    const releases = rows.map(({ id }) => id);
    expect(releases).toHaveLength(1);
    const withoutIds = (sections: string) =>
      sql.raw(`(select jsonb_agg(s - 'id') from jsonb_array_elements(${sections}) s)`);
    const strip = [
      [
        ...[ASSESSMENTS, quiz.id],
        sql`update quizzes set
          structure = jsonb_build_object('sections', ${withoutIds("structure -> 'sections'")}),
          result_rules = jsonb_set(result_rules, '{sectionMarks}', ${withoutIds("result_rules -> 'sectionMarks'")})
          where id = ${quiz.id}`,
      ],
      [
        ...[RESULTS, ended.id],
        sql`update participants set sections = ${withoutIds('sections')} where id = ${ended.id}`,
      ],
      [
        ...[RELEASES, releases[0]],
        sql`update result_releases
          set result = jsonb_set(result, '{sections}', ${withoutIds("result -> 'sections'")})
          where id = ${releases[0]}`,
      ],
    ] as [SealedKind, string, SQL][];
    for (const [kind, id, statement] of strip) {
      const changed = await inTransaction(db, (tx) =>
        changeSealed(tx, keys.integrity, kind, [id], () => tx.execute(statement)),
      );
      expect(changed.rowCount).toBe(1);
    }
    const stored = await app.pool.query(
      `select structure::text, result_rules::text, sections::text, result::text
      from quizzes q join participants p on p.quiz_id = q.id join result_releases r on r.participant_id = p.id
      where q.id = $1`,
      [quiz.id],
    );
    expect(JSON.stringify(stored.rows)).not.toMatch(/\bid\b/);

    const shown = async () => {
      const call = { as: ended.candidate.cookie, params: { id: ended.id } };
      const { isChanging, outcome, sections } = (await app.call('getResult', call)).body;
      return { isChanging, outcome, sections };
    };
    const asReleased = {
      ...{ isChanging: false, outcome: { result: 'failed', because: 'section' } },
      sections: [
        { title: 'Law', points: 0, maxPoints: 2 },
        { title: 'Practice', points: 3, maxPoints: 3 },
      ],
    };
    expect(await shown()).toEqual(asReleased);
    const { body: read1 } = await app.call('getStructure', { as: as(), params });
    const [law, practice] = read1.structure.sections;
    expect([law.id, practice.id]).toEqual(['Law', 'Practice']);
    await put([{ ...law, title: 'Contracts' }, practice]);
    await sit(['Practice']);
    expect((await read(quiz.id)).body).toMatchObject({
      rules: { sectionMarks: [{ id: 'Law', title: 'Contracts', percent: 50 }] },
      figures: {
        ...{ passed: 0, failed: 2 },
        sections: [
          { title: 'Contracts', attempts: 2, below: 2 },
          { title: 'Practice', attempts: 2 },
        ],
      },
    });
    expect(await list({ quizId: quiz.id, result: 'failed' })).toHaveLength(2);
    expect(await shown()).toEqual(asReleased);
    expect((await ended.record()).body).not.toHaveProperty('hasBrokenSeal');
    for (const [kind, id] of strip) {
      expect(await listWhole(db, keys.integrity, kind, [id])).toEqual([id]);
    }
  });

  it('give no minimum to a title that neither the sections nor a paper have', async () => {
    const quiz = await makeQuiz(app, as());
    const params = { id: quiz.id };
    const nameSection = async (title: string) => {
      const items = quiz.questions.map(({ id }) => ({ questionId: id }));
      const structure = { sections: [{ title, isShuffled: false, items }] };
      const body = { structure, negativeMarks: null };
      expect((await app.call('setStructure', { as: as(), params, body })).status).toBe(200);
    };
    const setMinimum = (title: string) =>
      set(quiz.id, {
        passMark: { percent: 50 },
        grades: [],
        sectionMarks: [{ title, percent: 60 }],
      });
    await nameSection('Fire safety');
    const { status, body } = await setMinimum('Fire safty');
    expect([status, body.code, body.issues]).toEqual([
      ...[409, 'RULES_UNMET'],
      [{ path: 'rules.sectionMarks.0.title', message: expect.stringContaining('“Fire safty”') }],
    ]);
    // This dialog was opened before a colleague renamed the section.
    await nameSection('Fire');
    expect((await setMinimum('Fire safety')).body.code).toBe('RULES_UNMET');
    expect((await read(quiz.id)).body.rules).toBeNull();
    expect((await setMinimum('Fire')).status).toBe(200);
    await set(quiz.id, null);
    await nameSection('Fire safety');
    await beginAttempt(app, as(), quiz);
    await nameSection('Fire');
    expect((await setMinimum('Fire safety')).status).toBe(200);
  });

  it('are filtered by the database as the one rule says, whatever the rules', async () => {
    const { id: quizId } = await makeQuiz(app, app.admin, { questions: [] });
    const startedAt = app.clock.now();
    const part = fc.integer({ min: 0, max: 60_000 });
    const anyAttempt = fc.record({
      endedAfter: fc.constantFrom(60, 60, 60, null),
      status: fc.constantFrom('completed' as const, 'dismissed' as const),
      verdict: fc.constantFrom(
        undefined,
        'no_concern' as const,
        'talk' as const,
        'breach' as const,
      ),
      score: fc.integer({ min: 0, max: 6 }),
      points: fc.option(part, { nil: undefined }),
      left: part,
    });
    const stored = fc.sample(anyAttempt, { numRuns: 120, seed: 7 }).map((one, i) => {
      const { endedAfter, status, verdict, score, points, left } = one;
      const sections = [
        [
          { title: 'One', first: 1, points: left, maxPoints: 60_000 },
          { id: '2', title: 'Two', first: 3, points: 0, maxPoints: 0 },
        ],
        [
          { title: 'Three', first: 1, points: left, maxPoints: 60_000 },
          { id: 'One', title: 'First', first: 3, points: left, maxPoints: 120_000 },
        ],
      ][i % 3];
      return {
        ...{ email: `p${i}@example.org`, startedAt, endedAfter, status, score, totalMarks: 6 },
        ...(verdict && endedAfter ? { verdict } : {}),
        ...(points === undefined ? {} : { points, maxPoints: i % 9 === 0 ? 0 : 60_000 }),
        ...(points !== undefined && i % 9 === 0 ? { points: 0 } : {}),
        ...(sections && endedAfter ? { sections } : {}),
      };
    });
    const ids = await storeAttempts(app, quizId, stored);
    const anyPercent = fc.integer({ min: 1, max: 10_000 }).map((n) => n / 100);
    const anyRules = fc.record({
      passMark: fc.oneof(
        fc.record({ percent: anyPercent }),
        fc.record({ points: fc.integer({ min: 1, max: 600 }).map((n) => n / 100) }),
        // On a bound of the rounding, where the smallest difference decides.
        fc.constantFrom(
          ...stored.map(({ score }) => ({
            percent: Math.max(0.01, Math.floor((score * 10_000) / 6 + 0.5) / 100),
          })),
        ),
      ),
      sectionMarks: fc.uniqueArray(
        fc
          .tuple(
            fc.constantFrom<NamedSection>(
              ...[{ title: 'One' }, { id: '2', title: 'Later' }, { title: 'Three' }],
            ),
            anyPercent,
          )
          .map(([section, percent]) => ({ ...section, percent })),
        { maxLength: 2, selector: ({ title }) => title },
      ),
      grades: fc.constant<ResultRules['grades']>([]),
    });
    await fc.assert(
      fc.asyncProperty(anyRules, async (rules) => {
        expect((await set(quizId, rules)).status).toBe(200);
        for (const result of ['passed', 'failed'] as const) {
          const expected = ids.filter((_, i) => {
            const one = stored[i];
            if (!one) return false;
            const row: StoredResult = {
              status: one.endedAfter === null ? 'in_progress' : one.status,
              verdict: 'verdict' in one && one.verdict ? one.verdict : null,
              score: one.endedAfter === null ? null : one.score,
              totalMarks: 6,
              points: 'points' in one && one.endedAfter !== null ? (one.points ?? null) : null,
              maxPoints: 'maxPoints' in one ? (one.maxPoints ?? null) : null,
              sections: 'sections' in one ? (one.sections ?? null) : null,
            };
            return outcomeOf(row, rules)?.result === result;
          });
          const found = await list({ quizId, result, limit: '500' });
          expect(found.map(({ id }) => id).sort()).toEqual(expected.toSorted());
        }
      }),
      { numRuns: 25 },
    );
  });
});
