import type { Readable } from 'node:stream';
import type { AttemptContext, LiveContext } from '../../app-context.ts';
import { EventStream } from './event-stream.ts';

/**
 * An event stream for a candidate: a state now, and again after each change of an attempt or assessment.
 *
 * @param id of the attempt or assessment
 * @param send reads the state and sends it; a failure is left to the next change
 */
export async function openCandidateStream(
  ctx: Pick<AttemptContext, 'attemptNews'> & Pick<LiveContext, 'openStreams'>,
  sessionId: string,
  id: string,
  send: (stream: EventStream) => Promise<void>,
): Promise<Readable> {
  const stream = new EventStream(() => {
    unsubscribe();
    ctx.openStreams.delete(sessionId, stream);
  });
  let sending: Promise<void> = Promise.resolve();
  const sendNext = () => {
    // One read after the other, so that states are sent in order.
    sending = sending.then(() => (stream.isOpen ? send(stream) : undefined)).catch(() => undefined);
  };
  const unsubscribe = await ctx.attemptNews.subscribe(id, sendNext);
  ctx.openStreams.add(sessionId, stream);
  sendNext();
  return stream.body;
}
