import type { QuestionDetails } from '@invigil/core/domain/questions/question-definition';
import { uploadEvidence } from '@invigil/testkit/evidence';
import {
  type BegunAttempt,
  beginAttempt,
  setUpApp,
  setUpTotp,
  signInAdmin,
} from '@invigil/testkit/factories';
import { inForm } from '@invigil/testkit/test-form';
import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { insideOf } from '../db/database.ts';
import { insertQuestionVersion } from '../db/queries/questions.ts';
import { inTransaction } from '../db/transaction.ts';
import { sealAudit } from './seal-audit.ts';
import { sealedVersion } from './sealed-kinds.ts';
import {
  verifyCredentials,
  verifyEvidence,
  verifyLog,
  verifyQuestions,
  verifyResults,
} from './verify.ts';

/** `npm run attacks` plays a thousand. */
const RUNS = inForm({ short: 25, long: 1_000 });
const SEED = Number(process.env.INVIGIL_FUZZ_SEED ?? 20_261_122);

const app = setUpApp();
const attempts: BegunAttempt[] = [];

beforeAll(async () => {
  const admin = await signInAdmin(app);
  const second = await signInAdmin(app, 'second@example.org');
  await setUpTotp(app, second);
  await app.call('putSignInPolicy', { as: second, body: { totpRequired: false } });
  for (let i = 0; i < 3; i += 1) {
    const attempt = await beginAttempt(app, admin);
    attempts.push(attempt);
    for (let q = 0; q < 3; q += 1) await attempt.save(q, (q + i) % 4, 1, q === 0);
    await uploadEvidence(app, attempt);
    await attempt.submit();
    await app.call('giveVerdict', {
      as: admin,
      params: { id: attempt.id },
      body: { verdict: 'talk', note: 'Ask about it' },
    });
  }
  // One in progress: its session and its answers are not part of any result.
  await beginAttempt(app, admin);
  await sealAudit(app.context);
});

/** Every finding of every area, for the database within a transaction or without. */
async function findings(db = app.context.db): Promise<string[]> {
  const ctx = { ...app.context, db };
  const areas = [
    await verifyLog(ctx),
    await verifyCredentials(ctx),
    await verifyQuestions(ctx),
    await verifyResults(ctx),
    await verifyEvidence(ctx),
  ];
  return areas.flatMap((area) => area.findings);
}

const bit = (column: string, n: number) =>
  `${column} = set_byte(${column}, ${n}, get_byte(${column}, ${n}) # 1)`;
const ended = "status <> 'in_progress'";

/** One row of a table, by its position in the order of an unchanged column. */
const one = (table: string, where: string, n: number) =>
  `(select id from ${table} where ${where} order by id limit 1 offset ${n})`;

const adminSession = 'admin_id is not null and ended_at is null';
const ofEnded = `participant_id in (select id from participants where ${ended})`;
const paper = (n: number) => `(participant_id, question_id) = (select participant_id, question_id
  from paper_questions where ${ofEnded} order by 1, 2 limit 1 offset ${n % 15})`;

