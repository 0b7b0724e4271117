import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { CarriedClock } from './clock.ts';

const START = Date.parse('2026-05-14T08:00:00.000Z');
const HOUR = 3_600_000;

/** Two sources that a test controls, and what the clock logged. */
async function startClock() {
  const sources = {
    database: START,
    monotonic: 5_000,
    uptime: 9_000_000,
    machine: START,
    /** milliseconds that one query takes */
    travel: 0,
    away: false,
    /** Real time passes for both sources. */
    pass(ms: number) {
      sources.database += ms;
      sources.monotonic += ms;
      sources.uptime += ms;
      sources.machine += ms;
    },
    /** The machine of both is suspended for this long. */
    sleep(ms: number) {
      sources.database += ms;
      sources.uptime += ms;
      sources.machine += ms;
    },
  };
  const lines: { level: number; msg: string; differenceMs?: number }[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const clock = new CarriedClock(
    {
      async databaseMs() {
        if (sources.away) throw new Error('the database is away');
        sources.pass(sources.travel / 2);
        const reading = sources.database;
        sources.pass(sources.travel / 2);
        return reading;
      },
      monotonicMs: () => sources.monotonic,
      uptimeMs: () => sources.uptime,
      machineMs: () => sources.machine,
    },
    log,
  );
  await clock.start();
  return { clock, sources, lines, ahead: () => clock.now().getTime() - sources.database };
}

describe('the service clock', () => {
  it("is the database's time, carried on by the monotonic clock", async () => {
    const { clock, sources } = await startClock();
    expect(clock.now().toISOString()).toBe('2026-05-14T08:00:00.000Z');
    sources.monotonic += 1_234.9;
    expect(clock.now().toISOString()).toBe('2026-05-14T08:00:01.234Z');
    expect(clock.isTrusted()).toBe(true);
  });

  it('assigns a reading to the middle of its query, however long that takes', async () => {
    const { clock, sources, ahead } = await startClock();
    sources.travel = 3_000;
    await clock.compare();
    expect(ahead()).toBe(0);
    expect(clock.isTrusted()).toBe(true);
  });

  it.each([1, 4_999, 5_000])('follows a database that gained %i ms', async (drift) => {
    const { clock, sources, lines, ahead } = await startClock();
    sources.database += drift;
    await clock.compare();
    expect(ahead()).toBe(0);
    expect(clock.isTrusted()).toBe(true);
    expect(lines).toEqual([]);
  });

  it.each([1, 4_999, 5_000])(
    'waits for a database that lost %i ms, and never runs backwards',
    async (drift) => {
      const { clock, sources, ahead } = await startClock();
      sources.pass(60_000);
      const before = clock.now();
      sources.database -= drift;
      await clock.compare();
      expect(clock.isTrusted()).toBe(true);
      expect(clock.now()).toEqual(before);
      sources.pass(drift - 1);
      expect(clock.now()).toEqual(before);
      sources.pass(2);
      expect(clock.now().getTime()).toBe(before.getTime() + 1);
      expect(ahead()).toBe(0);
    },
  );

  it('is neither moved nor alarmed by a reading that took long to arrive', async () => {
    const { clock, sources, lines, ahead } = await startClock();
    sources.pass(HOUR);
    sources.travel = 30_000;
    // The response arrived at once, but was processed late, as under load.
    sources.database -= 14_000;
    await clock.compare();
    sources.database += 14_000;
    expect(ahead()).toBe(0);
    expect(clock.isTrusted()).toBe(true);
    expect(lines).toEqual([]);
  });

  it('follows a drift that adds up over a day', async () => {
    const { clock, sources, ahead } = await startClock();
    for (let i = 0; i < 17_280; i += 1) {
      sources.pass(5_000);
      sources.database += 1;
      await clock.compare();
    }
    expect(ahead()).toBe(0);
    expect(clock.isTrusted()).toBe(true);
  });

  it.each([
    ['two hours ahead', 2 * HOUR],
    ['two hours back', -2 * HOUR],
    ['just beyond the tolerance ahead', 5_001],
    ['just beyond the tolerance back', -5_001],
  ])('keeps its time when the database jumps %s, and reports it once', async (_, jump) => {
    const { clock, sources, lines } = await startClock();
    sources.pass(60_000);
    sources.database += jump;
    await clock.compare();
    expect(clock.isTrusted()).toBe(false);
    expect(clock.now().getTime()).toBe(START + 60_000);
    sources.pass(10_000);
    await clock.compare();
    expect(clock.now().getTime()).toBe(START + 70_000);
    expect(lines).toMatchObject([{ level: 50, differenceMs: jump }]);
  });

  it.each([2 * HOUR, -2 * HOUR])(
    'trusts the database again when a jump of %i ms was reverted',
    async (jump) => {
      const { clock, sources, lines, ahead } = await startClock();
      sources.database += jump;
      await clock.compare();
      expect(clock.isTrusted()).toBe(false);
      sources.pass(30_000);
      sources.database -= jump;
      await clock.compare();
      expect(clock.isTrusted()).toBe(true);
      expect(ahead()).toBe(0);
      expect(lines.map((l) => l.level)).toEqual([50, 40]);
    },
  );

  it.each([8_000, 2 * HOUR])('follows after a sleep of %i ms, and is trusted', async (ms) => {
    const { clock, sources, lines, ahead } = await startClock();
    sources.pass(60_000);
    sources.sleep(ms);
    await clock.compare();
    expect(clock.isTrusted()).toBe(true);
    expect(ahead()).toBe(0);
    expect(lines).toMatchObject([{ level: 40, sleptMs: ms }]);
    sources.pass(5_000);
    await clock.compare();
    expect(lines).toHaveLength(1);
  });

  it.each([
    ['halted with its machine', 8_000, true],
    ['halted for a whole minute', 60_000, true],
    ['shown a very different time', 60_001, false],
    ['shown an earlier time', -8_000, false],
  ])('a process that was %s is late: %i ms, %s', async (_, ms, isLate) => {
    const { clock, sources } = await startClock();
    expect(clock.isLate()).toBe(false);
    sources.database += ms;
    await clock.compare();
    expect([clock.isTrusted(), clock.isLate()]).toEqual([false, isLate]);
    sources.database -= ms;
    await clock.compare();
    expect([clock.isTrusted(), clock.isLate()]).toEqual([true, false]);
  });

  it('recognizes a jump during a sleep', async () => {
    const { clock, sources } = await startClock();
    sources.sleep(HOUR);
    sources.database += 6_000;
    await clock.compare();
    expect(clock.isTrusted()).toBe(false);
  });

  it('is not misled by the uptime of a machine whose database sleeps elsewhere', async () => {
    const { clock, sources, ahead } = await startClock();
    sources.uptime += HOUR;
    await clock.compare();
    expect(clock.isTrusted()).toBe(true);
    expect(ahead()).toBe(0);
  });
  it.each([2 * HOUR, -2 * HOUR])(
    'reports that its machine’s clock jumped by %i ms, and keeps its own time',
    async (jump) => {
      const { clock, sources, lines, ahead } = await startClock();
      expect(clock.machineAgrees()).toBe(true);
      sources.pass(60_000);
      sources.machine += jump;
      for (let i = 0; i < 2; i += 1) {
        await clock.compare();
        expect([clock.machineAgrees(), clock.isTrusted(), ahead()]).toEqual([false, true, 0]);
      }
      sources.machine -= jump;
      await clock.compare();
      expect([clock.machineAgrees(), clock.isTrusted(), ahead()]).toEqual([true, true, 0]);
      expect(lines.map((l) => l.level)).toEqual([50, 40]);
    },
  );

  it('continues without the database, and compares again when it is back', async () => {
    const { clock, sources, ahead } = await startClock();
    sources.away = true;
    sources.pass(40_000);
    await expect(clock.compare()).rejects.toThrow('away');
    expect(ahead()).toBe(0);
    expect(clock.isTrusted()).toBe(true);
    sources.away = false;
    await clock.compare();
    expect(ahead()).toBe(0);
  });

  it('does not start without a reading', async () => {
    const clock = new CarriedClock(
      {
        databaseMs: () => Promise.reject(new Error('away')),
        monotonicMs: () => 0,
        uptimeMs: () => 0,
        machineMs: () => 0,
      },
      pino({ level: 'silent' }),
    );
    await expect(clock.start()).rejects.toThrow('away');
  });
});
