import { setTimeout as delay } from 'node:timers/promises';
import { clockOfDatabase, clockOfServer } from './clock-faults.ts';
import { cutInvitation, cutSaves } from './cut-transactions.ts';
import { diskFull } from './disk-fault.ts';
import { failover } from './failover.ts';
import type { Fault } from './fault.ts';
import { monotonicNow } from './history.ts';
import type { LineMode } from './line-proxy.ts';
import type { Notes } from './notes.ts';
import { type System, type SystemName, untilReady } from './system.ts';

const startedAgain = async (
  system: System,
  notes: Notes,
  end: (app: System['apps'][number]) => Promise<unknown>,
  which = 0,
) => {
  const app = system.apps[which];
  if (!app) throw new Error(`there is no server ${which}`);
  const from = monotonicNow();
  await end(app);
  const readyMs = await app.startAgain();
  notes.cuts += 1;
  notes.readyMs.push(readyMs);
  if (system.apps.length === 1) notes.outages.push({ from, to: monotonicNow() });
};

const databaseAway = async (system: System, notes: Notes, fault: () => Promise<void>) => {
  const from = monotonicNow();
  await fault();
  // So that a server which has not detected yet is not taken for a healthy one.
  await delay(100);
  for (const app of system.apps) await untilReady(app);
  notes.cuts += 1;
  notes.outages.push({ from, to: monotonicNow() });
};

/** Every line is so for a while; then what still hangs is reset, and it is as before. */
const line = (name: string, mode: LineMode, cutsLines = true): Fault => ({
  name,
  cutsLines,
  // The service is up and closes in time: an outage of its lines is none of the service.
  async play({ apps }, _notes, { holdMs }) {
    for (const app of apps) app.line.set(mode);
    await delay(holdMs);
    for (const app of apps) {
      app.line.set({ kind: 'pass' });
      if (cutsLines) app.line.reset();
    }
  },
});

const reset: Fault = {
  name: 'lines reset',
  cutsLines: true,
  async play({ apps }) {
    for (const app of apps) app.line.reset();
  },
};

const LINES: Fault[] = [
  line('replies swallowed after the commit', { kind: 'swallow' }),
  reset,
  line('lines drop everything', { kind: 'drop' }),
  line('lines half-open', { kind: 'half-open' }),
  line('lines with 300 ms latency', { kind: 'latency', ms: 300 }, false),
  line('lines of 2 KB/s', { kind: 'slow', bytesPerSecond: 2_000 }, false),
];

const DATABASE: Fault[] = [
  {
    name: 'SIGKILL of the database',
    cutsLines: false,
    async play(system, notes) {
      notes.kills += 1;
      await databaseAway(system, notes, async () => system.signalPostmaster('SIGKILL'));
    },
  },
  {
    name: 'SIGINT of the database (fast restart)',
    cutsLines: false,
    play: (system, notes) =>
      databaseAway(system, notes, async () => system.signalPostmaster('SIGINT')),
  },
  {
    name: 'SIGSTOP of the database',
    cutsLines: false,
    play: (system, notes, { holdMs }) =>
      databaseAway(system, notes, async () => {
        system.signalDatabase('SIGSTOP');
        await delay(holdMs);
        system.signalDatabase('SIGCONT');
      }),
  },
  cutSaves,
  cutInvitation,
];

const stop: Fault = {
  name: 'SIGSTOP of a server',
  cutsLines: true,
  async play(system, notes, { holdMs }) {
    const app = system.apps[0];
    if (!app) return;
    const from = monotonicNow();
    process.kill(app.server.pid, 'SIGSTOP');
    await delay(holdMs);
    process.kill(app.server.pid, 'SIGCONT');
    await untilReady(app);
    notes.cuts += 1;
    if (system.apps.length === 1) notes.outages.push({ from, to: monotonicNow() });
  },
};

const kill: Fault = {
  name: 'SIGKILL of a server',
  cutsLines: true,
  play: (system, notes) =>
    startedAgain(system, notes, async ({ server }) => {
      notes.kills += 1;
      process.kill(server.pid, 'SIGKILL');
    }),
};

const killAll: Fault = {
  name: 'SIGKILL of server and database',
  cutsLines: true,
  play: (system, notes) =>
    startedAgain(system, notes, ({ server }) => {
      notes.kills += 1;
      return server.kill();
    }),
};

const term: Fault = {
  name: 'SIGTERM of a server',
  cutsLines: true,
  play: (system, notes) => startedAgain(system, notes, ({ server }) => server.stop()),
};

export const DEPLOY = 'deploy: SIGTERM of one server after the other';

const deploy: Fault = {
  name: DEPLOY,
  cutsLines: true,
  async play(system, notes) {
    for (const which of system.apps.keys()) {
      await startedAgain(system, notes, ({ server }) => server.stop(), which);
    }
  },
};

const SEVERAL = [kill, deploy, stop, ...DATABASE, ...LINES];

/** By system: what can go wrong with it. */
export const FAULTS: Record<SystemName, Fault[]> = {
  one: [killAll, kill, term, stop, ...DATABASE, ...LINES],
  two: SEVERAL,
  three: SEVERAL,
  disk: [diskFull],
  clocks: [clockOfDatabase, clockOfServer],
  replicated: [failover],
};