/** Changes of single columns: the table, the row that a number selects, and what is set. */
const UPDATES: [table: string, row: (n: number) => string, ...sets: string[]][] = [
  [
    'admins',
    (n) => `id = ${one('admins', 'true', n % 2)}`,
    "email = 'x' || email",
    "grants = '[]'",
    "password_hash = password_hash || 'x'",
    "password_hash = (select password_hash || '' from admins b where b.id <> admins.id limit 1) || '='",
    "created_at = created_at - interval '1 ms'",
    'seal = null',
    bit('seal', 5),
    'seal = (select seal from admins b where b.id <> admins.id limit 1)',
  ],
  [
    'admin_totp',
    () => 'true',
    bit('sealed_secret', 20),
    "confirmed_at = confirmed_at + interval '1 ms'",
    'confirmed_at = null',
    "created_at = created_at - interval '1 ms'",
    'admin_id = (select id from admins a where a.id <> admin_totp.admin_id limit 1)',
  ],
  [
    'sign_in_policy',
    () => 'true',
    'totp_required = not totp_required',
    "updated_at = updated_at + interval '1 ms'",
    'seal = null',
    bit('seal', 0),
  ],
  [
    'sessions',
    (n) => `id = ${one('sessions', adminSession, n % 2)}`,
    'admin_id = (select id from admins a where a.id <> sessions.admin_id limit 1)',
    bit('token_hash', 3),
    "expires_at = expires_at + interval '1 hour'",
    "created_at = created_at - interval '1 ms'",
    'seal = null',
    bit('seal', 31),
  ],
  [
    'sessions',
    (n) => `id = ${one('sessions', 'admin_id is null and ended_at is null', n % 4)}`,
    'admin_id = (select id from admins limit 1), invitation_id = null',
  ],
  [
    'participants',
    (n) => `id = ${one('participants', ended, n % 3)}`,
    'score = (score + 1) % (total_marks + 1)',
    'total_marks = total_marks + 1',
    "started_at = started_at - interval '1 ms'",
    "submitted_at = submitted_at + interval '1 ms'",
    "deadline_at = deadline_at + interval '1 s'",
    "submission_type = 'auto'",
    "status = 'dismissed', submission_type = 'dismissed'",
    'answered_count = answered_count - 1',
    "receipt_id = 'AAAAA-BBBBB'",
    'attempt = attempt + 1',
    "verdict = 'no_concern'",
    'verdict = null, verdict_at = null',
    "verdict_note = ''",
    "verdict_at = verdict_at + interval '1 ms'",
    'verdict_by = (select id from admins a where a.id <> verdict_by limit 1)',
    "replaced_at = submitted_at, replaced_how = 'another'",
    'result_seal = null',
    bit('result_seal', 9),
    `result_seal = (select result_seal from participants b where b.id <> participants.id
      and b.result_seal is not null limit 1)`,
    `negative_marks = '{"percent": 100, "floor": "none"}'`,
    `status = 'in_progress', submission_type = null, submitted_at = null, score = null,
      answered_count = null, receipt_id = null, verdict = null, verdict_at = null`,
  ],
  [
    'answers',
    (n) => `id = ${one('answers', ofEnded, n % 9)}`,
    'option_id = option_id % 4 + 1',
    'option_id = null',
    'is_flagged = not is_flagged',
    'revision = revision + 1',
  ],
  [
    'paper_questions',
    paper,
    'option_order = option_order[2:4] || option_order[1:1]',
    'position = position + 100',
  ],
  [
    'question_versions',
    (n) => `question_id = (select question_id from paper_questions
      where ${ofEnded} order by 1 limit 1 offset ${n % 15})`,
    'correct_option_id = option_ids[case when correct_option_id = option_ids[1] then 2 else 1 end]',
  ],
  [
    'question_versions',
    (n) => `question_id = ${one('questions', 'true', n % 15)}`,
    "question = question || '.'",
    'option_texts = option_texts[2:4] || option_texts[1:1]',
    `details = '{"rule": "all_or_nothing"}'`,
    'seal = null',
    bit('seal', 4),
    'seal = (select seal from question_versions b where b.question_id <> question_versions.question_id limit 1)',
  ],
  [
    'audit_entries',
    (n) => `number = 1 + ${n} % (select number from audit_head)`,
    "action = action || '.'",
    "at = at + interval '1 ms'",
    'admin_id = gen_random_uuid()',
    'subject_id = gen_random_uuid()',
    `details = coalesce(details, '{}') || '{"tampered": 1}'`,
    'id = gen_random_uuid()',
    bit('hash', 7),
    'number = null, hash = null',
  ],
  ['audit_head', () => 'true', 'number = number - 1', bit('hash', 1), bit('seal', 1)],
  [
    'evidence',
    (n) => `id = ${one('evidence', 'true', n % 3)}`,
    'violation_id = null',
    "at = at + interval '1 ms'",
    "received_at = received_at - interval '1 ms'",
    "stored_at = stored_at + interval '1 ms'",
    'stored_at = null',
    'stills = stills + 1',
    'has_levels = not has_levels',
    'bytes = bytes + 1',
    'seal = null',
    bit('seal', 2),
    'id = gen_random_uuid()',
  ],
];

