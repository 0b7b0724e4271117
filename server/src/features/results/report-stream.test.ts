import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { startTestDatabase, type TestDatabase } from '@invigil/testkit/app';
import {
  type StoredQuiz,
  type StoredRunning,
  storeQuiz,
  storeRunning,
} from '@invigil/testkit/stored';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Database, openDatabase } from '../../db/database.ts';
import { newId } from '../../db/new-id.ts';
import { inPortions, tableStream } from '../../http/table-stream.ts';
import { openParticipantsReport, openQuestionColumns, reportName } from './participants-report.ts';

/** With its byte order mark, which a text decoder would drop. */
const textOf = async (stream: Readable) => (await buffer(stream)).toString('utf8');

const NOW = new Date('2026-05-14T08:10:00.000Z');

describe('a CSV stream', () => {
  it('has a byte order mark, CRLF line breaks, and quotes where they are needed', async () => {
    async function* portions() {
      yield [['a', 1]];
      yield [
        ['b, "c"', ''],
        ['d\ne', -2],
      ];
    }
    const table = { name: 'Table', head: ['Head', 'Number'], portions: portions() };
    expect(await textOf(tableStream(() => table, { format: 'csv', timeZone: 'UTC' }))).toBe(
      '\uFEFFHead,Number\r\na,1\r\n"b, ""c""",\r\n"d\ne",-2\r\n',
    );
  });

  it.each([
    ['nothing', 0, [], [undefined]],
    ['fewer than one batch', 2, [[0, 1]], [undefined]],
    ['exactly one batch', 3, [[0, 1, 2]], [undefined, 2]],
    ['more than one batch', 7, [[0, 1, 2], [3, 4, 5], [6]], [undefined, 2, 5]],
  ])(
    'is read in batches, each after the last row of the one before: %s',
    async (_, rows, portions, asked) => {
      const all = Array.from({ length: rows }, (_, i) => i);
      const next = vi.fn(async (after: number | undefined) => {
        const from = after === undefined ? 0 : after + 1;
        return all.slice(from, from + 3);
      });
      const read: number[][] = [];
      for await (const portion of inPortions(3, next)) read.push(portion);
      expect(read).toEqual(portions);
      expect(next.mock.calls.map(([after]) => after)).toEqual(asked);
    },
  );
});

