import { expect, it } from 'vitest';
import { runLoad } from './run-load.ts';
import { evaluateLoad } from './verdicts.ts';

/** Promises about speed are left to `npm run load`: this machine may be busy. */
const ABOUT_SPEED = /^p99|times a second$/;

it('candidates of two processes sign in, save and submit without losing an acknowledged answer', async () => {
  const run = await runLoad({
    seed: 'tiny',
    database: 'external',
    candidates: 20,
    processes: 2,
    questions: 10,
    signInSeconds: 2,
    rush: { people: 5, seconds: 1 },
    sitting: {
      seconds: 4,
      thinkMs: 500,
      burst: { seconds: 1, times: 2 },
      heartbeatEveryMs: 1_000,
      reportEveryMs: 4_000,
    },
    submitSeconds: 2,
    say: () => undefined,
  });
  const verdicts = evaluateLoad(run).filter(({ promise }) => !ABOUT_SPEED.test(promise));
  expect(verdicts.filter(({ kept }) => !kept)).toEqual([]);
  expect(verdicts).toHaveLength(5);
  // People of the rush do not stay.
  expect(run.ended).toBe(20);
  expect(run.readBack.answers).toBeGreaterThan(100);
});
