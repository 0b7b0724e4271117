import { rounded } from '../statistics.ts';
import type { KindFigures } from './latencies.ts';
import type { LoadRun, MeasuredPart } from './run-load.ts';

/** The verdict on one promise under load. */
export interface Verdict {
  promise: string;
  figure: string;
  kept: boolean;
}

/** The highest p99, from the scheduled moment. */
const MOST_P99_MS = 500;
/** A candidate saves at least every fifteen seconds. */
const THINK_SECONDS = 15;

/** One verdict per promise. */
export function evaluateLoad(run: LoadRun): Verdict[] {
  const { signIn, rush, sit, submit, readBack, candidates, ended } = run;
  const parts = [signIn, rush, sit, submit].filter((part) => part !== null);
  const target = Math.floor(candidates / THINK_SECONDS);
  const saves = sit.kinds.save;
  const perSecond = rounded((saves?.ok ?? 0) / Math.max(sit.plannedSeconds, sit.wallSeconds - 1));
  return [
    {
      promise: `${candidates} candidates save at least ${target} times a second`,
      figure: `${perSecond} saves/s acknowledged, ${rounded(planned(saves) / sit.plannedSeconds)}/s scheduled`,
      kept: perSecond >= target,
    },
    quick('p99 of a save', sit, 'save'),
    quick('p99 of a heartbeat', sit, 'heartbeat'),
    served(parts),
    {
      promise: 'nothing acknowledged is lost',
      figure: `${readBack.lost.length} of ${readBack.answers} newest answers${first(readBack.lost[0])}`,
      kept: readBack.lost.length === 0 && readBack.answers > 0,
    },
    {
      promise: `${submit.people} submit within ${submit.plannedSeconds} s, each attempt ends once`,
      figure: `${submit.kinds.submit?.ok ?? 0} acknowledged, ${ended} ended`,
      kept: submit.kinds.submit?.ok === submit.people && ended === submit.people,
    },
    quick('p99 of a submit', submit, 'submit'),
    ...[signIn, rush].flatMap((part) => (part ? [allSignedIn(part), signInQuick(part)] : [])),
  ];
}

function quick(
  promise: string,
  part: MeasuredPart,
  kind: 'save' | 'heartbeat' | 'submit',
): Verdict {
  const figures = part.kinds[kind];
  return {
    promise: `${promise} under ${MOST_P99_MS} ms`,
    figure: `${rounded(figures?.p99Ms ?? 0, 1)} ms`,
    kept: figures !== undefined && figures.p99Ms < MOST_P99_MS,
  };
}

function signInQuick(part: MeasuredPart): Verdict {
  const p99Ms = part.kinds['sign-in']?.p99Ms;
  return {
    promise: `p99 of a sign-in under ${MOST_P99_MS} ms, ${part.people} in ${part.plannedSeconds} s`,
    figure: `${rounded(p99Ms ?? 0, 1)} ms`,
    kept: p99Ms !== undefined && p99Ms < MOST_P99_MS,
  };
}

function allSignedIn(part: MeasuredPart): Verdict {
  const { 'sign-in': signIn, start, paper } = part.kinds;
  return {
    promise: `${part.people} sign in and start within ${part.plannedSeconds} s`,
    figure: `${signIn?.ok ?? 0} signed in, ${start?.ok ?? 0} started, ${paper?.ok ?? 0} papers`,
    kept: [signIn, start, paper].every((kind) => kind?.ok === part.people),
  };
}

/** Every request of every part succeeded. */
function served(parts: readonly MeasuredPart[]): Verdict {
  const kinds = parts.flatMap((part) => Object.values(part.kinds));
  const sum = (count: (kind: KindFigures) => number) => kinds.reduce((n, k) => n + count(k), 0);
  const trouble = kinds.find((kind) => kind.firstTrouble !== null)?.firstTrouble;
  const bad = sum((k) => k.failed + k.unanswered + k.refused);
  return {
    promise: 'no 5xx, nothing refused, every request answered',
    figure:
      `${sum((k) => k.failed)} with 5xx, ${sum((k) => k.refused)} refused, ` +
      `${sum((k) => k.unanswered)} without an answer, of ${sum(planned)}${first(trouble)}`,
    kept: bad === 0 && sum((k) => k.ok) > 0,
  };
}

function planned(kind: KindFigures | undefined): number {
  return kind ? kind.ok + kind.refused + kind.failed + kind.unanswered : 0;
}

function first(trouble: string | null | undefined): string {
  return trouble ? `; the first: ${trouble.replaceAll(/\s+/g, ' ').slice(0, 300)}` : '';
}
