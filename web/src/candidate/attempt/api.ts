import { listQuestions, PaperQuestion } from '@invigil/core/contract/assessments/question-list';
import {
  askForHelp,
  giveFeedback,
  heartbeat,
  listMessages,
  type Message,
  type MonitorReport,
  OwnParticipant,
  startParticipant,
  takeBreak,
} from '@invigil/core/contract/attempts/own-participant';
import type { Endpoint } from '@invigil/core/contract/definition/endpoint';
import type { ConsentTo } from '@invigil/core/domain/consent';
import { currentLanguage } from '@invigil/core/domain/locale';
import { t } from '@invigil/core/texts/i18n';
import { isLanguage } from '@invigil/core/texts/languages';
import { z } from 'zod';
import { logProblem } from '../../lib/problem-log.ts';
import { ConnectionError, callEndpoint, callEndpointWithHeaders, inTime } from '../../net/api.ts';
import { seenDevice, thisDevice } from '../../proctoring/device/device-kind.ts';

/** Consent and device check of the permissions screen, stored with the attempt. */
export interface StartDetails {
  /** The account that agreed: someone else may have signed in in another tab. */
  userId?: string;
  consent: { textVersion: string; to: ConsentTo };
  /** The ended attempt that another one follows. */
  retakes?: string;
  deviceCheck: Record<string, string | number | boolean | null>;
}

/** The language in which rules and consent were read; English is not said. */
function spoken() {
  const language = currentLanguage();
  return isLanguage(language) && language !== 'en' ? { language } : {};
}

/** `isCopy`: without a connection, from the copy on this device; the server knows nothing of it. */
export async function enterAttempt(
  quizId: string,
  how: StartDetails | { resumes?: string } = {},
): Promise<z.infer<typeof Started> & { isCopy: boolean }> {
  const { mobile } = thisDevice();
  const device = seenDevice();
  const started = 'consent' in how ? { ...how, withQuestions: true, ...spoken() } : how;
  const body = { quizId, mobile, ...(device ? { device } : {}), ...started };
  const endpoint = { ...startParticipant, responses: { 200: Started, 201: Started } } as const;
  const reply = await callEndpointWithHeaders(endpoint, { body, signal: inTime() });
  return { ...reply.body, isCopy: reply.headers.has('x-offline-copy') };
}

export function inOrder(questions: readonly PaperQuestion[]): PaperQuestion[] {
  return questions.toSorted((a, b) => a.orderNumber - b.orderNumber);
}

export async function loadPaper(quizId: string): Promise<PaperQuestion[]> {
  const call = {
    params: { id: quizId },
    query: { forAssessment: 'true' as const },
    signal: inTime(),
  };
  const paper = z.array(SomeQuestion).safeParse(await callEndpoint(loosely(listQuestions), call));
  if (!paper.success) throw new ConnectionError('unreadable', paper.error);
  return inOrder(paper.data);
}

/** A question that this page does not understand costs itself, and not the paper. */
const SomeQuestion = z.preprocess((row) => {
  // Parsed as a paper's question, which strips all other fields.
  const question = PaperQuestion.safeParse(row);
  if (question.success) return question.data;
  const known = z.looseObject({ id: z.string() }).safeParse(row);
  if (!known.success) return row;
  logProblem('A question cannot be read', question.error);
  const { orderNumber } = known.data;
  return {
    id: known.data.id,
    quizId: '',
    type: 'multiple_choice',
    question: t(
      'question.unreadable',
      'This question cannot be shown. Go on with the others, and tell the administrator.',
    ),
    options: [],
    orderNumber: typeof orderNumber === 'number' ? orderNumber : Number.MAX_SAFE_INTEGER,
  } satisfies PaperQuestion;
}, PaperQuestion);

const Started = OwnParticipant.extend({ questions: z.array(SomeQuestion).optional() });

/** An endpoint whose answer is checked by its caller. */
function loosely<E extends Endpoint>(row: E) {
  return { ...row, responses: { 200: z.unknown() } } as const;
}

export function sendHeartbeat(
  participantId: string,
  body: { seq: number; monitor: MonitorReport | undefined; focused: number[] | undefined },
  signal: AbortSignal,
) {
  return callEndpoint(heartbeat, { params: { id: participantId }, body, signal });
}

export function loadMessages(participantId: string): Promise<Message[]> {
  return callEndpoint(listMessages, { params: { id: participantId }, signal: inTime() });
}

export function sendHand(participantId: string, handUp: boolean, signal: AbortSignal) {
  const params = { id: participantId };
  return callEndpoint(askForHelp, { params, body: { handUp }, signal: inTime(signal) });
}

export function sendBreak(participantId: string, onBreak: boolean, signal: AbortSignal) {
  const params = { id: participantId };
  return callEndpoint(takeBreak, { params, body: { onBreak }, signal: inTime(signal) });
}

export interface Feedback {
  emoji: 'smile' | 'neutral' | 'sad';
  skipped: boolean;
}

export async function sendFeedback(participantId: string, feedback: Feedback): Promise<void> {
  const body = { participantId, text: null, ...feedback };
  // Keepalive: the page may close before the response.
  await callEndpoint(giveFeedback, { body, signal: inTime(), keepalive: true });
}
