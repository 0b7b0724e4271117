import { useEffect, useRef } from 'react';

/** Key bindings of the assessment (product 7). */
export interface AnswerKeys {
  /** A to Z or 1 to 9, from 0; F flags, 6 selects option F. Disabled if the candidate switched letter keys off. */
  letters: boolean;
  optionCount: number;
  select(index: number): void;
  flag(): void;
  previous(): void;
  next(): void;
}

/** The action of a key, if any. Pure. */
export function meaningOf(
  key: string,
  letters: boolean,
  optionCount: number,
): { select: number } | 'flag' | 'previous' | 'next' | null {
  if (key === 'ArrowLeft') return 'previous';
  if (key === 'ArrowRight') return 'next';
  if (!letters || key.length !== 1) return null;
  if (key.toLowerCase() === 'f') return 'flag';
  const letter = key.toUpperCase().charCodeAt(0) - 65;
  const select = letter >= 0 && letter < 26 ? letter : Number(key) - 1;
  return Number.isInteger(select) && select >= 0 && select < optionCount ? { select } : null;
}

/**
 * Left and Right navigate only when no control has the focus. Letters work except in fields and open
 * dialogs.
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
        else act.select(meaning.select);
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
  // After navigation the heading has the focus; it is not a control.
  if (focused === null || focused === document.body || focused.matches('h1')) return true;
  if (meaning === 'previous' || meaning === 'next') return false;
  return focused.closest('input, textarea, select, [contenteditable]') === null;
}
