import { expect, it } from 'vitest';
import { measureConnection } from './connection-check.ts';

/** A connection whose requests take the given times, milliseconds; `null` fails. */
function line(times: (number | null)[]) {
  let clock = 0;
  let n = 0;
  const ask = () => {
    const time = times[n] ?? null;
    n += 1;
    clock += time ?? 0;
    return time === null ? Promise.reject(new Error('no answer')) : Promise.resolve();
  };
  return measureConnection(ask, () => clock);
}

it('reports a failed request, even the last one', async () => {
  expect(await line([null])).toEqual({ kind: 'unreachable' });
  expect(await line([20, 20, null])).toEqual({ kind: 'unreachable' });
});

it('uses the median of three requests', async () => {
  expect(await line([900, 30, 40])).toEqual({ kind: 'good', roundTripMs: 40 });
  expect(await line([1_400, 1_200, 10])).toEqual({ kind: 'slow', roundTripMs: 1_200 });
});
