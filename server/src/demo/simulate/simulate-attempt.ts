import { dueTimeAtStart } from '@invigil/core/domain/attempt';
import { seededRandom } from '@invigil/core/domain/questions/draw';
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
import type { QuizView } from '../../db/queries/quizzes.ts';
import { closeParticipants } from '../../features/attempts/start-and-end/close-participants.ts';
import { insertAnswers } from '../scenario/queries.ts';
import { COMMENTS, DEVICES, type Ending } from '../scenario/scenarios.ts';
import { answerPaper, type WorkPlan } from './answer-paper.ts';
import type { InvitedQuiz, Simulation } from './simulation.ts';

/** The version of the consent text that the candidate's screens show. */
const CONSENT_TEXT_VERSION = '2026-7';
const MINUTE_MS = 60_000;

/** Who takes which assessment, when and how well. */
export interface AttemptPlan extends Pick<InvitedQuiz, 'questions' | 'typed' | 'draw'> {
  invitation: { id: string; userId: string; extraTimeFactor: number };
  quiz: Pick<QuizView, 'id' | 'duration' | 'endDate' | 'policyVersion' | 'negativeMarks'>;
  attempt: number;
  startedAt: Date;
  /** 0 to 1 */
  skill: number;
  /** The same seed yields the same paper, answers and score. */
  seed: string;
}

/** Starts the attempt and answers until a moment; it is in progress afterwards. */
export async function beginAttempt(
  tx: Tx,
  plan: AttemptPlan,
  work: Pick<WorkPlan, 'until' | 'finishes'>,
): Promise<string> {
  const { invitation, quiz, startedAt, seed } = plan;
  const random = seededRandom(`${seed}/begin`);
  const id = newId();
  const { paper, sections, maxPoints } = plan.draw(seed);
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
      attempt: plan.attempt,
      replacedAt: null,
      replacedHow: null,
      addedMinutes: null,
      status: 'in_progress',
      policyVersion: quiz.policyVersion,
      totalMarks: paper.length,
      maxPoints,
      sections,
      negativeMarks: quiz.negativeMarks,
      cameraEnabled: true,
      microphoneEnabled: true,
      faceCovered: false,
      startedAt,
      ...due,
      submittedAt: null,
      submissionType: null,
      score: null,
      answeredCount: null,
      receiptId: null,
      // Reports need a session that holds the attempt; its token does not exist.
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
      // From a network reserved for documentation (RFC 5737).
      consentAddress: `203.0.113.${1 + Math.floor(random() * 254)}`,
      deviceCheck: { ...DEVICES[Math.floor(random() * DEVICES.length)] },
      note: '',
      messageCount: 0,
    },
  ]);
  await insertPapers(tx, [{ participantId: id, paper }]);
  await insertParticipantEvent(tx, { participantId: id, kind: 'started', at: startedAt });
  await insertAnswers(tx, answerPaper(id, paper, { ...plan, ...work, deadlineAt: due.deadlineAt }));
  return id;
}

/** Ends and scores an attempt as the service does: at its due time or by a submit. */
export async function endAttempt(
  { tx, ctx }: Pick<Simulation, 'tx' | 'ctx'>,
  id: string,
  ending: Ending,
  at: Date,
): Promise<void> {
  const attempt = await get(tx, id);
  if (ending === 'submitted') {
    await closeParticipants(tx, ctx, [{ attempt, how: 'manual', now: at }]);
    return;
  }
  const wanted = { 'time up': 'auto', ended: 'database' }[ending as string] ?? 'dismissed';
  if (attempt.closeReason !== wanted) {
    throw new Error(`an attempt was to end as ${wanted}, and is due as ${attempt.closeReason}`);
  }
  await closeParticipants(tx, ctx, [{ attempt, how: 'due', now: attempt.closeAt }]);
}

/** The candidate's feedback, if any, shortly after the end but not in the future. */
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
  if (!attempt) throw new Error(`attempt ${id} was started but not found`);
  return attempt;
}

function earlier(at: Date, ms: number): Date {
  return new Date(Math.round(at.getTime() - ms));
}
