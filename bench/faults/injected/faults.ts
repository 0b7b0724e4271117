import { setTimeout as delay } from 'node:timers/promises';
import { monotonicNow } from '../checks/history.ts';
import type { Notes } from '../checks/notes.ts';
import { type System, type SystemName, untilReady } from '../system/system.ts';
import { clockOfDatabase, clockOfServer } from './clock-faults.ts';
import { cutInvitation, cutSaves } from './cut-transactions.ts';
import { diskFull } from './disk-fault.ts';
import type { Fault } from './fault.ts';
import type { LineMode } from './line-proxy.ts';

const restarted = async (
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

const databaseDown = async (system: System, notes: Notes, fault: () => Promise<void>) => {
  const from = monotonicNow();
  await fault();
  // A server that has not detected the fault yet must not pass as healthy.
  await delay(100);
  for (const app of system.apps) await untilReady(app);
  notes.cuts += 1;
  notes.outages.push({ from, to: monotonicNow() });
};

/** Sets the mode of every proxy for a while; then resets hanging connections. */
const line = (name: string, mode: LineMode, cutsLines = true): Fault => ({
  name,
  cutsLines,
  // The service is up and closes in time: a connection outage is not a service outage.
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
  name: 'connections reset',
  cutsLines: true,
  async play({ apps }) {
    for (const app of apps) app.line.reset();
  },
};

const LINES: Fault[] = [
  line('replies dropped after the commit', { kind: 'swallow' }),
  reset,
  line('connections drop everything', { kind: 'drop' }),
  line('connections half-open', { kind: 'half-open' }),
  line('connections with 300 ms latency', { kind: 'latency', ms: 300 }, false),
  line('connections of 2 KB/s', { kind: 'slow', bytesPerSecond: 2_000 }, false),
];

const DATABASE: Fault[] = [
  {
    name: 'SIGKILL of the database',
    cutsLines: false,
    async play(system, notes) {
      notes.kills += 1;
      await databaseDown(system, notes, async () => system.signalPostmaster('SIGKILL'));
    },
  },
  {
    name: 'SIGINT of the database (fast restart)',
    cutsLines: false,
    play: (system, notes) =>
      databaseDown(system, notes, async () => system.signalPostmaster('SIGINT')),
  },
  {
    name: 'SIGSTOP of the database',
    cutsLines: false,
    play: (system, notes, { holdMs }) =>
      databaseDown(system, notes, async () => {
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
    restarted(system, notes, async ({ server }) => {
      notes.kills += 1;
      process.kill(server.pid, 'SIGKILL');
    }),
};

const killAll: Fault = {
  name: 'SIGKILL of server and database',
  cutsLines: true,
  play: (system, notes) =>
    restarted(system, notes, ({ server }) => {
      notes.kills += 1;
      return server.kill();
    }),
};

const term: Fault = {
  name: 'SIGTERM of a server',
  cutsLines: true,
  play: (system, notes) => restarted(system, notes, ({ server }) => server.stop()),
};

export const DEPLOY = 'rolling deploy: SIGTERM of each server in turn';

const deploy: Fault = {
  name: DEPLOY,
  cutsLines: true,
  async play(system, notes) {
    for (const which of system.apps.keys()) {
      await restarted(system, notes, ({ server }) => server.stop(), which);
    }
  },
};

const SEVERAL = [kill, deploy, stop, ...DATABASE, ...LINES];

export const FAILOVER = 'SIGKILL of the primary, promotion of the standby';

/**
 * The connection between both is cut first and stays cut: anything acknowledged without the standby is
 * lost. Servers are not restarted; they find the new primary on their own.
 */
const failover: Fault = {
  name: FAILOVER,
  cutsLines: false,
  async play(system, notes, { holdMs }) {
    const { replicated } = system;
    if (!replicated) throw new Error('this system has no standby');
    const from = monotonicNow();
    replicated.line.set({ kind: 'drop' });
    await delay(holdMs);
    notes.kills += 1;
    replicated.signalPrimary('SIGKILL');
    await replicated.promote();
    notes.promotions.push(monotonicNow());
    for (const app of system.apps) await untilReady(app);
    notes.cuts += 1;
    notes.outages.push({ from, to: monotonicNow() });
  },
};

export const FAULTS: Record<SystemName, Fault[]> = {
  one: [killAll, kill, term, stop, ...DATABASE, ...LINES],
  two: SEVERAL,
  three: SEVERAL,
  disk: [diskFull],
  clocks: [clockOfDatabase, clockOfServer],
  replicated: [failover],
};
