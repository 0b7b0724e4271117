import { Readable } from 'node:stream';
import { createTransport } from 'nodemailer';
import MailComposer from 'nodemailer/lib/mail-composer/index.js';
import { SMTPS_PORT } from '../runtime/config-values.ts';
import { type ResolvedHost, resolveMailHost } from './mail-host.ts';
import type { RenderedMessage } from './messages/invitation-message.ts';
import { refusalWords } from './refusal-words.ts';

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
  | { kind: 'uncertain'; error: string }
  /** We dropped the line before all of the message was on its way. */
  | { kind: 'stopped' };

/** How long a silent mail server is waited for. */
interface Patience {
  connectMs: number;
  answerMs: number;
}

const PATIENCE: Patience = { connectMs: 10_000, answerMs: 30_000 };

/** What one try came to, before anybody judges it. */
export type Handover =
  | { kind: 'accepted'; answer: string }
  | { kind: 'unresolved'; forbidden: boolean; reason: string }
  /** `handedOver`: all of the message was on its way when it failed. */
  | { kind: 'failed'; error: unknown; handedOver: boolean };

/**
 * Tries once to hand a message over; never throws for what the mail server does.
 *
 * @param cut drops the connection; the try has then failed
 */
export async function handOver(
  server: MailServer,
  namedHosts: readonly string[],
  envelope: Envelope,
  message: RenderedMessage,
  patience = PATIENCE,
  cut?: AbortSignal,
): Promise<Handover> {
  const resolved = await resolveUnlessCut(server, namedHosts, cut);
  if (resolved.kind !== 'allowed') {
    return {
      kind: 'unresolved',
      forbidden: resolved.kind === 'forbidden',
      reason: resolved.reason,
    };
  }
  const raw = await compose(server, envelope, message);
  let handedOver = false;
  const source = Readable.from(
    (function* () {
      yield raw;
      // Reached when the connection asks for more: all of the message is on its way.
      handedOver = true;
    })(),
  );
  const transport = openTransport(server, resolved, patience);
  try {
    const info = await transport.sendMail({
      envelope: { from: server.fromEmail, to: envelope.to },
      raw: source,
      ...(cut ? { signal: cut } : {}),
    });
    return { kind: 'accepted', answer: info.response };
  } catch (error) {
    return { kind: 'failed', error, handedOver };
  } finally {
    transport.close();
  }
}

/** Delivers a message once and says what that means for the next try. */
export async function deliver(
  server: MailServer,
  namedHosts: readonly string[],
  envelope: Envelope,
  message: RenderedMessage,
  cut: AbortSignal,
): Promise<DeliveryOutcome> {
  const handover = await handOver(server, namedHosts, envelope, message, PATIENCE, cut);
  switch (handover.kind) {
    case 'accepted':
      return { kind: 'sent' };
    case 'unresolved':
      if (cut.aborted) return { kind: 'stopped' };
      // Also a forbidden host is the administrator's or operator's to change; the message waits.
      return { kind: 'temporary', error: handover.reason };
    case 'failed':
      if (cut.aborted && !handover.handedOver && field(handover.error, 'responseCode') == null) {
        return { kind: 'stopped' };
      }
      return judgeFailure(handover.error, handover.handedOver);
  }
}

/** A name server may be silent for longer than a process has that stops. */
async function resolveUnlessCut(
  server: MailServer,
  namedHosts: readonly string[],
  cut: AbortSignal | undefined,
): Promise<ResolvedHost> {
  if (!cut) return resolveMailHost(server, namedHosts);
  const isCut = Promise.withResolvers<ResolvedHost>();
  const giveUp = () => isCut.resolve({ kind: 'unknown', reason: 'stopped' });
  cut.addEventListener('abort', giveUp, { once: true });
  try {
    return await Promise.race([resolveMailHost(server, namedHosts), isCut.promise]);
  } finally {
    cut.removeEventListener('abort', giveUp);
  }
}

function openTransport(
  server: MailServer,
  resolved: { address: string; isNamed: boolean },
  patience: Patience,
) {
  return createTransport({
    // The address that was judged, not the name: it cannot point elsewhere meanwhile.
    host: resolved.address,
    port: server.port,
    secure: server.port === SMTPS_PORT,
    requireTLS: !resolved.isNamed && server.port !== SMTPS_PORT,
    tls: { servername: server.host, rejectUnauthorized: !resolved.isNamed },
    // SMTP_URL may name a relay that asks for no sign-in.
    ...(server.username === '' ? {} : { auth: { user: server.username, pass: server.password } }),
    connectionTimeout: patience.connectMs,
    greetingTimeout: patience.connectMs,
    socketTimeout: patience.answerMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
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
  const text = failureText(error);
  const code = field(error, 'responseCode');
  // A refusal before the sign-in is not about the message: it is the administrator's to fix.
  if (typeof code === 'number' && code >= 500 && isAfterSignIn(error)) {
    return { kind: 'refused', error: text };
  }
  if (typeof code === 'number') return { kind: 'temporary', error: text };
  return handedOver ? { kind: 'uncertain', error: text } : { kind: 'temporary', error: text };
}

/**
 * Whether a mail server had taken our sign-in when it failed. What it said before comes from a host that
 * is not known to be a mail server: of that only a status code is passed on, or the settings would be a
 * way to read the greetings of a private network.
 */
export function isAfterSignIn(error: unknown): boolean {
  return /^(MAIL|RCPT|DATA)/.test(String(field(error, 'command') ?? ''));
}

/** The status code of a refusal (RFC 5321), with the enhanced one where there is one (RFC 3463). */
export function statusOf(error: unknown): string | null {
  const code = field(error, 'responseCode');
  if (typeof code !== 'number') return null;
  const enhanced = /^\d{3}[ -]([245]\.\d{1,3}\.\d{1,3})\b/.exec(
    String(field(error, 'response')),
  )?.[1];
  return enhanced === undefined ? String(code) : `${code} ${enhanced}`;
}

/** How a connection fails, as Node names it; none of these words come from the other side. */
const NETWORK_CODES =
  /\b(ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|EPIPE|EADDRNOTAVAIL)\b/;

/** A failed connection by Node's own code. */
export function networkCodeOf(error: unknown): string | null {
  // nodemailer quotes what the server said in the message of its other errors.
  if (field(error, 'response') !== undefined) return null;
  const text = error instanceof Error ? `${field(error, 'code')} ${error.message}` : '';
  return NETWORK_CODES.exec(text)?.[1] ?? null;
}

/** What the outbox says of a failed try. */
function failureText(error: unknown): string {
  const code = field(error, 'responseCode');
  if (isAfterSignIn(error) && typeof code === 'number') {
    const command = String(field(error, 'command'));
    return refusalWords({ command, code, response: String(field(error, 'response') ?? '') });
  }
  const status = statusOf(error);
  if (field(error, 'code') === 'EAUTH') {
    return `The mail server refused the sign-in${status === null ? '' : ` (${status})`}`;
  }
  if (status !== null) return `The mail server refused the connection (${status})`;
  const network = networkCodeOf(error);
  return network === null
    ? 'The connection to the mail server failed'
    : `The connection to the mail server failed (${network})`;
}

/** A field that nodemailer puts on its errors. */
export function field(error: unknown, name: string): unknown {
  return typeof error === 'object' && error !== null ? Reflect.get(error, name) : undefined;
}
