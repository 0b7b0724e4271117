import { setTimeout as delay } from 'node:timers/promises';
import type { Fault } from './fault.ts';
import { monotonicNow } from './history.ts';
import { untilReady } from './system.ts';

export const FAILOVER = 'SIGKILL of the primary, and its standby is promoted';

/**
 * The line between both is cut first, and stays cut: who acknowledges what the standby has not got loses
 * it now. No one ends or starts a server; they find the new primary by themselves.
 */
export const failover: Fault = {
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