/** Statements that each make one single change; the number selects the row. */
const CHANGES: ((n: number) => string)[] = [
  ...UPDATES.flatMap(([table, row, ...sets]) =>
    sets.map((set) => (n: number) => `update ${table} set ${set} where ${row(n)}`),
  ),
  () => `insert into admins (id, email, password_hash, created_at, grants, seal)
    select gen_random_uuid(), 'mallory@example.org', password_hash, created_at,
    grants, seal from admins limit 1`,
  () => 'delete from admin_totp',
  () => `insert into admin_totp select (select id from admins a where a.id <> t.admin_id limit 1),
    sealed_secret, created_at, confirmed_at, last_step from admin_totp t`,
  () => 'delete from sign_in_policy',
  (n) => `delete from answers where id = ${one('answers', ofEnded, n % 9)}`,
  (n) => `insert into answers (participant_id, question_id, id, option_id, is_flagged, revision,
      created_at, saved_at) select p.participant_id, p.question_id, gen_random_uuid(), 1, false, 1,
      now(), now() from paper_questions p where ${ofEnded} and not exists (
        select from answers a where a.participant_id = p.participant_id and a.question_id = p.question_id)
    order by p.participant_id, p.position limit 1 offset ${n % 6}`,
  (n) => `delete from audit_entries where number = 1 + ${n} % (select number from audit_head)`,
  () => 'delete from audit_head',
  (n) => `delete from evidence where id = ${one('evidence', 'true', n % 3)}`,
];

class Undo extends Error {}

/** The problems detected after a change, which is then reverted; `null` when it changed no row. */
async function tryOut(statement: string): Promise<string[] | null> {
  let found: string[] | null = null;
  await inTransaction(app.context.db, async (tx) => {
    const { rowCount } = await tx.execute(sql.raw(statement));
    if (rowCount !== 0) found = await findings(insideOf(tx));
    throw new Undo();
  }).catch((error: unknown) => {
    if (!(error instanceof Undo)) throw error;
  });
  return found;
}

it('nothing is detected when nothing was changed', async () => {
  expect(await findings()).toEqual([]);
});

it('a question matches its seal whatever it contains', async () => {
  const text = fc.string({ unit: 'binary' }).map((one) => one.replaceAll('\0', ''));
  const details = fc.jsonValue().map((one) => ({ one }) as unknown as QuestionDetails);
  const questionId = attempts[0]?.quiz.questions[0]?.id ?? '';
  const { keys, clock } = app.context;
  const contents = fc.sample(
    fc.record({ question: text, optionTexts: fc.array(text, { maxLength: 4 }), details }),
    { numRuns: 60, seed: SEED },
  );
  await inTransaction(app.context.db, async (tx) => {
    for (const [i, content] of contents.entries()) {
      const optionIds = content.optionTexts.map((_, n) => n + 1);
      const key = { correctOptionId: null, correction: null };
      const rest = { questionId, version: i + 2, ...key, createdAt: clock.now() };
      const row = { ...rest, ...content, optionIds };
      await insertQuestionVersion(tx, sealedVersion(keys.integrity, row));
    }
    expect((await verifyQuestions({ ...app.context, db: insideOf(tx) })).findings).toEqual([]);
    throw new Undo();
  }).catch((error: unknown) => {
    if (!(error instanceof Undo)) throw error;
  });
});

it('any single change by an attacker with access to the database is detected', async () => {
  // Each kind in turn, on a random row.
  const rows = fc.sample(fc.nat({ max: 10_000 }), { numRuns: RUNS, seed: SEED });
  for (const [i, n] of rows.entries()) {
    const statement = CHANGES[i % CHANGES.length]?.(n) ?? '';
    const found = await tryOut(statement);
    expect([statement, found]).toEqual([statement, expect.arrayContaining([expect.any(String)])]);
  }
  expect(await findings()).toEqual([]);
});
