import { describe, expect, it } from 'vitest';
import { arrivalsOf, type Sitting, timetableOf } from './timetable.ts';

const SITTING: Sitting = {
  seed: 'test',
  candidates: 500,
  seconds: 600,
  thinkMs: 14_000,
  burst: { seconds: 60, times: 2 },
  heartbeatEveryMs: 10_000,
  reportEveryMs: 600_000,
};

describe('a timetable', () => {
  const table = timetableOf(SITTING);
  const entries = Array.from(table.at, (at, i) => ({ at, who: table.who[i], what: table.what(i) }));
  const saves = entries.filter(({ what }) => what === 'save');

  it('is the same for the same seed, and different for another', () => {
    expect(timetableOf({ ...SITTING, seed: 'other' }).at).not.toEqual(table.at);
    const again = timetableOf(SITTING);
    expect([again.at, again.who]).toEqual([table.at, table.who]);
  });

  it('is sorted by time and stays within the duration', () => {
    expect(table.at).toEqual(table.at.toSorted());
    expect(entries[0]?.at).toBeGreaterThanOrEqual(0);
    expect(entries.at(-1)?.at).toBeLessThan(600_000);
  });

  it('lets each candidate save more often than every fifteen seconds', () => {
    expect(saves.length / SITTING.seconds).toBeGreaterThan(SITTING.candidates / 15);
    expect(new Set(saves.map(({ who }) => who)).size).toBe(SITTING.candidates);
  });

  it('has twice as many saves a second at the end', () => {
    const perSecond = (from: number, to: number) =>
      saves.filter(({ at }) => at >= from * 1_000 && at < to * 1_000).length / (to - from);
    const ratio = perSecond(545, 600) / perSecond(60, 540);
    expect(ratio).toBeGreaterThan(1.7);
    expect(ratio).toBeLessThan(2.3);
  });

  it('has a heartbeat per candidate every ten seconds, evenly spread', () => {
    const heartbeats = entries.filter(({ what }) => what === 'heartbeat');
    expect(heartbeats.length / (SITTING.candidates * 60)).toBeCloseTo(1, 1);
    const inFirstSecond = heartbeats.filter(({ at }) => at < 1_000).length;
    expect(inFirstSecond).toBeGreaterThan(20);
    expect(inFirstSecond).toBeLessThan(90);
  });

  it('has about one report per candidate', () => {
    const reports = entries.filter(({ what }) => what === 'report').length;
    expect(reports).toBeGreaterThan(400);
    expect(reports).toBeLessThan(600);
  });
});

it('arrivals are within the time, sorted, and differ by seed', () => {
  const at = arrivalsOf('test', 1_000, 20);
  expect(at).toHaveLength(1_000);
  expect(at).toEqual(at.toSorted());
  expect(at.at(-1)).toBeLessThan(20_000);
  expect(arrivalsOf('other', 1_000, 20)).not.toEqual(at);
});
