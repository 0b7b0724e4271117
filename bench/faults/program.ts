import { acknowledged } from './checks/history.ts';
import { playDueAtOnce } from './due-at-once.ts';
import { whyNoFakedClock } from './injected/faked-clock.ts';
import { DEPLOY } from './injected/faults.ts';
import { whyNoLimitedDisk } from './injected/limited-disk.ts';
import { type Observed, playRound, type RoundSettings } from './round.ts';
import { whyNoProxy } from './system/haproxy.ts';
import type { SystemName } from './system/system.ts';

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

export interface Scale {
  seed: string;
  /** The counts of the promises, instead of small ones. */
  isLong: boolean;
  rounds?: number;
  holdMs: number;
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
  const { seed, isLong, holdMs } = scale;
  for (const settings of roundsOf(part, scale)) {
    const apps = settings.apps ?? 'one';
    say(`\n${part}: ${apps}`);
    yield await playRound({ seed: `${seed} ${part}`, apps, holdMs, say, ...settings });
  }
  if (part === 'due') {
    say('\ndue: three');
    yield await playDueAtOnce(isLong ? FEWEST_DUE : 2_000);
  }
}

/** The settings that differ from a plain round, for each round of a part. */
function roundsOf(part: Part, scale: Scale): Partial<RoundSettings>[] {
  const { seed, isLong, holdMs, systems, faults } = scale;
  // About 200 saves a second.
  const sixty = { candidates: 60, leaving: 0, perSecond: 6 };
  switch (part) {
    case 'rounds':
      return times(scale.rounds ?? (isLong ? 4 : 2), (i) => {
        // Alternating, so that a run stopped early has covered both.
        const apps = systems[i % systems.length] ?? 'one';
        const invited = apps === 'disk' || apps === 'clocks' ? 0 : 50;
        return { seed: `${seed} ${i}`, apps, invited, ...(faults ? { faults } : {}) };
      });
    case 'kills':
      // The counts of the promise: five rounds of 42 kills under about 700 saves a second.
      return times(isLong ? 5 : 1, (i) => ({
        seed: `${seed} kills ${i}`,
        ...(isLong ? { candidates: 84, perSecond: 10, holdMs: 4_000 } : {}),
        faults: times(isLong ? 14 : 1, () => KILLS).flat(),
      }));
    case 'hang':
      return [{ faults: ['SIGSTOP of the database'], holdMs: 20_000 }];
    case 'deploy':
      return [{ apps: 'two', ...sixty, faults: times(isLong ? 5 : 1, () => DEPLOY) }];
    case 'failover':
      return times(isLong ? 10 : 1, (i) => ({
        seed: `${seed} failover ${i}`,
        apps: 'replicated',
        ...sixty,
      }));
    case 'mail': {
      const people = { candidates: 0, leaving: 0, invited: isLong ? FEWEST_MESSAGES : 150 };
      return [{ ...people, faults: times(5, () => 'SIGKILL of a server'), badMail: true }];
    }
    case 'due':
      return [];
    case 'disk':
      return [{ apps: 'disk' }];
    case 'clocks':
      return [{ apps: 'clocks', holdMs: isLong ? 60_000 : holdMs }];
  }
}

function times<T>(length: number, make: (i: number) => T): T[] {
  return Array.from({ length }, (_, i) => make(i));
}

/** Whether the run reached the counts of the promises. */
export function shortfalls(
  rounds: readonly Observed[],
  parts: readonly Part[],
): { what: string; isReached: boolean }[] {
  const sum = (count: (round: Observed) => number) =>
    rounds.reduce((all, round) => all + count(round), 0);
  const saved = ({ history }: Observed) => acknowledged(history, 'save').length;
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
