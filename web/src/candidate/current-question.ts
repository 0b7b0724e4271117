import type { PaperQuestion } from '@invigil/core/contract/assessments/question-list';
import { useCallback, useSyncExternalStore } from 'react';
import { z } from 'zod';
import { localKey } from '../lib/person/local-keys.ts';
import { onForget } from '../lib/person/person-memory.ts';
import { focusHeading } from './navigation.ts';

/** The current question, for a reload. */
const key = localKey('currentQuestion', z.string());

const listeners = new Set<() => void>();
let questionId: string | null | undefined;
onForget(() => {
  questionId = undefined;
});

function read(): string | null {
  if (questionId === undefined) questionId = key.read();
  return questionId;
}

function write(id: string): void {
  questionId = id;
  key.write(id);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Index of the current question of a paper (0 by default), and navigation: `go` leaves the focus where
 * it is, for Previous and Next; `jump` moves it to the question.
 */
export function useCurrentQuestion(
  paper: readonly PaperQuestion[],
): [current: number, go: (index: number) => void, jump: (index: number) => void] {
  const id = useSyncExternalStore(subscribe, read);
  const found = paper.findIndex((question) => question.id === id);
  const go = useCallback(
    (index: number) => {
      const question = paper[Math.min(Math.max(index, 0), paper.length - 1)];
      if (question !== undefined) write(question.id);
    },
    [paper],
  );
  const jump = useCallback(
    (index: number) => {
      go(index);
      // After rendering, and after a closing sheet has returned the focus.
      requestAnimationFrame(focusHeading);
    },
    [go],
  );
  return [Math.max(0, found), go, jump];
}
