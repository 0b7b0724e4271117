import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closeDueParticipants } from '../../jobs/close-due-participants.ts';
import {
  inviteCandidate,
  makeQuiz,
  signInAdmin,
  signInCandidate,
} from '../../testing/factories.ts';
import { type Reply, startTestApp, type TestApp } from '../../testing/test-app.ts';

/*
 * An attempt against a model of it: whatever order of starts, saves, replays, submits, ticks,
 * takeovers, edits and restarts comes, invariants I1 to I12, I17 and I18 to I20 of the attempt hold
 * after every step. A restart is a rebuild of the app on the same database.
 */

const RUNS = Number(process.env['INVIGIL_PROPERTY_RUNS'] ?? 100);
const GRACE_MS = 10_000;
const DURATION_MINUTES = 2;

/** Options as hostile as people and spreadsheets make them (I19). */
const NASTY = [
  'A',
  'B',
  'a, b',
  '"quoted"',
  "it's",
  '[1, 2]',
  '["x"]',
  '=1+1',
  '@sum',
  '-1',
  '1',
  '01',
  'é',
  'e\u0301',
  '日本語',
  'שלום, עולם',
  '👩‍💻',
  'a  b',
  'a\nb',
  '<b>x</b>',
  "'=1",
  'null',
  '\\',
  '%',
  'None of these',
];

type Step =
  | { kind: 'start'; times: number }
  | { kind: 'save'; rows: SaveRow[] }
  | { kind: 'replay' }
  | { kind: 'submit'; rows: SubmitRow[] }
  | { kind: 'wait'; ms: number }
  | { kind: 'tick' }
  | { kind: 'restart' }
  | { kind: 'takeover' }
  | { kind: 'edit'; duration: number };

/** `step`: what is added to the stored revision, so that stale, equal and newer ones all come up. */
interface SaveRow {
  question: number;
  option: number | null;
  flag: boolean;
  step: number;
}
interface SubmitRow extends Omit<SaveRow, 'step'> {
  step: number | null;
}

const saveRow = fc.record({
  question: fc.nat(5),
  option: fc.option(fc.nat(3)),
  flag: fc.boolean(),
  step: fc.constantFrom(-1, 0, 1, 1, 1, 2),
});
const rows = <T>(row: fc.Arbitrary<T & { question: number }>) =>
  fc.uniqueArray(row, { selector: (r) => r.question, minLength: 0, maxLength: 4 });

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('start' as const),
      times: fc.integer({ min: 1, max: 3 }),
    }),
  },
  {
    weight: 10,
    arbitrary: fc.record({
      kind: fc.constant('save' as const),
      rows: rows(saveRow).filter((r) => r.length > 0),
    }),
  },
  { weight: 3, arbitrary: fc.constant({ kind: 'replay' as const }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('submit' as const),
      rows: rows(saveRow.chain((r) => fc.constantFrom<SubmitRow>(r, { ...r, step: null }))),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('wait' as const),
      ms: fc.constantFrom(1_000, 20_000, 70_000),
    }),
  },
  { weight: 2, arbitrary: fc.constant({ kind: 'tick' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'restart' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'takeover' as const }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('edit' as const),
      duration: fc.integer({ min: 1, max: 180 }),
    }),
  },
);

interface Stored {
  option: string;
  flag: boolean;
  revision: number;
}

/** What the model knows of an attempt. */
interface Model {
  id: string;
  startedAt: number;
  deadlineAt: number;
  paper: { id: string; question: string; options: string[] }[];
  answers: Map<string, Stored>;
  ended: null | { type: 'manual' | 'auto'; submittedAt: number };
  firstSubmit: string | null;
  remaining: number;
  lastSave: { body: unknown; rows: [string, Stored][] } | null;
}

