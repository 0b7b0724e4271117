import { expect, it } from 'vitest';
import { costOf, otherShareIn, type Rate, yardstickOf } from './yardstick.ts';

const rate = (perSecond: number, otherShare: number | null = 0): Rate => ({
  ...{ perSecond, app: 1, postgres: 1, sender: 1, otherShare },
});
const round = (...rates: [clients: number, perSecond: number][]) =>
  new Map(rates.map(([clients, perSecond]) => [clients, rate(perSecond)]));

it('compares with the clients with which pgbench is fastest, and says where it collapses', () => {
  const rounds = [
    round([16, 17_000], [32, 20_000], [256, 1_000]),
    round([16, 30_000], [32, 20_000], [256, 1_000]),
    round([16, 17_000], [32, 20_000], [256, 900]),
  ];
  expect(yardstickOf(rounds)).toEqual({
    best: 32,
    warning: 'pgbench fell with 256 to 0.05 of its own rate with 32 clients',
  });
  expect(yardstickOf([round([16, 10], [256, 9])])).toEqual({ best: 16, warning: null });
  expect(yardstickOf([round([16, 10], [64, 0], [256, 1])]).warning).toBe(
    'pgbench fell with 64 to 0.00, with 256 to 0.10 of its own rate with 16 clients',
  );
  expect(yardstickOf([new Map()])).toEqual({ best: null, warning: null });
});

it('takes no negative processor time for one', () => {
  const spent = {
    ...{ app: 100, postgres: 300, own: 0, ended: 50, machine: 600, available: 1_000 },
  };
  expect(costOf(spent, 10, 50)).toEqual({ app: 10, postgres: 30, sender: 5, otherShare: 0.15 });
  const unknown = { app: null, postgres: null, sender: null, otherShare: null };
  expect(costOf({ ...spent, postgres: -1 }, 10, 50)).toEqual(unknown);
  expect(costOf({ ...spent, app: Number.NaN }, 10, 50)).toEqual(unknown);
  expect(costOf(spent, 10, -1)).toEqual(unknown);
  expect(costOf(spent, 0, 50)).toEqual(unknown);
  expect(costOf(undefined, 10, 50)).toEqual(unknown);
});

it('names the other load of the worst part, not only of the saves', () => {
  const saves = [rate(1, 0.01), rate(1, 0.02), rate(1, 0.5)];
  const pgbench = [rate(1, 0.3), rate(1, 0.2), rate(1, null), undefined];
  expect(otherShareIn([saves, pgbench])).toBe(0.2);
  expect(otherShareIn([[undefined], []])).toBe(0);
});
