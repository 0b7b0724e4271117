import type { Readable } from 'node:stream';
import type { ServiceTime } from '@invigil/core/contract/attempts/connection-check';
import { CONNECTION_CHECK } from '@invigil/core/domain/limits';
import type { z } from 'zod';
import type { ServiceClock } from '../../runtime/clock.ts';
import { EventStream } from './event-stream.ts';

/** An event stream for a visitor: a few events one after the other, then its end. It keeps no one. */
export function openTrialStream(clock: Pick<ServiceClock, 'now'>): Readable {
  const stream = new EventStream(() => clearInterval(timer));
  let sent = 0;
  const send = () => {
    stream.send('time', { at: clock.now().toISOString() } satisfies z.infer<typeof ServiceTime>);
    sent += 1;
    if (sent === CONNECTION_CHECK.events) stream.end();
  };
  const timer = setInterval(send, CONNECTION_CHECK.everyMs);
  send();
  return stream.body;
}
