import type { AppContext } from '../../../app-context.ts';

/**
 * Records that a save carried a monitor report. Not awaited: the answers are stored already, and a
 * failure here would make the browser send them again. The next heartbeat repeats what is lost.
 */
export function noteMonitor(
  ctx: Pick<AppContext, 'heartbeats' | 'log'>,
  save: { participantId: string; sessionId: string; now: Date },
): void {
  ctx.heartbeats.record({ ...save, isMonitored: true }).catch((err: unknown) => {
    ctx.log.warn({ err, participant: save.participantId }, 'a monitor report was not recorded');
  });
}
