import { MAIL_LIMITS } from '@invigil/core/domain/limits';
import { definitionOf } from '@invigil/core/domain/questions/question-versions';
import type { QuizStructure } from '@invigil/core/domain/questions/quiz-structure';
import { GRADE_SCALES } from '@invigil/core/domain/results/outcome';
import { RELEASED_PARTS } from '@invigil/core/domain/results/release';
import { BALANCED_POLICY, REVIEW_POLICY } from '@invigil/core/domain/violations/violation-policy';
import type { Tx } from '../db/database.ts';
import { insertAudit } from '../db/queries/audit.ts';
import { claimDueMessages, settleMessage } from '../db/queries/outbox.ts';
import { lockQuestions } from '../db/queries/question-bank.ts';
import { listQuestions } from '../db/queries/questions.ts';
import { findQuiz } from '../db/queries/quizzes.ts';
import { editQuiz, makeQuiz } from '../features/assessments/change-quiz.ts';
import { changePractice } from '../features/assessments/practice-setting.ts';
import { addQuestions, editQuestion } from '../features/assessments/questions/change-questions.ts';
import { openDraw } from '../features/assessments/questions/open-draw.ts';
import { parseQuestionFile } from '../features/assessments/questions/parse-csv.ts';
import { changeSchedule } from '../features/assessments/schedule.ts';
import { storeImage } from '../features/assessments/store-image.ts';
import { changeStructure } from '../features/assessments/structure.ts';
import { inviteToQuiz } from '../features/invitations/invite/invite-to-quiz.ts';
import { issueCertificate } from '../features/results/certificates.ts';
import { changeReleaseRules, releaseNow } from '../features/results/releases.ts';
import { rescoreQuestion } from '../features/results/rescore-question.ts';
import { changeRules } from '../features/results/results.ts';
import { type Cast, playPerson, type Stage, type Typed } from './play-person.ts';
import { listInvitationsByEmail } from './queries.ts';
import { readBank, type StoryQuiz, type StoryRow, storyFile } from './story.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Minutes after midnight. */
const MADE = 10 * 60 + 5;
const IMPORTED = 10 * 60 + 31;
const SIGNED_IN = 8 * 60 + 22;
const INVITED = 8 * 60 + 30;
const CLOSED = 17 * 60 + 50;

const CLAIM_MS = 120_000;
/** The response of a mail server for an unknown mailbox (RFC 5321, RFC 3463). */
const REFUSAL = {
  code: 'no_mailbox',
  said: '550 5.1.1 The mailbox of this recipient does not exist',
} as const;
const NO_ANSWER = { code: 'connection_failed' } as const;

/** Plays one assessment from its creation until now. Returns the number of attempts. */
export async function playQuiz(
  stage: Stage,
  quiz: StoryQuiz,
  categoryId: string,
  rows: readonly StoryRow[],
): Promise<number> {
  const { ctx, tx, adminId, command, calendar } = stage;
  const daysAgo = 1 + Math.max(1, ...rows.map(({ invited }) => daysOf(invited)));
  const settings = {
    title: quiz.title,
    description: quiz.description,
    categoryId,
    duration: quiz.duration,
    totalQuestions: quiz.totalQuestions,
    opensAt: momentIn(calendar.now, quiz.opensInDays ?? null),
    endDate: momentIn(calendar.now, quiz.endsInDays),
    retakes: quiz.retakes,
  };
  const policy = quiz.policy === 'review' ? REVIEW_POLICY : BALANCED_POLICY;
  const madeAt = calendar.at({ daysAgo, minute: MADE });
  const { id } = await command((write) => makeQuiz(ctx, write, { ...settings, policy }), madeAt);
  const importedAt = calendar.at({ daysAgo, minute: IMPORTED });
  const typed = await fillQuestions(stage, quiz, id, categoryId, importedAt);

  await setTimesAndPractice(stage, quiz, id, importedAt);

  const unreachable = rows.filter(({ ending }) => ending === 'unreachable');
  const refused = new Set(unreachable.map(({ email }) => email));
  const groups = Map.groupBy(rows, ({ invited }) => JSON.stringify(invited));
  const invite = (group: readonly StoryRow[], at: Date) =>
    inviteToQuiz(
      ctx,
      (work) => command(work, at),
      id,
      [...new Set(group.map(({ email }) => email))],
      {},
    );
  for (const group of groups.values()) {
    const [{ invited } = { invited: { minutesAgo: 0 } }] = group;
    if ('minutesAgo' in invited) continue;
    const signedInAt = calendar.at({ ...invited, minute: SIGNED_IN });
    await insertAudit(tx, signedInAt, adminId, 'admin.signed_in');
    const at = calendar.at({ ...invited, minute: INVITED });
    await invite(group, at);
    await settleDue(tx, at, refused);
  }
  const cast = await castOf(tx, id, typed);
  for (const [i, row] of rows.entries()) {
    const earlier = rows.slice(0, i).filter(({ email }) => email === row.email);
    if ('daysAgo' in row.invited) await playPerson(stage, cast, row, earlier.length + 1, i);
  }
  for (const group of groups.values()) {
    const [first] = group;
    if (!first || 'daysAgo' in first.invited) continue;
    const at = calendar.at(first.invited);
    await invite(group, at);
    if (first.ending === 'uncertain') await settleDue(tx, at);
  }
  if (quiz.closedDaysAgo !== undefined) {
    const at = calendar.at({ daysAgo: quiz.closedDaysAgo, minute: CLOSED });
    const closed = { ...settings, isActive: false };
    await command((write) => editQuiz(ctx, write, id, closed), at);
    if (quiz.results) await showResults(stage, id, quiz.results, at);
  }
  return rows.filter(({ answers }) => answers !== undefined).length;
}

