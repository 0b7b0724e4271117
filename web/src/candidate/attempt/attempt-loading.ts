import type { PaperQuestion } from '@invigil/core/contract/assessments/question-list';
import type { OwnParticipant } from '@invigil/core/contract/attempts/own-participant';
import type { Stop } from '../../answer-sync/answer-transport.ts';
import { stopOf } from '../../answer-sync/endpoint-transport.ts';
import { logProblem } from '../../lib/problem-log.ts';
import { atMost } from '../../lib/timeout.ts';
import { ApiError, sentenceOf } from '../../net/api.ts';
import { fetchAgain } from '../../proctoring/fetch-again.ts';
import { fetchAnswerFields } from '../../question-view/answer-field.tsx';
import { preloadContent } from '../../question-view/content/load-content.ts';
import { enterAttempt, loadPaper } from './api.ts';

/** Why the attempt cannot be shown. */
export interface LoadFailure {
  /** The first two have their own pages, `camera` explains why; the others offer to retry. */
  kind: 'inactive' | 'completed' | 'camera' | 'consent' | 'no-questions' | 'start' | 'questions';
  message: string;
  /** No response of our server: the request may have been applied. */
  unsure?: boolean;
}

export type EnterOutcome =
  | { kind: 'entered'; participant: OwnParticipant; receivedAt: number }
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
    const participant = await enterAttempt(...call);
    return { kind: 'entered', participant, receivedAt: performance.now() };
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

/** Retries and the wait before each (seed 4 and 9): iOS drops requests right after a page change. */
const PAPER_RETRIES = {
  ios: { retries: 3, waitMs: 1_000 },
  other: { retries: 1, waitMs: 500 },
} as const;

export type PaperOutcome =
  | { kind: 'paper'; paper: PaperQuestion[] }
  | { kind: 'failed'; failure: LoadFailure }
  | Stop;

/** Loads the questions with the seed's retries. */
export async function loadPaperWithRetries(
  quizId: string,
  ios: boolean,
  signal: AbortSignal,
): Promise<PaperOutcome> {
  const { retries, waitMs } = ios ? PAPER_RETRIES.ios : PAPER_RETRIES.other;
  let message = '';
  for (let left = retries; left >= 0 && !signal.aborted; left -= 1) {
    try {
      const paper = await loadPaper(quizId);
      if (paper.length > 0) {
        await prepare(paper, signal);
        return { kind: 'paper', paper };
      }
      return {
        kind: 'failed',
        failure: { kind: 'no-questions', message: 'No questions found for this Assessment' },
      };
    } catch (error) {
      const stop = stopOf(error);
      if (stop !== null) return stop;
      message = sentenceOf(error);
    }
    if (left > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
  return { kind: 'failed', failure: { kind: 'questions', message } };
}

/** How long a paper waits for its figures, milliseconds: longer than a slow connection needs. */
const CONTENT_TIMEOUT_MS = 10_000;

/**
 * Everything that the questions need is loaded before the first is shown: a connection lost later hides
 * nothing. What cannot be loaded in time is loaded while the questions are shown.
 */
async function prepare(paper: readonly PaperQuestion[], signal: AbortSignal): Promise<void> {
  await fetchAgain(
    () => fetchAnswerFields(paper),
    () => !signal.aborted,
    (cause) => logProblem('The answer fields could not be fetched; retrying', cause),
  );
  await atMost(loadContent(paper, signal), CONTENT_TIMEOUT_MS);
}

/** Pauses between tries to load figures, milliseconds. */
const CONTENT_PAUSES_MS = [1_000, 5_000, 20_000, 60_000] as const;

async function loadContent(paper: readonly PaperQuestion[], signal: AbortSignal): Promise<void> {
  const texts = paper.flatMap(({ question, options, format }) =>
    [question, ...options].map((text) => ({ text, format })),
  );
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
