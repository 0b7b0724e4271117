import { expect, it } from 'vitest';
import type { KindFigures } from './latencies.ts';
import type { LoadRun, MeasuredPart } from './run-load.ts';
import { evaluateLoad } from './verdicts.ts';

const figures = (ok: number, more: Partial<KindFigures> = {}): KindFigures => ({
  ok,
  refused: 0,
  failed: 0,
  unanswered: 0,
  firstTrouble: null,
  p50Ms: 5,
  p99Ms: 20,
  p999Ms: 30,
  p99MsByTenSeconds: [20],
  longestMs: 40,
  ...more,
});

function part(kinds: MeasuredPart['kinds'], people: number, plannedSeconds: number): MeasuredPart {
  const rest = { name: 'part', shares: null, loadMicros: 0, latestMs: 1 };
  return { ...rest, kinds, people, plannedSeconds, wallSeconds: plannedSeconds };
}

/** A run of 150 candidates that keeps every promise. */
function goodRun(): LoadRun {
  const entered = (n: number) => ({ 'sign-in': figures(n), start: figures(n), paper: figures(n) });
  return {
    candidates: 150,
    signIn: part(entered(150), 150, 30),
    rush: part(entered(30), 30, 2),
    sit: part({ save: figures(700), heartbeat: figures(900) }, 150, 60),
    submit: part({ submit: figures(150) }, 150, 60),
    readBack: { answers: 150, lost: [] },
    ended: 150,
    machine: {
      cpu: 'any',
      cores: 2,
      memoryGib: 1,
      system: 'any',
      node: '24',
      disk: { fileSystem: 'any', syncMicros: 1 },
    },
  };
}

const broken = (run: LoadRun) =>
  evaluateLoad(run)
    .filter(({ kept }) => !kept)
    .map(({ promise }) => promise);

it.each<[string, (run: LoadRun) => void]>([
  [
    '150 candidates save at least 10 times a second',
    (run) => {
      run.sit.kinds.save = figures(500);
    },
  ],
  [
    'p99 of a save under 500 ms',
    (run) => {
      run.sit.kinds.save = figures(700, { p99Ms: 501 });
    },
  ],
  [
    'no 5xx, nothing refused, every request answered',
    (run) => {
      run.sit.kinds.heartbeat = figures(900, { failed: 1 });
    },
  ],
  [
    'nothing acknowledged is lost',
    (run) => {
      run.readBack.lost.push('one');
    },
  ],
  [
    '150 submit within 60 s, each attempt ends once',
    (run) => {
      run.ended = 149;
    },
  ],
  [
    '30 sign in and start within 2 s',
    (run) => {
      run.rush.kinds.start = figures(29);
    },
  ],
])('detects a broken promise: %s', (promise, spoil) => {
  const run = goodRun();
  spoil(run);
  expect(broken(run)).toEqual([promise]);
});

it('finds nothing in a good run, and returns one verdict per promise', () => {
  expect(broken(goodRun())).toEqual([]);
  expect(evaluateLoad(goodRun())).toHaveLength(11);
});
