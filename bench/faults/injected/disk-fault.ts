import { setTimeout as delay } from 'node:timers/promises';
import { monotonicNow } from '../checks/history.ts';
import { RESERVE_MB, type System, untilReady } from '../system/system.ts';
import { until } from './clock-faults.ts';
import type { Fault } from './fault.ts';

const MIB = 1024 * 1024;
const DETECTED_WITHIN_MS = 10_000;
/** The server checks once a second. */
const TWO_CHECKS_MS = 2_500;
const DATABASE_DETECTS_WITHIN_MS = 20_000;
const HEALS_WITHIN_MS = 90_000;

/** The disk fills up in three steps: low, almost full, full. Then it is cleared. */
export const diskFull: Fault = {
  name: 'disk full',
  cutsLines: false,
  takesMs: 15_000,
  async play(system, notes, { holdMs, newcomer, bystander }) {
    const { disk } = system;
    const [app] = system.apps;
    if (!disk || !app || !newcomer || !bystander)
      throw new Error('the disk of this system cannot be filled');
    const alarm = async () => (await app.figure('invigil_disk_alarm')) === 1;

    disk.fillUntil(RESERVE_MB * 0.75 * MIB);
    const metrics = await until(alarm, DETECTED_WITHIN_MS);
    const lowAt = monotonicNow();
    // Before the errors of a full database fill the log.
    const log = app.server.output().includes('disk alarm: little room is left');
    const whileLow = await newcomer.tryStart();
    const resumed = await bystander.tryStart();
    await delay(holdMs);

    disk.fillUntil(RESERVE_MB * 0.25 * MIB);
    await delay(TWO_CHECKS_MS);
    const { report, evidence } = await bystander.reportWithEvidence();

    const fullAt = monotonicNow();
    const isOut = await fillUp(system);
    if (!isOut) throw new Error('PostgreSQL never ran out of space: nothing was tested');
    const end = monotonicNow() + holdMs;
    while (monotonicNow() < end) {
      disk.fillUntil(0);
      await delay(100);
    }

    const freedAt = monotonicNow();
    disk.clear();
    await untilReady(app, HEALS_WITHIN_MS);
    let afterwards = await newcomer.tryStart();
    await until(async () => {
      if (afterwards.status !== 201) afterwards = await newcomer.tryStart();
      return afterwards.status === 201;
    }, HEALS_WITHIN_MS);
    const wellAt = monotonicNow();
    const over = !(await alarm()) && app.server.output().includes('disk alarm over');
    notes.outages.push({ from: fullAt, to: wellAt });
    // A message being sent when the database went down is retried later.
    notes.cuts += 1;
    notes.disks.push({
      ...{ lowAt, fullAt, freedAt, wellAt, whileLow, resumed, afterwards, report, evidence },
      alarms: { log, metrics, over },
    });
  },
};

/** Fills until the database reports a full disk or goes down because of it. */
async function fillUp(system: System): Promise<boolean> {
  const until = monotonicNow() + DATABASE_DETECTS_WITHIN_MS;
  while (monotonicNow() < until) {
    system.disk?.fillUntil(0);
    try {
      await system.withDatabase(async (db) => {
        // Writes only write-ahead log: the preallocated segments are soon used up.
        await db.query("select pg_logical_emit_message(false, 'full', repeat('x', 4000000))");
      });
    } catch {
      return true;
    }
  }
  return false;
}
