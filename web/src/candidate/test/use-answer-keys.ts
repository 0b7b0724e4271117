import { useEffect, useRef } from 'react';

/** What the keys of the assessment do (product 7). */
export interface AnswerKeys {
  /** A-D or 1-4, from 0; F flags. Off where the candidate switched the letter keys off. */
  letters: boolean;
  optionCount: number;
  choose(index: number): void;
  flag(): void;
  previous(): void;
  next(): void;
}

/** What a key means, or nothing. Pure, so that it can be tested as a table. */
export function meaningOf(
  key: string,
  letters: boolean,
  optionCount: number,
): { choose: number } | 'flag' | 'previous' | 'next' | null {
  if (key === 'ArrowLeft') return 'previous';
  if (key === 'ArrowRight') return 'next';
  if (!letters || key.length !== 1) return null;
  if (key.toLowerCase() === 'f') return 'flag';
  const letter = key.toUpperCase().charCodeAt(0) - 65;
  const choose = letter >= 0 && letter < 26 ? letter : Number(key) - 1;
  return Number.isInteger(choose) && choose >= 0 && choose < optionCount ? { choose } : null;
}

/**
 * Left and Right move only when no control has the focus, where they may mean something else. The
 * letters work from anywhere but a field or an open dialog.
 */
export function useAnswerKeys(keys: AnswerKeys): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    const ended = new AbortController();
    window.addEventListener(
      'keydown',
      (event) => {
        if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
        const { letters, optionCount, ...act } = latest.current;
        const meaning = meaningOf(event.key, letters, optionCount);
        if (meaning === null || !mayAct(document.activeElement, meaning)) return;
        if (meaning === 'previous') act.previous();
        else if (meaning === 'next') act.next();
        else if (meaning === 'flag') act.flag();
        else act.choose(meaning.choose);
        event.preventDefault();
      },
      { signal: ended.signal },
    );
    return () => ended.abort();
  }, []);
}

function mayAct(focused: Element | null, meaning: ReturnType<typeof meaningOf>): boolean {
  if (document.querySelector('dialog[open], [role="dialog"], [role="alertdialog"]') !== null)
    return false;
  // A heading has the focus after a change of screens, and is no control.
  if (focused === null || focused === document.body || focused.matches('h1')) return true;
  if (meaning === 'previous' || meaning === 'next') return false;
  return focused.closest('input, textarea, select, [contenteditable]') === null;
}
