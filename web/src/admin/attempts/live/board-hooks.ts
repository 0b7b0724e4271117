import type { LiveAttempt } from '@invigil/core/contract/review/live';
import { compareLive } from '@invigil/core/domain/live-order';
import { isolated } from '@invigil/core/domain/typed-text';
import { t } from '@invigil/core/texts/i18n';
import { type FocusEvent, useEffect, useRef, useState } from 'react';
import { signalText } from '../../../lib/signal-labels.ts';
import { unknownText } from '../../data/people.ts';

const watched = new Map<Element, (isIn: boolean) => void>();
let observer: IntersectionObserver | null = null;

/** Reports whether an element is on or near the screen, until the returned function is called. */
export function watchVisible(element: Element, report: (isIn: boolean) => void): () => void {
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

interface Sides {
  needAttention: LiveAttempt[];
  quiet: LiveAttempt[];
}

/**
 * The attempts that need attention, and the others, both most urgent first. `null`: of every assessment, of
 * every group.
 */
export function sidesOf(
  attempts: Iterable<LiveAttempt>,
  quizId: string | null,
  group: string | null = null,
): Sides {
  const all = [...attempts]
    .filter((attempt) => quizId === null || attempt.quizId === quizId)
    .filter((attempt) => group === null || attempt.groups?.includes(group))
    .sort(compareLive);
  return {
    needAttention: all.filter(({ attention }) => attention !== null),
    quiet: all.filter(({ attention }) => attention === null),
  };
}

/**
 * The order during pointer or keyboard use: existing tiles keep their place, new ones are appended,
 * and nothing moves under the pointer.
 */
export function keepPlaces(
  shown: readonly string[],
  wanted: readonly LiveAttempt[],
): LiveAttempt[] {
  const places = new Map(shown.map((id, place) => [id, place]));
  const placeOf = ({ id }: LiveAttempt) => places.get(id) ?? shown.length;
  // A stable sort: new ones stay in the desired order.
  return [...wanted].sort((a, b) => placeOf(a) - placeOf(b));
}

/** Minimum time between announcements, so that many candidates do not flood a screen reader. */
export const QUIET_MS = 15_000;

interface Announced {
  /** The last announcement; empty before the first. */
  text: string;
  atMs: number;
  /** The attempts that needed attention at that time, with the reason of each. */
  reasons: ReadonlyMap<string, string>;
}

/**
 * Screen reader announcement of the board: only who newly needs attention, several at once in one
 * sentence. A return to normal is not announced. `null`: nothing to announce now.
 *
 * @param announced `null` at the first frame, which is not announced: it is on the screen
 */
export function nextAnnouncement(
  announced: Announced | null,
  needAttention: readonly LiveAttempt[],
  nowMs: number,
): Announced | null {
  const reasons = new Map(
    needAttention.map((attempt) => [attempt.id, attempt.attention?.kind ?? '']),
  );
  if (announced === null) return { text: '', atMs: nowMs - QUIET_MS, reasons };
  if (nowMs - announced.atMs < QUIET_MS) return null;
  const changed = needAttention.filter(
    ({ id, attention }) => announced.reasons.get(id) !== (attention?.kind ?? ''),
  );
  // Remove those who no longer need attention, so that the next time is announced.
  if (changed.length === 0)
    return reasons.size < announced.reasons.size ? { ...announced, reasons } : null;
  return { text: sentence(changed, needAttention.length), atMs: nowMs, reasons };
}

function sentence(changed: readonly LiveAttempt[], all: number): string {
  const [first] = changed;
  const count = t(
    /* candidates; spoken */ 'live.announced.all',
    '{count, plural, one {# needs attention.} other {# need attention.}}',
    { count: all },
  );
  if (first === undefined || changed.length > 1) {
    const news = t(
      /* of the candidates who need attention; spoken */ 'live.announced.new',
      '{count, plural, one {# is new.} other {# are new.}}',
      { count: changed.length },
    );
    return `${count} ${news}`;
  }
  const one = t(/* spoken. what: “Offline” */ 'live.announced.one', '{person}: {what}.', {
    person: personName(first),
    what: attentionText(first),
  });
  return `${one} ${count}`;
}

export const personName = ({
  userName,
  userEmail,
}: Pick<LiveAttempt, 'userName' | 'userEmail'>): string =>
  isolated(userName ?? userEmail ?? unknownText());

/** How many questions are answered: `3 of 25`. */
export const answeredText = ({
  answeredCount,
  totalQuestions,
}: Pick<LiveAttempt, 'answeredCount' | 'totalQuestions'>): string =>
  t(/* questions that are answered: “3 of 25” */ 'live.answered', '{count} of {total}', {
    count: answeredCount,
    total: totalQuestions,
  });

/** The reason of a raised hand. */
export const helpText = () => t(/* a candidate does */ 'live.attention.help', 'Asks for help');

export function attentionText({ attention }: LiveAttempt): string {
  if (attention?.kind === 'offline')
    return t(/* the connection of a candidate */ 'live.offline', 'Offline');
  if (attention?.kind === 'help') return helpText();
  if (attention?.kind === 'silent') return t('live.attention.silent', 'No monitoring data');
  const signal = attention?.signal ?? null;
  return signal === null
    ? t('live.attention.nearLimit', 'Near the limit')
    : signalText(signal.type);
}

export function attentionMeaning({ attention }: LiveAttempt): string {
  switch (attention?.kind) {
    case 'last_chance':
      return t('live.attention.lastChance', 'One more violation ends this attempt.');
    case 'offline':
      return t('live.attention.offline', 'Still in progress; answers are kept on the device.');
    case 'help':
      return t(
        /* the hand of a candidate who asks for help */ 'live.attention.helpMeaning',
        'Answer with a message: it puts the hand down.',
      );
    case 'silent':
      return t('live.attention.silentMeaning', 'Answers arrive, but no monitoring data.');
    default:
      return attention?.signal?.counted
        ? t(/* as a violation */ 'live.attention.counted', 'Counted.')
        : t('live.attention.notCounted', 'Recorded, not counted.');
  }
}
