import { setTimeout as delay } from 'node:timers/promises';
import { monotonicNow } from '../checks/history.ts';
import { untilReady } from '../system/system.ts';
import type { Fault } from './fault.ts';

export const FAILOVER = 'SIGKILL of the primary, promotion of the standby';

/**
 * The connection between both is cut first and stays cut: anything acknowledged without the standby is
 * lost. Servers are not restarted; they find the new primary on their own.
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
