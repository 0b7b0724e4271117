import type { LiveAttempt } from '@invigil/core/contract/live';
import { useEffect, useRef, useState } from 'react';
import { nextAnnouncement, type Said } from './board-announcement.ts';

/** What a screen reader is to hear now. `null` before the first frame. */
export function useAnnouncements(needAttention: readonly LiveAttempt[] | null): string {
  const said = useRef<Said | null>(null);
  const [text, setText] = useState('');
  useEffect(() => {
    if (needAttention === null) return;
    const next = nextAnnouncement(said.current, needAttention, performance.now());
    if (next === null) return;
    said.current = next;
    setText(next.text);
  }, [needAttention]);
  return text;
}