/** The rules for groups, and what is for practice. */
async function setTimesAndPractice(
  { ctx, command, calendar, quizIds }: Stage,
  { key, windows, isPractice = false, practice }: StoryQuiz,
  quizId: string,
  at: Date,
): Promise<void> {
  quizIds.set(key, quizId);
  if (windows !== undefined) {
    const rules = windows.map(({ group, ...of }) => ({ group, window: calendar.window(of) }));
    const set = { rules, dryRun: false };
    await command((write) => changeSchedule(ctx, write, quizId, set), at);
  }
  if (!isPractice && practice === undefined) return;
  const practiceQuizId = practice === undefined ? null : (quizIds.get(practice) ?? null);
  const set = { isPractice, practiceQuizId, dryRun: false };
  await command((write) => changePractice(ctx, write, quizId, set), at);
}

/** Results as an owner leaves them: released, and with a key for the statistics to find. */
async function showResults(
  { ctx, tx, command }: Stage,
  quizId: string,
  { passMark, movedKey }: NonNullable<StoryQuiz['results']>,
  closedAt: Date,
): Promise<void> {
  const at = (minutes: number) => new Date(closedAt.getTime() + minutes * MINUTE_MS);
  const grades = GRADE_SCALES.a_to_f.grades();
  const rules = { passMark: { percent: passMark }, sectionMarks: [], grades };
  await command((write) => changeRules(ctx, write, quizId, rules), at(5));
  const moved = (await listQuestions(tx, quizId))[movedKey];
  if (!moved) throw new Error('the question whose key is moved does not exist');
  const { row, version } = moved;
  const definition = definitionOf(version);
  const right = definition.options.findIndex(({ isCorrect }) => isCorrect);
  const wrong = (right + 1) % definition.options.length;
  const options = definition.options.map((option, i) => ({ ...option, isCorrect: i === wrong }));
  const change = { definition: { ...definition, options } };
  await command((write) => editQuestion(ctx, write, row.id, change), at(8));
  const how = { dryRun: false };
  await command((write) => rescoreQuestion(ctx, write, null, row.id, how), at(9));
  // These papers have no sections.
  const parts = RELEASED_PARTS.filter((part) => part !== 'sections');
  const release = { parts, when: { kind: 'by_hand' as const }, openDays: 30 };
  await command((write) => changeReleaseRules(ctx, write, quizId, release), at(12));
  const released = await command((write) => releaseNow(ctx, write, quizId), at(13));
  for (const id of released) await issueCertificate(ctx, id, at(13));
  await settleDue(tx, at(14), new Set());
}

function daysOf(invited: StoryRow['invited']): number {
  return 'daysAgo' in invited ? invited.daysAgo : 0;
}

