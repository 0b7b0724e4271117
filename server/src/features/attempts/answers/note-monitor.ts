import type { AppContext } from '../../../app-context.ts';

/**
 * Notes a monitor that spoke up in a save. No one waits for it: the answers are stored already, and
 * an acknowledgement that failed with this would make the browser send them again. What is lost with
 * it comes with the next heartbeat.
 */
export function noteMonitor(
  ctx: Pick<AppContext, 'heartbeats' | 'log'>,
  save: { participantId: string; sessionId: string; now: Date },
): void {
  ctx.heartbeats.beat({ ...save, isMonitored: true }).catch((err: unknown) => {
    ctx.log.warn({ err, participant: save.participantId }, 'a monitor in a save was not noted');
  });
}