describe('the attempt against its model', () => {
  let app: TestApp;
  let admin: string;
  let person = 0;

  beforeAll(async () => {
    app = await startTestApp();
    admin = await signInAdmin(app);
  });
  afterAll(() => app.stop());

  it('keeps I1-I12 and I17-I20 after every step', { timeout: 300_000 }, async () => {
    const optionSets = fc.array(fc.shuffledSubarray(NASTY, { minLength: 2, maxLength: 4 }), {
      minLength: 4,
      maxLength: 7,
    });
    await fc.assert(
      fc.asyncProperty(optionSets, fc.array(step, { minLength: 5, maxLength: 30 }), run),
      { numRuns: RUNS, interruptAfterTimeLimit: 240_000, markInterruptAsFailure: true },
    );
  });

  async function run(optionSets: string[][], steps: Step[]): Promise<void> {
    // An admin session idles out while the clock moves; each run signs in anew where it must.
    person += 1;
    admin = await signInAdmin(app, `admin-${person}@example.org`);
    const questions = optionSets.map((options, i) => ({
      question: `Question ${i}`,
      options,
      correctAnswer: options[i % options.length] ?? '',
    }));
    const quiz = await makeQuiz(app, admin, {
      questions,
      duration: DURATION_MINUTES,
      totalQuestions: 5,
    });
    const keyOf = new Map(quiz.questions.map((q) => [q.id, q.correctAnswer]));
    let candidate = await inviteCandidate(app, admin, quiz.id, `candidate-${person}@example.org`);
    let model: Model | undefined;

    const now = () => app.clock.now().getTime();
    const isOpen = () =>
      model !== undefined && model.ended === null && now() <= model.deadlineAt + GRACE_MS;

    for (const s of [
      { kind: 'start', times: 1 } as Step,
      ...steps,
      { kind: 'wait', ms: 200_000 } as Step,
      { kind: 'tick' } as Step,
    ]) {
      switch (s.kind) {
        case 'start': {
          const replies = await Promise.all(
            Array.from({ length: s.times }, () =>
              app.call('startParticipant', { as: candidate.cookie, body: { quizId: quiz.id } }),
            ),
          );
          if (!model) model = await firstStart(replies);
          else if (model.ended || !isOpen()) {
            endIfDue(model);
            for (const reply of replies) expect(reply.body.code).toBe('ALREADY_COMPLETED');
          } else {
            for (const reply of replies) {
              expect(reply.status).toBe(200);
              expect(reply.body.id).toBe(model.id);
              seen(model, reply.body.remainingMs);
            }
          }
          break;
        }
        case 'save':
          if (model) await save(model, s.rows);
          break;
        case 'replay': {
          if (!model?.lastSave || !isOpen()) break;
          const reply = await saveCall(model, model.lastSave.body);
          // A repeated delivery is acknowledged or refused as a conflict, and never goes back (I7, I8).
          const conflicts = model.lastSave.rows.some(([q, row]) => {
            const stored = model?.answers.get(q);
            return stored?.revision === row.revision && !same(stored, row);
          });
          expect(reply.status).toBe(conflicts ? 409 : 200);
          break;
        }
        case 'submit':
          if (model) await submit(model, s.rows);
          break;
        case 'wait':
          app.clock.advance({ ms: s.ms });
          break;
        case 'tick':
          await closeDueParticipants(app.context);
          if (model) endIfDue(model);
          break;
        case 'restart':
          await app.rebuild();
          break;
        case 'takeover': {
          if (!model || model.ended || !isOpen()) break;
          const older = candidate.cookie;
          candidate = await signInCandidate(app, candidate.email, candidate.code);
          const [first] = model.paper;
          const reply = await app.call('saveAnswers', {
            as: older,
            params: { id: model.id },
            body: {
              answers: [
                { questionId: first?.id, selectedOption: '', isFlagged: true, revision: 1_000_000 },
              ],
            },
          });
          expect(reply).toMatchObject({ status: 401, body: { code: 'SESSION_REPLACED' } });
          break;
        }
        case 'edit':
          await editQuiz(quiz.id, s.duration);
          break;
      }
      if (model) await holds(model);
    }

    async function firstStart(replies: Reply[]): Promise<Model> {
      // However many starts at once: one attempt (I1).
      expect(replies.map((r) => r.status).sort()).toEqual([
        ...replies.slice(1).map(() => 200),
        201,
      ]);
      expect(
        new Set(replies.map((r) => `${r.body.id} ${r.body.startedAt} ${r.body.deadlineAt}`)).size,
      ).toBe(1);
      const body = replies[0]?.body;
      const paper = await readPaper();
      // All questions, or as many as the quiz asks for (I18).
      expect(paper).toHaveLength(Math.min(5, questions.length));
      for (const q of paper) {
        const source = quiz.questions.find((other) => other.id === q.id);
        expect([...q.options].sort()).toEqual([...(source?.options ?? [])].sort());
      }
      return {
        id: body.id,
        startedAt: Date.parse(body.startedAt),
        deadlineAt: Date.parse(body.startedAt) + DURATION_MINUTES * 60_000,
        paper,
        answers: new Map(),
        ended: null,
        firstSubmit: null,
        remaining: Number.POSITIVE_INFINITY,
        lastSave: null,
      };
    }

    async function readPaper() {
      const reply = await app.call('listQuestions', {
        as: candidate.cookie,
        params: { id: quiz.id },
        query: { forAssessment: 'true' },
      });
      expect(reply.status).toBe(200);
      return reply.body.map((q: Model['paper'][number]) => ({
        id: q.id,
        question: q.question,
        options: q.options,
      }));
    }

    function saveCall(m: Model, body: unknown) {
      return app.call('saveAnswers', { as: candidate.cookie, params: { id: m.id }, body });
    }

    /** A row of a step as what is sent and as what it would store. */
    function rowOf(m: Model, r: SubmitRow): [string, Stored & { hasRevision: boolean }] {
      const q = m.paper[r.question % m.paper.length];
      if (!q) throw new Error('an empty paper');
      const stored = m.answers.get(q.id);
      return [
        q.id,
        {
          option: r.option === null ? '' : (q.options[r.option % q.options.length] ?? ''),
          flag: r.flag,
          revision: Math.max(1, (stored?.revision ?? 0) + (r.step ?? 0)),
          hasRevision: r.step !== null,
        },
      ];
    }

    function distinct(m: Model, list: SubmitRow[]) {
      return [...new Map(list.map((r) => rowOf(m, r)))];
    }

    async function save(m: Model, list: SaveRow[]): Promise<void> {
      const changes = distinct(m, list);
      const body = {
        answers: changes.map(([questionId, c]) => ({
          questionId,
          selectedOption: c.option,
          isFlagged: c.flag,
          revision: c.revision,
        })),
      };
      const reply = await saveCall(m, body);
      if (!isOpen()) {
        expect(reply).toMatchObject({ status: 403, body: { code: 'ATTEMPT_CLOSED' } });
        return;
      }
      const conflicts = changes.filter(([q, c]) => {
        const stored = m.answers.get(q);
        return stored?.revision === c.revision && !same(stored, c);
      });
      if (conflicts.length > 0) {
        // All or nothing, with the rows named.
        expect(reply.status).toBe(409);
        expect(reply.body.issues).toHaveLength(conflicts.length);
        return;
      }
      expect(reply.status).toBe(200);
      seen(m, reply.body.remainingMs);
      for (const [q, c] of changes) {
        if (c.revision > (m.answers.get(q)?.revision ?? 0)) m.answers.set(q, c);
      }
      m.lastSave = { body, rows: changes };
    }

    async function submit(m: Model, list: SubmitRow[]): Promise<void> {
      const changes = distinct(m, list);
      const reply = await app.call('submitParticipant', {
        as: candidate.cookie,
        params: { id: m.id },
        body: {
          answers: changes.map(([questionId, c]) => ({
            participantId: m.id,
            questionId,
            selectedOption: c.option,
            isFlagged: c.flag,
            ...(c.hasRevision ? { revision: c.revision } : {}),
          })),
          // What a browser claims is not believed (I11).
          participant: { status: 'completed', score: 999, timeSpent: 1 },
        },
      });
      const wasOpen = isOpen();
      if (wasOpen) {
        const conflicts = changes.some(([q, c]) => {
          const stored = m.answers.get(q);
          return c.hasRevision && stored?.revision === c.revision && !same(stored, c);
        });
        if (conflicts) {
          expect(reply.status).toBe(409);
          return;
        }
        for (const [q, c] of changes) {
          const stored = m.answers.get(q);
          if (c.hasRevision ? c.revision > (stored?.revision ?? 0) : !stored) {
            if (c.hasRevision || c.option !== '' || c.flag)
              m.answers.set(q, { ...c, revision: c.hasRevision ? c.revision : 1 });
          }
        }
        m.ended = { type: 'manual', submittedAt: now() };
      } else endIfDue(m);
      expect(reply.status).toBe(200);
      expect(reply.text).not.toMatch(/score|isCorrect|correctAnswer|totalMarks/);
      // Again and again the identical answer (I10).
      m.firstSubmit ??= reply.text;
      expect(reply.text).toBe(m.firstSubmit);
    }

    function endIfDue(m: Model): void {
      if (!m.ended && now() > m.deadlineAt + GRACE_MS)
        m.ended = { type: 'auto', submittedAt: m.deadlineAt };
    }

    /** Remaining time never grows and is never negative (I20). */
    function seen(m: Model, remainingMs: number): void {
      expect(remainingMs).toBe(Math.max(0, m.deadlineAt - now()));
      expect(remainingMs).toBeLessThanOrEqual(m.remaining);
      m.remaining = remainingMs;
    }

    async function holds(m: Model): Promise<void> {
      const { rows: attempts } = await app.pool.query(
        'select * from participants where quiz_id = $1 and replaced_at is null',
        [quiz.id],
      );
      expect(attempts).toHaveLength(1);
      const row = attempts[0];
      expect(row.id).toBe(m.id);
      expect(row.started_at.getTime()).toBe(m.startedAt);
      expect(row.deadline_at.getTime()).toBe(m.deadlineAt);
      const { rows: stored } = await app.pool.query(
        'select * from answers where participant_id = $1',
        [m.id],
      );
      expect(new Map(stored.map((a) => [a.question_id, a.revision]))).toEqual(
        new Map([...m.answers].map(([q, a]) => [q, a.revision])),
      );
      const { rows: ends } = await app.pool.query(
        "select 1 from participant_events where participant_id = $1 and kind = 'ended'",
        [m.id],
      );
      if (!m.ended) {
        expect(row.status).toBe('in_progress');
        expect(ends).toHaveLength(0);
        if (isOpen()) await readBack(m);
        return;
      }
      // One end, one score equal to a recomputation (I4, I11), times as they must be (I12).
      expect(ends).toHaveLength(1);
      expect(row).toMatchObject({ status: 'completed', submission_type: m.ended.type });
      expect(row.submitted_at.getTime()).toBe(m.ended.submittedAt);
      const score = m.paper.filter((q) => m.answers.get(q.id)?.option === keyOf.get(q.id)).length;
      expect(row.score).toBe(score);
      expect(row.total_marks).toBe(m.paper.length);
      expect(row.submitted_at.getTime() - m.startedAt).toBeLessThanOrEqual(
        m.deadlineAt + GRACE_MS - m.startedAt,
      );
    }

    /** What a candidate reads is what the model has: the same paper, every acknowledged value (I6). */
    async function readBack(m: Model): Promise<void> {
      expect(await readPaper()).toEqual(m.paper);
      const reply = await app.call('listAnswers', { as: candidate.cookie, params: { id: m.id } });
      const read = reply.body.map(
        (a: {
          questionId: string;
          selectedOption: string;
          isFlagged: boolean;
          revision: number;
        }) => [a.questionId, { option: a.selectedOption, flag: a.isFlagged, revision: a.revision }],
      );
      const expected = [...m.answers].map(([q, a]) => [
        q,
        { option: a.option, flag: a.flag, revision: a.revision },
      ]);
      expect(new Map(read)).toEqual(new Map(expected as never));
    }

    /** A later edit of the quiz touches no running attempt (I2, I18). */
    async function editQuiz(id: string, duration: number): Promise<void> {
      person += 1;
      const as = await signInAdmin(app, `editor-${person}@example.org`);
      const listed = (await app.call('listQuizzes', { as })).body.find(
        (q: { id: string }) => q.id === id,
      );
      const edited = await app.call('updateQuiz', {
        as,
        params: { id },
        body: { ...listed, duration, version: undefined },
      });
      expect(edited.status).toBe(200);
      const [first] = (await app.call('listQuestions', { as, params: { id } })).body;
      const options = ['changed one', 'changed two'];
      const changed = await app.call('updateQuestion', {
        as,
        params: { id, questionId: first.id },
        body: { question: 'Changed', options, correctAnswer: options[0] },
      });
      expect(changed.status).toBe(200);
    }
  }
});

function same(a: Stored, b: Stored): boolean {
  return a.option === b.option && a.flag === b.flag;
}
