import {
  findDoubleEnds,
  findLeftOpen,
  findLostSaves,
  findMiscounts,
  findRefusedSaves,
  findSavesAfterEnd,
  findSecondAttempts,
  findTrespasses,
  findWrongScores,
  findWrongTimes,
  leftAttempts,
} from './checks/attempt-checks.ts';
import type { Counterexample } from './checks/counterexample.ts';
import { acknowledged, operationsOf } from './checks/history.ts';
import {
  findClockFaults,
  findDiskFaults,
  findMailFaults,
  findSlowFailovers,
  findStrays,
  findUnanswered,
  untilNextSave,
} from './checks/service-checks.ts';
import { DEPLOY } from './injected/faults.ts';
import type { Observed } from './round.ts';

/** From the start of the new process. */
const READY_WITHIN_MS = 10_000;
/** From the promotion of a standby to the first save. */
const FAILOVER_WITHIN_MS = 10_000;
/** The time to close all attempts that come due at the same moment. */
const DUE_WITHIN_MS = 60_000;

/** One promise: its counterexamples, and how often it was tested. */
interface Promised {
  promise: string;
  find(round: Observed): Counterexample[];
  count(round: Observed): number;
  /** Describes what was counted, with further figures. */
  of(rounds: readonly Observed[]): string;
}

const PROMISES: Promised[] = [
  {
    promise: 'no acknowledged save is lost',
    find: ({ history, state }) => findLostSaves(history, state),
    count: ({ history }) => acknowledged(history, 'save').length,
    of: (rounds) => `acknowledged, ${sum(rounds, ({ kills }) => kills)} kills`,
  },
  {
    promise: 'no save is refused while its attempt runs',
    find: ({ history, state }) => findRefusedSaves(history, state),
    count: ({ history }) => operationsOf(history, 'save').length,
    of: () => 'saves sent',
  },
  {
    promise: 'no save is accepted after an acknowledged end',
    find: ({ history, state }) => findSavesAfterEnd(history, state),
    count: ({ history }) => acknowledged(history, 'submit').length,
    of: () => 'acknowledged ends',
  },
  {
    promise: 'no attempt ends twice, and its end does not change',
    find: ({ history, state }) => findDoubleEnds(history, state),
    count: ({ state }) => state.attempts.length,
    of: () => 'attempts',
  },
  {
    promise: 'abandoned attempts are closed in time, dated at their deadline',
    find: ({ history, state, outages, dueAtOnce }) =>
      findLeftOpen(history, state, outages, dueAtOnce ? DUE_WITHIN_MS : undefined),
    count: ({ history, state }) => leftAttempts(history, state).length,
    of: () => 'abandoned',
  },
  {
    promise: 'every reported violation counts once',
    find: ({ history, state }) => findMiscounts(history, state),
    count: ({ history }) => acknowledged(history, 'report').length,
    of: () => 'acknowledged reports',
  },
  {
    promise: 'one code, one attempt',
    find: ({ history, state }) => findSecondAttempts(history, state),
    count: ({ history }) => acknowledged(history, 'start').length,
    of: () => 'acknowledged starts',
  },
  {
    promise: 'the score follows from the stored answers, whatever a submit claims',
    find: ({ state }) => findWrongScores(state),
    count: ({ state }) => state.attempts.filter(({ score }) => score !== null).length,
    of: () => 'scores',
  },
  {
    promise: "start and deadline are the server's, whatever a start request claims",
    find: ({ history, state }) => findWrongTimes(history, state),
    count: ({ history }) => acknowledged(history, 'start').length,
    of: () => 'starts',
  },
  {
    promise: "someone else's attempt is not found",
    find: ({ history }) => findTrespasses(history),
    count: ({ history }) => operationsOf(history, 'trespass').length,
    of: () => 'tries',
  },
  {
    promise:
      'every message arrives; repeated only after an interruption, with the same code and Message-ID',
    find: ({ state, cuts }) => findMailFaults(state, cuts),
    count: ({ state }) => state.messages.length,
    of: (rounds) => `messages, ${refusals(rounds)} failed permanently and shown`,
  },
  {
    promise: 'no message is sent before the commit of its invitation',
    find: ({ state }) => findStrays(state),
    count: ({ brokenInvitations }) => brokenInvitations,
    of: () => 'invitations aborted before their commit',
  },
  {
    promise: 'every save is answered in time: done, refused, or when to retry',
    find: ({ history, faults }) => findUnanswered(history, !faults.some((one) => one.cutsLines)),
    count: ({ history }) => operationsOf(history, 'save').length,
    of: () => 'saves sent',
  },
  {
    promise: 'a server that was ended is ready again within 10 s',
    find: ({ readyMs }) =>
      readyMs
        .filter((ms) => ms > READY_WITHIN_MS)
        .map((ms) => ({ what: 'too slow', entries: [], stored: `${Math.round(ms)} ms` })),
    count: ({ readyMs }) => readyMs.length,
    of: (rounds) => `starts, the slowest ${seconds(rounds.flatMap(({ readyMs }) => readyMs))} s`,
  },
  {
    promise: 'a rolling deploy loses no save',
    find: ({ history, state }) => [
      ...findRefusedSaves(history, state),
      ...findLostSaves(history, state),
    ],
    count: (round) => (isDeploy(round) ? acknowledged(round.history, 'save').length : 0),
    of: (rounds) =>
      `saves, ${Math.round(Math.max(0, ...rounds.filter(isDeploy).map(savesPerSecond)))} a second`,
  },
  {
    promise: 'loss of a primary: no acknowledged save is lost, and saves continue within 10 s',
    find: ({ history, state, promotions }) => [
      ...(promotions.length > 0 ? findLostSaves(history, state) : []),
      ...findSlowFailovers(history, promotions, FAILOVER_WITHIN_MS),
    ],
    count: ({ promotions }) => promotions.length,
    of: (rounds) =>
      `promotions, saves again after ${seconds(
        rounds.flatMap(({ history, promotions }) =>
          promotions.map((at) => untilNextSave(history, at)),
        ),
      )} s at most`,
  },
  {
    promise: 'a bad mail server: every message arrives or its failure is shown',
    find: ({ state, cuts }) => findMailFaults(state, cuts),
    count: ({ mailFaults, state }) => (mailFaults === null ? 0 : state.messages.length),
    of: (rounds) => {
      const bad = rounds.filter(({ mailFaults }) => mailFaults !== null);
      const done = sum(bad, ({ mailFaults }) =>
        Object.values(mailFaults ?? {}).reduce((all, one) => all + one, 0),
      );
      const again = sum(
        bad,
        ({ state }) => state.messages.filter(({ taken }) => taken.length > 1).length,
      );
      return `messages, ${done} tries disturbed, ${again} repeated, ${sum(bad, ({ kills }) => kills)} kills`;
    },
  },
  {
    promise: 'attempts due at once are closed within 60 s, each once, with three servers',
    find: ({ history, state, dueAtOnce, outages }) => [
      ...findLeftOpen(history, state, outages, DUE_WITHIN_MS),
      ...findDoubleEnds(history, state),
      ...((dueAtOnce?.slowestMs ?? 0) > DUE_WITHIN_MS
        ? [{ what: 'too slow', entries: [], stored: `${dueAtOnce?.slowestMs} ms` }]
        : []),
    ],
    count: ({ dueAtOnce }) => dueAtOnce?.many ?? 0,
    of: (rounds) =>
      `due, the last after ${seconds(rounds.flatMap(({ dueAtOnce }) => dueAtOnce?.slowestMs ?? []))} s`,
  },
  {
    promise: 'a full disk: new attempts are refused first, running ones continue, it recovers',
    find: ({ history, disks }) => findDiskFaults(history, disks),
    count: ({ disks }) => disks.length,
    of: (rounds) =>
      `times full, recovered after ${seconds(rounds.flatMap(({ disks }) => disks.map((one) => one.wellAt - one.freedAt)))} s at most`,
  },
  {
    promise: 'a clock that jumps two hours ends no attempt, refuses no save and raises alarms',
    find: ({ history, state, clocks }) => findClockFaults(history, state, clocks),
    count: ({ clocks }) => clocks.filter(({ seenMs }) => seenMs > 6_000_000).length,
    of: (rounds) =>
      `jumps (${rounds.flatMap(({ clocks }) => clocks.map(({ whose }) => whose)).join(', ')})`,
  },
];