async function castOf(tx: Tx, quizId: string, typed: Map<string, Typed>): Promise<Cast> {
  const quiz = await findQuiz(tx, quizId);
  const draw = quiz && (await openDraw(tx, quiz));
  if (!draw) throw new Error('an assessment has no questions');
  const questions =
    typed.size > 0 ? await lockQuestions(tx, [...typed.keys()]) : await listQuestions(tx, quizId);
  const byId = new Map(questions.map((question) => [question.version.questionId, question]));
  return { quiz, draw, typed, byId, invitations: await listInvitationsByEmail(tx, quizId) };
}

/** An image of a text by the name of its figure. */
const FIGURE = /(?<=\]\(image:)[a-z-]+/g;

/**
 * Imports a question file; or adds questions to the bank, each figure as if it was uploaded, and lets the
 * assessment draw from them. Returns what people type, by question of the bank.
 */
async function fillQuestions(
  { ctx, adminId, command }: Stage,
  { key }: StoryQuiz,
  quizId: string,
  categoryId: string,
  at: Date,
): Promise<Map<string, Typed>> {
  const typed = new Map<string, Typed>();
  if (key !== 'science-and-code') {
    const { added } = parseQuestionFile(storyFile(`${key}.csv`), { firstRow: 'header' });
    await command((write) => addQuestions(ctx, write, quizId, added), at);
    return typed;
  }
  const bank = readBank(key);
  const ids = new Map<string, string>();
  for (const { key: name, typed: answers, definition, note = '', ...labels } of bank.questions) {
    let { question } = definition;
    for (const [figure] of definition.question.matchAll(FIGURE)) {
      const sender = { caller: adminId, signal: new AbortController().signal };
      const { hash } = await storeImage(ctx, storyFile(`figures/${figure}.svg`), sender, at);
      question = question.replace(`(image:${figure}`, `(image:${hash}`);
    }
    const added = {
      definition: { ...definition, question },
      labels: { ...labels, categoryId, note },
    };
    const [view] = await command((write) => addQuestions(ctx, write, null, [added]), at);
    const id = view?.row.id ?? '';
    ids.set(name, id);
    typed.set(id, answers);
  }
  const sections = bank.structure.sections.map((section) => ({
    ...section,
    items: section.items.map((item) =>
      'questionId' in item ? { ...item, questionId: ids.get(item.questionId) ?? '' } : item,
    ),
  }));
  const structure: QuizStructure = { ...bank.structure, sections };
  const settings = { structure, negativeMarks: bank.negativeMarks };
  await command((write) => changeStructure(ctx, write, quizId, settings), at);
  return typed;
}

/**
 * Marks due messages as the mail job would: sent, or failed for those addresses. Without addresses:
 * uncertain, to be retried with the same code.
 */
async function settleDue(tx: Tx, at: Date, refused?: ReadonlySet<string>): Promise<void> {
  const due = await claimDueMessages(tx, 1_000, at, new Date(at.getTime() + CLAIM_MS));
  // The only stable order of messages of the same moment.
  due.sort((a, b) => (a.recipient < b.recipient ? -1 : 1));
  for (const [i, { id, recipient }] of due.entries()) {
    const ended = { nextAttemptAt: null, sealedCode: null };
    if (refused === undefined) {
      const nextAttemptAt = new Date(at.getTime() + MAIL_LIMITS.retryFirstMs);
      await settleMessage(tx, id, { state: 'uncertain', problem: NO_ANSWER, nextAttemptAt });
    } else if (refused.has(recipient)) {
      await settleMessage(tx, id, { state: 'failed', problem: REFUSAL, ...ended });
    } else {
      const sentAt = new Date(at.getTime() + 700 + 430 * i);
      await settleMessage(tx, id, { state: 'sent', problem: null, sentAt, ...ended });
    }
  }
}

/** So many days ahead, rounded up to half an hour. */
function momentIn(now: Date, inDays: number | null): string | null {
  if (inDays === null) return null;
  const at = new Date(now.getTime() + inDays * DAY_MS);
  return new Date(Math.ceil(at.getTime() / (30 * MINUTE_MS)) * 30 * MINUTE_MS).toISOString();
}
