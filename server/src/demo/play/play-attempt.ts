import { dueTimeAtStart } from '@invigil/core/domain/attempt';
import { drawPaper, seededRandom } from '@invigil/core/domain/draw';
import type { Tx } from '../../db/database.ts';
import { newId } from '../../db/new-id.ts';
import {
  findParticipant,
  insertParticipants,
  type ParticipantView,
} from '../../db/queries/attempts/attempts.ts';
import { insertParticipantEvent } from '../../db/queries/attempts/events.ts';
import { insertFeedback } from '../../db/queries/attempts/feedback.ts';
import { insertPapers } from '../../db/queries/attempts/papers.ts';
import { noteFirstSignIn } from '../../db/queries/codes.ts';
import type { QuestionView } from '../../db/queries/questions.ts';
import { closeParticipants } from '../../features/attempts/start-and-end/close-participants.ts';
import { insertAnswers } from '../story/queries.ts';
import { COMMENTS, DEVICES, type Ending } from '../story/scenes.ts';
import { answerPaper, type Sitting } from './answer-paper.ts';
import type { Stage } from './stage.ts';

/** The version of the consent text that the candidate's screens show. */
const CONSENT_TEXT_VERSION = '2026-5';
const MINUTE_MS = 60_000;

/** Who takes what, from when on and how well. */
export interface Part {
  invitation: { id: string; userId: string; extraTimeFactor: number };
  quiz: {
    id: string;
    duration: number;
    totalQuestions: number;
    endDate: Date | null;
    policyVersion: number;
  };
  questions: readonly QuestionView[];
  attempt: number;
  startedAt: Date;
  /** 0 to 1 */
  skill: number;
  /** Names the draw: the same seed gives the same paper, answers and score. */
  seed: string;
}

/** Enters the test and answers until a moment; the attempt is in progress afterwards. */
export async function beginAttempt(
  tx: Tx,
  part: Part,
  work: Pick<Sitting, 'until' | 'finishes'>,
): Promise<string> {
  const { invitation, quiz, startedAt, seed } = part;
  const random = seededRandom(`${seed}/begin`);
  const id = newId();
  const paper = drawPaper(
    part.questions.map(({ version }) => ({
      questionId: version.questionId,
      version: version.version,
      optionIds: version.optionIds,
    })),
    quiz.totalQuestions,
    seed,
  );
  const due = dueTimeAtStart(
    startedAt,
    quiz.duration,
    invitation.extraTimeFactor,
    quiz.endDate,
    false,
  );
  await noteFirstSignIn(tx, invitation.id, earlier(startedAt, (2 + 5 * random()) * MINUTE_MS));
  await insertParticipants(tx, [
    {
      id,
      invitationId: invitation.id,
      userId: invitation.userId,
      quizId: quiz.id,
      attempt: part.attempt,
      replacedAt: null,
      replacedHow: null,
      status: 'in_progress',
      policyVersion: quiz.policyVersion,
      totalMarks: paper.length,
      startedAt,
      ...due,
      submittedAt: null,
      submissionType: null,
      score: null,
      answeredCount: null,
      receiptId: null,
      // Reports come from the session that holds the attempt; nobody has its token.
      sessionId: newId(),
      lastSeenAt: work.until,
      countedViolations: 0,
      violationCalls: 0,
      fullscreenExits: 0,
      tabSwitches: 0,
      isPhone: false,
      usedComputer: true,
      consentTextVersion: CONSENT_TEXT_VERSION,
      consentAt: startedAt,
      // Of a network that is reserved for documentation (RFC 5737).
      consentAddress: `203.0.113.${1 + Math.floor(random() * 254)}`,
      deviceCheck: { ...DEVICES[Math.floor(random() * DEVICES.length)] },
      note: '',
      messageCount: 0,
    },
  ]);
  await insertPapers(tx, [{ participantId: id, paper }]);
  await insertParticipantEvent(tx, { participantId: id, kind: 'started', at: startedAt });
  await insertAnswers(tx, answerPaper(id, paper, { ...part, ...work, deadlineAt: due.deadlineAt }));
  return id;
}

/** Ends an attempt as the service does: by its own due time or by a submit. Scores it. */
export async function endAttempt(
  { tx, ctx }: Pick<Stage, 'tx' | 'ctx'>,
  id: string,
  ending: Ending,
  at: Date,
): Promise<void> {
  const attempt = await get(tx, id);
  if (ending === 'submitted') {
    return closeParticipants(tx, ctx, [{ attempt, how: 'manual', now: at }]);
  }
  const wanted = { 'time up': 'auto', ended: 'database' }[ending as string] ?? 'dismissed';
  if (attempt.closeReason !== wanted) {
    throw new Error(`an attempt was to end as ${wanted}, and is due as ${attempt.closeReason}`);
  }
  await closeParticipants(tx, ctx, [{ attempt, how: 'due', now: attempt.closeAt }]);
}

/** What the person says afterwards, if anything, a moment after the end but not in the future. */
export async function leaveFeedback(tx: Tx, id: string, seed: string, now: Date): Promise<void> {
  const random = seededRandom(`${seed}/feedback`);
  if (random() < 0.25) return;
  const skipped = random() < 0.2;
  const comment = COMMENTS[Math.floor(random() * COMMENTS.length)];
  const { submittedAt } = await get(tx, id);
  if (!comment || !submittedAt) return;
  const said = submittedAt.getTime() + (15 + 90 * random()) * 1_000;
  await insertFeedback(tx, {
    participantId: id,
    emoji: skipped ? 'smile' : comment.emoji,
    text: skipped ? null : comment.text,
    skipped,
    createdAt: new Date(Math.min(now.getTime(), Math.round(said))),
  });
}

async function get(tx: Tx, id: string): Promise<ParticipantView> {
  const attempt = await findParticipant(tx, id);
  if (!attempt) throw new Error(`attempt ${id} was begun and is not there`);
  return attempt;
}

function earlier(at: Date, ms: number): Date {
  return new Date(Math.round(at.getTime() - ms));
}
