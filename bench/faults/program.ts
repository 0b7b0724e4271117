import { operationsOf } from './checks/history.ts';
import { playDueAtOnce } from './due-at-once.ts';
import { whyNoFakedClock } from './injected/faked-clock.ts';
import { DEPLOY } from './injected/faults.ts';
import { whyNoLimitedDisk } from './injected/limited-disk.ts';
import { type Observed, playRound, type RoundSettings } from './round.ts';
import { whyNoProxy } from './system/haproxy.ts';
import type { SystemName } from './system/system.ts';

/** The parts of a run, in order. */
export const PARTS = [
  'rounds',
  'kills',
  'hang',
  'deploy',
  'failover',
  'mail',
  'due',
  'disk',
  'clocks',
] as const;
export type Part = (typeof PARTS)[number];

export function isPart(text: string): text is Part {
  return PARTS.some((part) => part === text);
}

/** Sizes of a run. */
export interface Scale {
  seed: string;
  /** The counts of the promises, instead of small ones. */
  isLong: boolean;
  rounds?: number;
  candidates: number;
  perSecond: number;
  holdMs: number;
  quietMs: number;
  invited: number;
  systems: SystemName[];
  faults?: readonly string[];
}

const KILLS = ['SIGKILL of server and database', 'SIGKILL of a server', 'SIGKILL of the database'];
const FEWEST_SAVES = 1_000_000;
const FEWEST_KILLS = 200;
const FEWEST_MESSAGES = 1_000;
const FEWEST_DUE = 10_000;

/** Why a part cannot run on this machine; `null` where it can. */
export function whyNot(part: Part): string | null {
  if (part === 'disk') return whyNoLimitedDisk();
  if (part === 'failover') return whyNoProxy();
  return part === 'clocks' ? whyNoFakedClock() : null;
}

/** Plays the rounds of a part. */
export async function* playPart(
  part: Part,
  scale: Scale,
  say: (line: string) => void,
): AsyncGenerator<Observed> {
  const { seed, isLong, candidates, perSecond, holdMs, quietMs, invited } = scale;
  const round = (settings: Partial<RoundSettings>) => {
    const apps = settings.apps ?? 'one';
    say(`\n${part}: ${apps}`);
    return playRound({
      ...{ seed: `${seed} ${part}`, apps, candidates, perSecond, holdMs, quietMs },
      ...{ leaving: Math.floor(candidates / 4), invited: 0, say, ...settings },
    });
  };
  switch (part) {
    case 'rounds': {
      const { rounds = isLong ? 4 : 2, systems, faults } = scale;
      for (let i = 0; i < rounds; i += 1) {
        // Alternating, so that a run stopped early has covered both.
        const apps = systems[i % systems.length] ?? 'one';
        const few = apps === 'disk' || apps === 'clocks' ? { invited: 0 } : { invited };
        yield await round({
          ...{ seed: `${seed} ${i}`, apps, ...few },
          ...(faults ? { faults } : {}),
        });
      }
      return;
    }
    case 'kills': {
      // The counts of the promise: five rounds of 42 kills under about 700 saves a second.
      const times = isLong ? 14 : 1;
      const load = isLong ? { candidates: 84, perSecond: 10 } : { candidates, perSecond };
      const faults = Array.from({ length: times }, () => KILLS).flat();
      const lasting = { holdMs: isLong ? 4_000 : holdMs };
      for (let i = 0; i < (isLong ? 5 : 1); i += 1) {
        yield await round({ seed: `${seed} kills ${i}`, ...load, ...lasting, faults });
      }
      return;
    }
    case 'hang':
      yield await round({ faults: ['SIGSTOP of the database'], holdMs: 20_000 });
      return;
    case 'deploy': {
      const faults = Array.from({ length: isLong ? 5 : 1 }, () => DEPLOY);
      yield await round({ apps: 'two', candidates: 60, leaving: 0, perSecond: 6, faults });
      return;
    }
    case 'failover':
      // About 200 saves a second.
      for (let i = 0; i < (isLong ? 10 : 1); i += 1) {
        const load = { candidates: 60, leaving: 0, perSecond: 6 };
        yield await round({ seed: `${seed} failover ${i}`, apps: 'replicated', ...load });
      }
      return;
    case 'mail': {
      const faults = Array.from({ length: 5 }, () => 'SIGKILL of a server');
      const people = { candidates: 0, leaving: 0, invited: isLong ? FEWEST_MESSAGES : 150 };
      yield await round({ ...people, faults, badMail: true });
      return;
    }
    case 'due':
      say('\ndue: three');
      yield await playDueAtOnce(isLong ? FEWEST_DUE : 2_000);
      return;
    case 'disk':
      yield await round({ apps: 'disk' });
      return;
    case 'clocks':
      yield await round({ apps: 'clocks', holdMs: isLong ? 60_000 : holdMs });
  }
}

/** Whether the run reached the counts of the promises. */
export function shortfalls(
  rounds: readonly Observed[],
  parts: readonly Part[],
): { what: string; isReached: boolean }[] {
  const sum = (count: (round: Observed) => number) =>
    rounds.reduce((all, round) => all + count(round), 0);
  const saved = ({ history }: Observed) =>
    operationsOf(history, 'save').filter(({ outcome }) => outcome?.type === 'ok').length;
  const figures: [Part, string, number, number][] = [
    ['kills', 'acknowledged saves', sum(saved), FEWEST_SAVES],
    ['kills', 'kills', sum(({ kills }) => kills), FEWEST_KILLS],
    [
      'mail',
      'messages through a bad mail server',
      sum(({ mailFaults, state }) => (mailFaults === null ? 0 : state.messages.length)),
      FEWEST_MESSAGES,
    ],
    ['due', 'attempts due at once', sum(({ dueAtOnce }) => dueAtOnce?.many ?? 0), FEWEST_DUE],
  ];
  return figures
    .filter(([part]) => parts.includes(part))
    .map(([, what, n, target]) => ({
      what: `${n} ${what} (target: ${target})`,
      isReached: n >= target,
    }));
}
