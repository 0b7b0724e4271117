import { expect, it } from 'vitest';
import { runOverload } from './run-overload.ts';

it('small attacks move no deadline, kill no process and fail no honest request', async () => {
  const { runs, killed } = await runOverload({
    candidates: 10,
    thinkMs: 200,
    seconds: 1,
    rounds: 1,
    connections: 30,
    say: () => undefined,
  });
  expect(killed).toEqual([]);
  expect(runs).toHaveLength(10);
  for (const run of runs) {
    expect(run).toMatchObject({ troubled: 0, moved: 0, overdue: 0 });
    // The benchmark checks how long saves take; here there must only be some.
    expect(run.ratio).toBeGreaterThan(0);
    expect(Object.keys(run.attack.answers)).not.toEqual([]);
  }
  const large = runs.filter(({ name }) => name.endsWith('of 1 MB'));
  expect(large).toHaveLength(2);
  for (const { attack } of large) expect(attack.answers['413']).toBeGreaterThan(0);
});