describe('the report as a stream', () => {
  let database: TestDatabase;
  let db: Database;
  let quiz: StoredQuiz;
  let running: StoredRunning;

  beforeAll(async () => {
    database = await startTestDatabase();
    db = openDatabase(database.pool);
  });
  afterAll(() => database.stop());
  beforeEach(async () => {
    quiz = await storeQuiz(database.pool);
    running = await storeRunning(database.pool, quiz);
  });

  const query = async (text: string, ...values: unknown[]) =>
    (await database.pool.query(text, values)).rows;
  const answer = (question: number, optionId: number | null, one = running) =>
    query(
      `insert into answers (participant_id, question_id, id, option_id, is_flagged, revision,
         created_at, saved_at) values ($1, $2, $3, $4, false, 1, $5, $5)`,
      one.participantId,
      quiz.questionIds[question],
      newId(),
      optionId,
      NOW,
    );
  const read = async (quizId: string | undefined, withQuestions = false): Promise<string[][]> =>
    parse(
      await textOf(
        await openParticipantsReport({ db }, { quizId, sees: 'all' }, withQuestions, NOW),
      ),
      {
        bom: true,
        record_delimiter: '\r\n',
      },
    );

  it('refuses an unknown assessment, and question columns for all assessments', async () => {
    await expect(
      openParticipantsReport({ db }, { quizId: newId(), sees: 'all' }, false, NOW),
    ).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    const message = 'Select one assessment to get a column per question';
    await expect(openParticipantsReport({ db }, { sees: 'all' }, true, NOW)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message,
      issues: [{ path: 'questions', message }],
    });
  });

  it('leaves cells that a running attempt does not have yet blank', async () => {
    const [head, row, ...more] = await read(quiz.quizId);
    expect(head?.join()).toBe(
      'Participant,Participant Id,Assessment,Status,Score,Total Marks,Violations,Time Spent (s),Started At,Submitted At,Submission Type',
    );
    expect(row).toEqual([
      expect.stringMatching(/^running\d+@example\.org$/),
      running.participantId,
      'Q',
      'in_progress',
      '',
      '3',
      '2',
      '',
      '2026-05-14T08:00:00.000Z',
      '',
      '',
    ]);
    expect(more).toEqual([]);
  });

  it('shows how an attempt ended, and guards cells that a spreadsheet would execute', async () => {
    await query(
      `update participants set status = 'completed', submission_type = 'manual',
         submitted_at = $2, score = 0, answered_count = 0, receipt_id = 'A-B' where id = $1`,
      running.participantId,
      new Date('2026-05-14T08:05:00.500Z'),
    );
    await query(`update quizzes set title = '=1+1' where id = $1`, quiz.quizId);
    await query('update users set email = null where id = $1', running.userId);
    const [, row] = await read(quiz.quizId);
    expect([row?.[0], ...(row?.slice(2) ?? [])]).toEqual([
      'Unknown',
      "'=1+1",
      'completed',
      '0',
      '3',
      '2',
      '300',
      '2026-05-14T08:00:00.000Z',
      '2026-05-14T08:05:00.500Z',
      'manual',
    ]);
    await query(`update users set email = '@x' where id = $1`, running.userId);
    expect((await read(quiz.quizId))[1]?.[0]).toBe("'@x");
  });

  it('has only the rows of one assessment, or the rows of all', async () => {
    const other = await storeQuiz(database.pool);
    const theirs = await storeRunning(database.pool, other);
    const idsOf = async (quizId: string | undefined) =>
      (await read(quizId)).slice(1).map(([, id]) => id);
    expect(await idsOf(quiz.quizId)).toEqual([running.participantId]);
    expect(await idsOf(undefined)).toEqual(
      expect.arrayContaining([running.participantId, theirs.participantId]),
    );
  });

  it('has a column per question with the text that was on the paper', async () => {
    await query(
      `update question_versions set question = '@ever' where question_id = $1`,
      quiz.questionIds[0],
    );
    await query(
      `update question_versions set option_texts = '{=1,b,c,d}' where question_id = $1`,
      quiz.questionIds[2],
    );
    const unanswered = await storeRunning(database.pool, quiz);
    await answer(0, 2);
    await answer(1, null);
    await answer(2, 1);
    const [head, ...rows] = await read(quiz.quizId, true);
    expect(head).toHaveLength(14);
    expect(head?.slice(11)).toEqual(['Q1: @ever', 'Q2: Q', 'Q3: Q']);
    const cellsOf = ({ participantId }: StoredRunning) =>
      rows.find(([, id]) => id === participantId)?.slice(11);
    expect(cellsOf(running)).toEqual(['b', '', "'=1"]);
    expect(cellsOf(unanswered)).toEqual(['', '', '']);
  });

  it('keeps the texts of versions apart, and reads each once', async () => {
    const [first] = quiz.questionIds;
    await query(
      `insert into question_versions
         (question_id, version, question, option_ids, option_texts, correct_option_id, created_at)
       values ($1, 2, 'New', '{1,2}', '{new a,new b}', 1, $2)`,
      first,
      NOW,
    );
    const late = await storeRunning(database.pool, quiz);
    await query(
      'update paper_questions set question_version = 2 where participant_id = $1 and question_id = $2',
      late.participantId,
      first,
    );
    await answer(0, 2);
    await answer(0, 2, late);
    const columns = await openQuestionColumns(db, quiz.quizId, false);
    const ids = [running.participantId, late.participantId];
    const cells = [
      [running.participantId, ['b', '', '']],
      [late.participantId, ['new b', '', '']],
    ];
    expect([...(await columns.cellsOf(ids))]).toEqual(cells);
    // Only the answers are read again: the texts are cached.
    await query(`update question_versions set option_texts = '{x,y}' where version = 2`);
    expect([...(await columns.cellsOf(ids))]).toEqual(cells);
  });

  it('has no column for a question that was deleted since then', async () => {
    await answer(0, 2);
    await answer(1, 1);
    await query('update questions set deleted_at = $2 where id = $1', quiz.questionIds[0], NOW);
    const [head, row] = await read(quiz.quizId, true);
    expect(head?.slice(11)).toEqual(['Q1: Q', 'Q2: Q']);
    expect(row?.slice(11)).toEqual(['a', '']);
  });

  it.each([
    [false, 501],
    [true, 51],
  ])('has more rows than fit into one batch: with questions %s', async (withQuestions, n) => {
    await query(
      `with u as (
         insert into users (id, email, created_at)
         select gen_random_uuid(), gen_random_uuid() || '@example.org', $2
         from generate_series(1, $3::int) returning id
       ), i as (
         insert into invitations (id, user_id, quiz_id, extra_time_factor, camera_enabled,
           microphone_enabled, created_at, last_invited_at)
         select gen_random_uuid(), id, $1, 1, true, true, $2, $2 from u returning id, user_id
       )
       insert into participants (id, invitation_id, user_id, quiz_id, attempt, status,
         policy_version, total_marks, started_at, deadline_at, close_at, close_reason,
         last_seen_at, counted_violations, violation_calls, fullscreen_exits, tab_switches,
         camera_enabled, microphone_enabled, face_covered)
       select gen_random_uuid(), id, user_id, $1, 1, 'in_progress', 1, 3, $2, $2, $2, 'auto', $2,
         0, 0, 0, 0, true, true, false from i`,
      quiz.quizId,
      NOW,
      n,
    );
    const rows = (await read(quiz.quizId, withQuestions)).slice(1);
    expect(rows).toHaveLength(n + 1);
    expect(new Set(rows.map(([, id]) => id)).size).toBe(n + 1);
  });
});

describe('the file name of a report', () => {
  it.each([
    [undefined, '2026-05-14T22:00:05Z', 'Europe/Berlin', 'all_20260515-000005'],
    ['x', '2026-01-01T04:59:59Z', 'America/New_York', 'quiz_20251231-235959'],
    ['x', '2026-03-04T05:06:07Z', 'UTC', 'quiz_20260304-050607'],
  ])(
    'has the scope and the time in the time zone of the service: %s at %s',
    (of, now, zone, name) => {
      expect(reportName(of, new Date(now), zone)).toBe(`participants_report_${name}`);
    },
  );
});
