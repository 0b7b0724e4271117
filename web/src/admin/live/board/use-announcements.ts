import type { LiveAttempt } from '@invigil/core/contract/review/live';
import { useEffect, useRef, useState } from 'react';
import { type Announced, nextAnnouncement } from './board-announcement.ts';

/** The announcement for screen readers. `null` before the first frame. */
export function useAnnouncements(needAttention: readonly LiveAttempt[] | null): string {
  const announced = useRef<Announced | null>(null);
  const [text, setText] = useState('');
  useEffect(() => {
    if (needAttention === null) return;
    const next = nextAnnouncement(announced.current, needAttention, performance.now());
    if (next === null) return;
    announced.current = next;
    setText(next.text);
  }, [needAttention]);
  return text;
}
