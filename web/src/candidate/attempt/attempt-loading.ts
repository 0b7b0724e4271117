import type { PaperQuestion } from '@invigil/core/contract/assessments/question-list';
import type { OwnParticipant } from '@invigil/core/contract/attempts/own-participant';
import { t } from '@invigil/core/texts/i18n';
import { logProblem } from '../../lib/problem-log.ts';
import { atMost } from '../../lib/timeout.ts';
import { ApiError, sentenceOf } from '../../net/api.ts';
import { type Stop, stopOf } from '../../net/stop.ts';
import { thisDevice } from '../../proctoring/device/device-kind.ts';
import { fetchAgain } from '../../proctoring/fetch-again.ts';
import { fetchAnswerFields } from '../../question-view/answer-field.tsx';
import { preloadContent, preloadParsers } from '../../question-view/content/load-content.ts';
import { enterAttempt, inOrder, loadPaper } from './api.ts';

export interface LoadFailure {
  /** The first two lead to other pages, `camera` explains why; the others offer to retry. */
  kind: 'inactive' | 'completed' | 'camera' | 'consent' | 'no-questions' | 'start' | 'questions';
  message: string;
  /** No response of our server: the request may have been applied. */
  unsure?: boolean;
}

export type EnterOutcome =
  | {
      kind: 'entered';
      participant: OwnParticipant;
      receivedAt: number;
      /** Loaded from the copy on this device. */
      isCopy: boolean;
      /** The paper of an attempt that has just begun, which has no answers. */
      questions?: PaperQuestion[];
    }
  | { kind: 'failed'; failure: LoadFailure }
  | Stop;

const KIND_OF: Record<string, LoadFailure['kind']> = {
  QUIZ_INACTIVE: 'inactive',
  ALREADY_COMPLETED: 'completed',
  CAMERA_REQUIRED: 'camera',
  CONSENT_OUTDATED: 'consent',
  NO_QUESTIONS: 'no-questions',
};

/** Starts or resumes; refusals are outcomes. `receivedAt` is monotonic, for the countdown. */
export async function enter(...call: Parameters<typeof enterAttempt>): Promise<EnterOutcome> {
  try {
    const { questions, isCopy, ...participant } = await enterAttempt(...call);
    const receivedAt = performance.now();
    return {
      kind: 'entered',
      participant,
      receivedAt,
      isCopy,
      ...(questions ? { questions } : {}),
    };
  } catch (error) {
    const stop = stopOf(error);
    if (stop !== null) return stop;
    const kind = (error instanceof ApiError ? KIND_OF[error.code] : undefined) ?? 'start';
    if (kind === 'start') logProblem('Failed to fetch participant', error);
    // Our server refuses before it writes; any other failure may be after the write.
    const refused = error instanceof ApiError && error.isOurs;
    const unsure = !(refused && (error.status < 500 || error.code === 'DISK_LOW'));
    return { kind: 'failed', failure: { kind, message: sentenceOf(error), unsure } };
  }
}

/** Retries and the wait before each (specification 4 and 9): iOS drops requests right after a page change. */
const PAPER_RETRIES = {
  ios: { retries: 3, waitMs: 1_000 },
  other: { retries: 1, waitMs: 500 },
} as const;

export type PaperOutcome =
  | { kind: 'paper'; paper: PaperQuestion[] }
  | { kind: 'failed'; failure: LoadFailure }
  | Stop;

/** The questions: those that came with the start, or else loaded with the specification's retries. */
export async function getPaper(
  quizId: string,
  given: readonly PaperQuestion[],
  signal: AbortSignal,
): Promise<PaperOutcome> {
  const outcome: PaperOutcome =
    given.length > 0
      ? { kind: 'paper', paper: inOrder(given) }
      : await loadWithRetries(quizId, signal);
  if (outcome.kind === 'paper') await preparePaper(outcome.paper, signal);
  return outcome;
}

async function loadWithRetries(quizId: string, signal: AbortSignal): Promise<PaperOutcome> {
  const { retries, waitMs } = thisDevice().ios ? PAPER_RETRIES.ios : PAPER_RETRIES.other;
  let message = '';
  for (let left = retries; left >= 0 && !signal.aborted; left -= 1) {
    try {
      const paper = await loadPaper(quizId);
      if (paper.length > 0) return { kind: 'paper', paper };
      message = t('halted.noQuestions', 'No questions found for this Assessment');
      return { kind: 'failed', failure: { kind: 'no-questions', message } };
    } catch (error) {
      const stop = stopOf(error);
      if (stop !== null) return stop;
      message = sentenceOf(error);
    }
    if (left > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
  return { kind: 'failed', failure: { kind: 'questions', message } };
}

/** How long a paper waits for what shows it, which is here since the device check. Milliseconds. */
const PARSERS_TIMEOUT_MS = 3_000;

/**
 * The code that the questions need is loaded before the first is shown; images come while it is read, one
 * after the other, so that a connection lost later hides nothing.
 */
async function preparePaper(paper: readonly PaperQuestion[], signal: AbortSignal): Promise<void> {
  await fetchAgain(
    () => fetchAnswerFields(paper),
    () => !signal.aborted,
    (cause) => logProblem('The answer fields could not be fetched; retrying', cause),
  );
  await atMost(
    preloadParsers(textsOf(paper)).catch(() => undefined),
    PARSERS_TIMEOUT_MS,
  );
  void loadContent(paper, signal);
}

const CONTENT_PAUSES_MS = [1_000, 5_000, 20_000, 60_000] as const;

async function loadContent(paper: readonly PaperQuestion[], signal: AbortSignal): Promise<void> {
  const texts = textsOf(paper);
  for (const pauseMs of CONTENT_PAUSES_MS) {
    if (signal.aborted) return;
    try {
      return await preloadContent(texts);
    } catch (cause) {
      logProblem('A part of the questions could not be loaded; retrying', cause);
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

function textsOf(paper: readonly PaperQuestion[]) {
  return paper.flatMap(({ question, items = [], options, format }) =>
    [question, ...items, ...options].map((text) => ({ text, format })),
  );
}
