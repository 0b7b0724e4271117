import { setTimeout as delay } from 'node:timers/promises';
import { monotonicNow } from '../checks/history.ts';
import type { Alarms } from '../checks/notes.ts';
import type { App } from '../system/app.ts';
import type { System } from '../system/system.ts';
import type { FakedClock } from './faked-clock.ts';
import type { Fault } from './fault.ts';

const JUMP_SECONDS = 7_200;
/** The service checks every five seconds, and a faked clock reads its file once a second. */
const DETECTED_WITHIN_MS = 15_000;
const POLL_EVERY_MS = 250;

/** The clock of the database's machine jumps two hours ahead, and back after a while. */
export const clockOfDatabase: Fault = {
  name: 'clock of the database +2 h',
  cutsLines: false,
  takesMs: 15_000,
  async play(system, notes, { holdMs }) {
    const away = () =>
      system.withDatabase(async (db) => {
        const now = await db.count('select extract(epoch from clock_timestamp()) * 1000 as n');
        return now - Date.now();
      });
    const { database } = clocksOf(system);
    const [app] = system.apps;
    if (!app) return;
    const alarm = { figure: 'invigil_clock_alarm', words: 'clock alarm: database time jumped' };
    const note = await jump(database, holdMs, away, app, alarm);
    notes.clocks.push({ whose: 'the database', ...note });
  },
};

/** The clock of one server's machine. */
export const clockOfServer: Fault = {
  name: 'clock of a server +2 h',
  cutsLines: false,
  takesMs: 15_000,
  async play(system, notes, { holdMs }) {
    const [app] = system.apps;
    if (!app) return;
    const away = async () => {
      const reply = await fetch(`${app.server.url}/healthz`);
      await reply.body?.cancel();
      return Date.parse(reply.headers.get('date') ?? '') - Date.now();
    };
    const { server } = clocksOf(system);
    const words = "clock alarm: this machine's clock is wrong";
    const alarm = { figure: 'invigil_machine_clock_alarm', words };
    notes.clocks.push({ whose: 'a server', ...(await jump(server, holdMs, away, app, alarm)) });
  },
};

async function jump(
  clock: FakedClock,
  holdMs: number,
  away: () => Promise<number>,
  app: App,
  { figure, words }: { figure: string; words: string },
) {
  const from = monotonicNow();
  clock.set(JUMP_SECONDS);
  const alarms: Alarms = { log: false, metrics: false, over: false };
  alarms.metrics = await until(async () => (await app.figure(figure)) === 1, DETECTED_WITHIN_MS);
  const seenMs = await away();
  await delay(Math.max(0, from + holdMs - monotonicNow()));
  alarms.log = app.server.output().includes(words);
  clock.set(0);
  const to = monotonicNow();
  alarms.over = await until(async () => (await app.figure(figure)) === 0, DETECTED_WITHIN_MS);
  return { from, to, seenMs, alarms };
}

/** Polls the condition; returns whether it became true in time. */
export async function until(condition: () => Promise<boolean>, withinMs: number): Promise<boolean> {
  const end = performance.now() + withinMs;
  while (performance.now() < end) {
    if (await condition()) return true;
    await delay(POLL_EVERY_MS);
  }
  return condition();
}

function clocksOf({ clocks }: System) {
  if (!clocks) throw new Error('the clocks of this system cannot be changed');
  return clocks;
}
