import { seededRandom } from '@invigil/core/domain/questions/draw';

export type Action = 'save' | 'heartbeat' | 'report';

const ACTIONS: readonly Action[] = ['save', 'heartbeat', 'report'];

/** All actions, sorted by time. Fixed before the first request is sent. */
export interface Timetable {
  /** Milliseconds since the start. */
  at: Float64Array;
  who: Uint32Array;
  what(entry: number): Action;
}

export interface Sitting {
  seed: string;
  candidates: number;
  seconds: number;
  /** Mean time between two saves of a candidate. */
  thinkMs: number;
  /** Multiplies the saves by `times` in the last `seconds`. */
  burst: { seconds: number; times: number };
  heartbeatEveryMs: number;
  /** Mean time between two reports of a candidate's monitor. */
  reportEveryMs: number;
}

/** A sitting without a burst; with a heartbeat each ten seconds unless it says otherwise. */
export function evenly(
  sitting: Omit<Sitting, 'candidates' | 'burst' | 'heartbeatEveryMs'> & Partial<Sitting>,
): Omit<Sitting, 'candidates'> {
  return { burst: { seconds: 0, times: 1 }, heartbeatEveryMs: 10_000, ...sitting };
}

/** Spread of the think times: half of them are below 0.73 of the mean, one in a hundred above 4.7. */
const SIGMA = 0.8;

/**
 * The load of candidates: think times are log-normal (many short ones, a few long ones), heartbeats come
 * at fixed intervals from a random start, reports at random.
 */
export function timetableOf(sitting: Sitting): Timetable {
  const lastsMs = sitting.seconds * 1_000;
  const hurryFrom = lastsMs - sitting.burst.seconds * 1_000;
  const at: number[] = [];
  const who: number[] = [];
  const what: number[] = [];
  const add = (ms: number, candidate: number, action: Action) => {
    at.push(ms);
    who.push(candidate);
    what.push(ACTIONS.indexOf(action));
  };
  for (let candidate = 0; candidate < sitting.candidates; candidate += 1) {
    const random = seededRandom(`${sitting.seed} ${candidate}`);
    const think = (now: number) =>
      logNormal(random, sitting.thinkMs) / (now >= hurryFrom ? sitting.burst.times : 1);
    // The first save comes after a random part of a think time.
    for (let ms = random() * think(0); ms < lastsMs; ms += think(ms)) add(ms, candidate, 'save');
    const { heartbeatEveryMs, reportEveryMs } = sitting;
    for (let ms = random() * heartbeatEveryMs; ms < lastsMs; ms += heartbeatEveryMs) {
      add(ms, candidate, 'heartbeat');
    }
    const wait = () => -Math.log(1 - random()) * reportEveryMs;
    for (let ms = wait(); ms < lastsMs; ms += wait()) add(ms, candidate, 'report');
  }
  const order = Uint32Array.from(at.keys()).sort((a, b) => (at[a] ?? 0) - (at[b] ?? 0));
  const actions = Uint8Array.from(order, (i) => what[i] ?? 0);
  return {
    at: Float64Array.from(order, (i) => at[i] ?? 0),
    who: Uint32Array.from(order, (i) => who[i] ?? 0),
    what: (entry) => ACTIONS[actions[entry] ?? 0] ?? 'save',
  };
}

/** `many` random moments within `seconds`, sorted: arrivals of independent people. */
export function arrivalsOf(seed: string, many: number, seconds: number): Float64Array {
  const random = seededRandom(seed);
  return Float64Array.from({ length: many }, () => random() * seconds * 1_000).sort();
}

/** A log-normal number with this mean (Box-Muller). */
function logNormal(random: () => number, mean: number): number {
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return mean * Math.exp(SIGMA * normal - (SIGMA * SIGMA) / 2);
}

/**
 * Runs each entry at its moment, regardless of earlier ones: an open loop, like independent people.
 * Resolves after the last one with the largest delay of a start.
 *
 * @param at milliseconds since the start, in order
 * @param act gets the scheduled moment in ms of the monotonic clock
 */
export function followTimetable(
  at: Float64Array,
  act: (entry: number, scheduled: number) => void,
): Promise<{ latestMs: number }> {
  const begin = performance.now();
  let next = 0;
  let latestMs = 0;
  return new Promise((resolve, reject) => {
    const tick = () => {
      try {
        for (; next < at.length; next += 1) {
          const scheduled = begin + (at[next] ?? 0);
          const late = performance.now() - scheduled;
          if (late < 0) break;
          latestMs = Math.max(latestMs, late);
          act(next, scheduled);
        }
      } catch (error) {
        return reject(error);
      }
      if (next >= at.length) resolve({ latestMs });
      else setTimeout(tick, Math.max(1, begin + (at[next] ?? 0) - performance.now()));
    };
    tick();
  });
}
