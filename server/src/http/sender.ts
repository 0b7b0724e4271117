import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../runtime/app-error.ts';
import type { Sender } from '../runtime/work-queue.ts';
import { siteOf } from '../security/throttle-key.ts';

/** The one who waits for the answer of a call: a person, or a network where no one is signed in. */
export function senderOf({ request, reply }: Exchange): Sender {
  const { caller, ip } = request;
  const who = caller?.kind === 'admin' ? caller.adminId : siteOf(ip);
  return { caller: who, signal: closeOf(reply) };
}

interface Exchange {
  request: FastifyRequest;
  reply: FastifyReply;
}

/** Aborts when the connection of a reply is closed: its caller has left, or has the answer. */
function closeOf({ raw }: FastifyReply): AbortSignal {
  const closed = new AbortController();
  const close = () => closed.abort(new AppError('UNAVAILABLE'));
  // It may have closed while the request was admitted.
  if (raw.closed) close();
  else raw.once('close', close);
  return closed.signal;
}