export interface Verdict {
  promise: string;
  /** How often it was tested, or the worst figure. */
  figure: string;
  /** An untested promise is neither kept nor broken. */
  isTested: boolean;
  /** Smallest first; none where the promise was kept. */
  counterexamples: Counterexample[];
}

/** Evaluates every promise by the rounds that tested it. */
export function evaluate(rounds: readonly Observed[]): Verdict[] {
  return PROMISES.map(({ promise, find, count, of }) => {
    const testing = rounds.filter((round) => count(round) > 0);
    return {
      promise,
      figure: `${sum(testing, count)} ${of(rounds)}`,
      isTested: testing.length > 0,
      counterexamples: testing.flatMap(find),
    };
  });
}

function sum(rounds: readonly Observed[], count: (round: Observed) => number): number {
  return rounds.reduce((all, round) => all + count(round), 0);
}

function refusals(rounds: readonly Observed[]): number {
  return sum(rounds, ({ state }) => state.messages.filter(({ refused }) => refused > 0).length);
}

/** The largest of these milliseconds. */
function seconds(all: readonly number[]): string {
  return (Math.max(0, ...all) / 1_000).toFixed(1);
}

function isDeploy({ faults }: Observed): boolean {
  return faults.length > 0 && faults.every(({ name }) => name === DEPLOY);
}

/** From the first save to the last, including outages. */
function savesPerSecond({ history }: Observed): number {
  const times = operationsOf(history, 'save').map(({ invoke }) => invoke.at);
  const first = times[0] ?? 0;
  const last = times.at(-1) ?? first + 1;
  return acknowledged(history, 'save').length / ((last - first) / 1_000);
}
