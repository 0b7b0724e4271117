import { Readable } from 'node:stream';
import { createTransport } from 'nodemailer';
import MailComposer from 'nodemailer/lib/mail-composer/index.js';
import type { RenderedMessage } from './invitation-message.ts';
import { resolveMailHost } from './mail-host.ts';

/** Where and as whom to deliver. */
export interface MailServer {
  host: string;
  port: number;
  username: string;
  password: string;
  fromEmail: string;
}

export interface Envelope {
  to: string;
  messageId: string;
  /** Of the message, so that every try has the same one. */
  date: Date;
}

/**
 * How a try ended. `uncertain`: the whole message went out and no answer came, so the server may
 * have taken it.
 */
export type DeliveryOutcome =
  | { kind: 'sent' }
  | { kind: 'refused'; error: string }
  | { kind: 'temporary'; error: string }
  | { kind: 'uncertain'; error: string };

const CONNECT_TIMEOUT_MS = 10_000;
const SOCKET_TIMEOUT_MS = 30_000;
const IMPLICIT_TLS_PORT = 465;

/** Tries once to hand a message over; never throws for what the mail server does. */
export async function deliver(
  server: MailServer,
  namedHosts: readonly string[],
  envelope: Envelope,
  message: RenderedMessage,
): Promise<DeliveryOutcome> {
  const resolved = await resolveMailHost(server.host, namedHosts);
  if (resolved.kind === 'forbidden') return { kind: 'refused', error: resolved.reason };
  if (resolved.kind === 'unknown') return { kind: 'temporary', error: resolved.reason };

  const raw = await compose(server, envelope, message);
  let handedOver = false;
  const source = Readable.from(
    (function* () {
      yield raw;
      // Reached when the connection asks for more: all of the message is on its way.
      handedOver = true;
    })(),
  );
  const transport = createTransport({
    // The address that was judged, not the name: it cannot point elsewhere meanwhile.
    host: resolved.address,
    port: server.port,
    secure: server.port === IMPLICIT_TLS_PORT,
    requireTLS: !resolved.isNamed && server.port !== IMPLICIT_TLS_PORT,
    tls: { servername: server.host, rejectUnauthorized: !resolved.isNamed },
    // SMTP_URL may name a relay that asks for no sign-in.
    ...(server.username === '' ? {} : { auth: { user: server.username, pass: server.password } }),
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: SOCKET_TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  try {
    await transport.sendMail({
      envelope: { from: server.fromEmail, to: envelope.to },
      raw: source,
    });
    return { kind: 'sent' };
  } catch (error) {
    return judgeFailure(error, handedOver);
  } finally {
    transport.close();
  }
}

async function compose(server: MailServer, envelope: Envelope, message: RenderedMessage) {
  const composer = new MailComposer({
    from: { name: 'Invigil', address: server.fromEmail },
    to: envelope.to,
    subject: message.subject,
    text: message.text,
    html: message.html,
    messageId: envelope.messageId,
    date: envelope.date,
    headers: { 'Auto-Submitted': 'auto-generated' },
  });
  return composer.compile().build();
}

/** Reads nodemailer's error: SMTP answers carry a `responseCode` (RFC 5321: 5xx is permanent). */
function judgeFailure(error: unknown, handedOver: boolean): DeliveryOutcome {
  const text = error instanceof Error ? error.message : String(error);
  const code = field(error, 'responseCode');
  if (typeof code === 'number' && code >= 500) {
    // A refused sign-in is the administrator's to mend; the message itself was not refused.
    return field(error, 'code') === 'EAUTH'
      ? { kind: 'temporary', error: `The mail server refused the sign-in: ${text}` }
      : { kind: 'refused', error: text };
  }
  if (typeof code === 'number') return { kind: 'temporary', error: text };
  return handedOver ? { kind: 'uncertain', error: text } : { kind: 'temporary', error: text };
}

function field(error: unknown, name: string): unknown {
  return typeof error === 'object' && error !== null ? Reflect.get(error, name) : undefined;
}
