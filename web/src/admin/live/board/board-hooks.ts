import type { LiveAttempt } from '@invigil/core/contract/review/live';
import { type FocusEvent, useEffect, useRef, useState } from 'react';
import { type Announced, nextAnnouncement } from './board-announcement.ts';
import { keepPlaces } from './board-order.ts';

const watched = new Map<Element, (isIn: boolean) => void>();
let observer: IntersectionObserver | null = null;

/** Reports whether an element is on or near the screen, until the returned function is called. */
export function onSight(element: Element, report: (isIn: boolean) => void): () => void {
  observer ??= new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) watched.get(target)?.(isIntersecting);
    },
    { rootMargin: '300px' },
  );
  watched.set(element, report);
  observer.observe(element);
  return () => {
    watched.delete(element);
    observer?.unobserve(element);
  };
}

const listeners = new Set<(nowMs: number) => void>();
let timer: ReturnType<typeof setInterval> | null = null;

/**
 * Calls back each second with this page's monotonic time in milliseconds, to the second, until the
 * returned function is called. One timer for all countdowns of the page, running only while there
 * are any.
 */
export function onEachSecond(listener: (nowMs: number) => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    const now = wholeSecond();
    for (const listen of listeners) listen(now);
  }, 1_000);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0 || timer === null) return;
    clearInterval(timer);
    timer = null;
  };
}

/** This page's monotonic time in milliseconds, to the second. */
export const wholeSecond = () => Math.floor(performance.now() / 1_000) * 1_000;

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

/**
 * An order that is frozen while the pointer or the focus is in the list. `hold` is for the list's
 * element.
 */
export function useSteadyOrder(wanted: readonly LiveAttempt[]) {
  const [isPointed, setPointed] = useState(false);
  const [isFocused, setFocused] = useState(false);
  const shown = useRef<readonly string[]>([]);
  const order = isPointed || isFocused ? keepPlaces(shown.current, wanted) : [...wanted];
  shown.current = order.map(({ id }) => id);
  const hold = {
    onPointerEnter: () => setPointed(true),
    onPointerLeave: () => setPointed(false),
    onFocus: () => setFocused(true),
    // Ignore focus moves between tiles: releasing the order would re-sort the list between two presses
    // of Tab.
    onBlur: ({ currentTarget, relatedTarget }: FocusEvent) => {
      if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) {
        setFocused(false);
      }
    },
  };
  return { order, hold };
}
