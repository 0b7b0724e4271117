import { isIP } from 'node:net';
import { Readable } from 'node:stream';
import { asciiEmail } from '@invigil/core/domain/email-address';
import type { MailProblem } from '@invigil/core/texts/mail-problems';
import { createTransport } from 'nodemailer';
import MailComposer from 'nodemailer/lib/mail-composer/index.js';
import { SMTPS_PORT } from '../runtime/config.ts';
import { type AccountFault, accountFault, faultOf, isAboutConnections } from './account-fault.ts';
import { type ResolvedHost, resolveMailHost } from './mail-host.ts';
import type { RenderedMessage } from './mails/mail.ts';
import { type SmtpAnswer, statusIn } from './smtp-answer.ts';
import { refusalOf } from './smtp-refusal.ts';

/** The mail server, with the account to deliver as. */
export interface MailServer {
  host: string;
  port: number;
  username: string;
  password: string;
  fromEmail: string;
  /** Shown beside the address; the product's where none is set. */
  fromName?: string | null;
  /** The name by which it is greeted (EHLO). Without one the machine's is used. */
  greeting?: string | undefined;
}

/** How the institution presents itself to a mail server, and to the readers of its mail. */
export function senderOf({
  name,
  publicUrl,
}: {
  name: string | null;
  publicUrl: string;
}): Required<Pick<MailServer, 'fromName' | 'greeting'>> {
  const { hostname } = new URL(publicUrl);
  // Mail servers refuse names that no one else can look up (RFC 5321, section 2.3.5).
  const isName = hostname.includes('.') && isIP(hostname) === 0;
  return { fromName: name, greeting: isName ? hostname : undefined };
}

export interface Envelope {
  to: string;
  messageId: string;
  /** The message's own, so that every attempt has the same one. */
  date: Date;
}

/**
 * The outcome of an attempt. `uncertain`: the whole message was sent and no response came, so the
 * server may have accepted it.
 */
export type DeliveryOutcome =
  | { kind: 'sent' }
  | { kind: 'refused'; problem: MailProblem }
  /** `fault`: of our own account, so that no message can be sent now. */
  | { kind: 'temporary'; problem: MailProblem; fault?: AccountFault }
  | { kind: 'uncertain'; problem: MailProblem }
  /** We closed the connection before all of the message was sent. */
  | { kind: 'stopped' };

interface Timeouts {
  connectMs: number;
  responseMs: number;
}

const TIMEOUTS: Timeouts = { connectMs: 10_000, responseMs: 30_000 };

export type Handover =
  | { kind: 'accepted'; answer: string }
  | { kind: 'unresolved'; resolved: Exclude<ResolvedHost, { kind: 'allowed' }> }
  /** `handedOver`: all of the message was sent when it failed. */
  | { kind: 'failed'; error: unknown; handedOver: boolean };

/**
 * Tries once to hand over a message; never throws for what the mail server does.
 *
 * @param cut closes the connection; the attempt has then failed
 */
export async function handOver(
  server: MailServer,
  namedHosts: readonly string[],
  envelope: Envelope,
  message: RenderedMessage,
  timeouts = TIMEOUTS,
  cut?: AbortSignal,
): Promise<Handover> {
  const resolved = await resolveUnlessCut(server, namedHosts, cut);
  if (resolved.kind !== 'allowed') return { kind: 'unresolved', resolved };
  const raw = await compose(server, envelope, message);
  let handedOver = false;
  const source = Readable.from(
    (function* () {
      yield raw;
      // Reached when the connection reads on: all of the message has been sent.
      handedOver = true;
    })(),
  );
  const transport = openTransport(server, resolved, timeouts);
  try {
    const info = await transport.sendMail({
      envelope: { from: asciiEmail(server.fromEmail), to: asciiEmail(envelope.to) },
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

/** Tries once to deliver a message, and classifies the result. */
export async function deliver(
  server: MailServer,
  namedHosts: readonly string[],
  envelope: Envelope,
  message: RenderedMessage,
  cut: AbortSignal,
): Promise<DeliveryOutcome> {
  const handover = await handOver(server, namedHosts, envelope, message, TIMEOUTS, cut);
  switch (handover.kind) {
    case 'accepted':
      return { kind: 'sent' };
    case 'unresolved':
      if (cut.aborted) return { kind: 'stopped' };
      // A forbidden host is a setting that administrator or operator can change; the messages wait.
      return handover.resolved.kind === 'forbidden'
        ? ofAccount(handover.resolved.problem)
        : { kind: 'temporary', problem: handover.resolved.problem };
    case 'failed':
      if (cut.aborted && !handover.handedOver && field(handover.error, 'responseCode') == null) {
        return { kind: 'stopped' };
      }
      return classifyFailure(handover.error, handover.handedOver);
  }
}

/** A name server may take longer than a shutdown allows. */
async function resolveUnlessCut(
  server: MailServer,
  namedHosts: readonly string[],
  cut: AbortSignal | undefined,
): Promise<ResolvedHost> {
  if (!cut) return resolveMailHost(server, namedHosts);
  const isCut = Promise.withResolvers<ResolvedHost>();
  const onCut = () => isCut.resolve({ kind: 'unknown', problem: { code: 'stopped' } });
  cut.addEventListener('abort', onCut, { once: true });
  try {
    return await Promise.race([resolveMailHost(server, namedHosts), isCut.promise]);
  } finally {
    cut.removeEventListener('abort', onCut);
  }
}

function openTransport(
  server: MailServer,
  resolved: { address: string; isNamed: boolean },
  timeouts: Timeouts,
) {
  return createTransport({
    ...(server.greeting === undefined ? {} : { name: server.greeting }),
    // The address that was checked, not the name, which may point elsewhere by now.
    host: resolved.address,
    port: server.port,
    secure: server.port === SMTPS_PORT,
    requireTLS: !resolved.isNamed && server.port !== SMTPS_PORT,
    tls: { servername: server.host, rejectUnauthorized: !resolved.isNamed },
    // SMTP_URL may name a relay without sign-in.
    ...(server.username === '' ? {} : { auth: { user: server.username, pass: server.password } }),
    connectionTimeout: timeouts.connectMs,
    greetingTimeout: timeouts.connectMs,
    socketTimeout: timeouts.responseMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

async function compose(server: MailServer, envelope: Envelope, message: RenderedMessage) {
  const composer = new MailComposer({
    from: { name: server.fromName ?? 'Invigil', address: asciiEmail(server.fromEmail) },
    to: asciiEmail(envelope.to),
    subject: message.subject,
    text: message.text,
    html: message.html,
    ...(message.calendar === undefined
      ? {}
      : { icalEvent: { method: 'PUBLISH', content: message.calendar } }),
    messageId: envelope.messageId,
    date: envelope.date,
    headers: { 'Auto-Submitted': 'auto-generated' },
  });
  return composer.compile().build();
}

/** By nodemailer's error: SMTP responses have a `responseCode` (RFC 5321: 5xx is permanent). */
function classifyFailure(error: unknown, handedOver: boolean): DeliveryOutcome {
  const fault = faultIn(error);
  if (fault) return ofAccount(fault);
  const answer = answerIn(error);
  if (answer) {
    return { kind: answer.code >= 500 ? 'refused' : 'temporary', problem: refusalOf(answer) };
  }
  const network = networkCodeOf(error);
  return {
    kind: handedOver ? 'uncertain' : 'temporary',
    problem: { code: 'connection_failed', ...(network === null ? {} : { said: network }) },
  };
}

/** The outcome of an attempt that failed for a reason of our own account. */
export function ofAccount(fault: AccountFault): DeliveryOutcome {
  return { kind: 'temporary', problem: fault, fault };
}

/** The refusal in an error, once the mail server had accepted our sign-in. */
function answerIn(error: unknown): SmtpAnswer | undefined {
  const code = field(error, 'responseCode');
  if (typeof code !== 'number' || !isAfterSignIn(error)) return undefined;
  const response = String(field(error, 'response') ?? '');
  return { command: String(field(error, 'command')), code, response };
}

/** The fault of our own account that an attempt failed for. Everything before the sign-in is one. */
export function faultIn(error: unknown): AccountFault | undefined {
  const answer = answerIn(error);
  if (answer) return accountFault(answer);
  if (isCertificateError(error)) return { code: 'certificate' };
  if (isUnencrypted(error)) return { code: 'unencrypted' };
  const status = statusOf(error);
  const code = field(error, 'code');
  if (status === null) {
    return code === 'EAUTH' || code === 'ENOAUTH' ? { code: 'no_sign_in' } : undefined;
  }
  const isGreeting = /^(EHLO|HELO)$/.test(String(field(error, 'command')));
  if (isGreeting && !isAboutConnections(String(field(error, 'response')))) {
    return faultOf('greeting', status);
  }
  // RFC 4954: 454 is a temporary failure of the sign-in, which providers send for too many.
  if (status.startsWith('4')) return faultOf('connections', status);
  return faultOf(code === 'EAUTH' ? 'sign_in' : 'refused', status);
}

/** Node's error codes for an invalid certificate (from `tls` and OpenSSL). */
const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS_CERT_ALTNAME_INVALID|DEPTH_ZERO/;

/** Whether the server's certificate is not valid. */
export function isCertificateError(error: unknown): boolean {
  const text = error instanceof Error ? error.message : '';
  return CERTIFICATE.test(`${field(error, 'code')} ${causeOf(error)}`) || /certificate/i.test(text);
}

/** Whether the server offers no encryption on this port. */
export function isUnencrypted(error: unknown): boolean {
  const text = error instanceof Error ? error.message : '';
  const code = field(error, 'code');
  return code === 'ETLS' || /ERR_SSL|wrong version number/.test(`${causeOf(error)} ${text}`);
}

function causeOf(error: unknown): string {
  return String(field(field(error, 'cause'), 'code') ?? '');
}

/**
 * Whether a mail server had accepted our sign-in when it failed. A response before that comes from
 * a host that is not known to be a mail server: only its status code is shown, or the settings
 * could be used to read banners of services in a private network.
 */
export function isAfterSignIn(error: unknown): boolean {
  return /^(MAIL|RCPT|DATA)/.test(String(field(error, 'command') ?? ''));
}

/** The status code of a refusal (RFC 5321), with the enhanced one if there is one (RFC 3463). */
export function statusOf(error: unknown): string | null {
  const code = field(error, 'responseCode');
  if (typeof code !== 'number') return null;
  const enhanced = statusIn(String(field(error, 'response')));
  return enhanced === undefined ? String(code) : `${code} ${enhanced}`;
}

/** Node's own codes for a failed connection; none of them comes from the server. */
const NETWORK_CODES =
  /\b(ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|EPIPE|EADDRNOTAVAIL)\b/;

/** Node's code of a failed connection. */
export function networkCodeOf(error: unknown): string | null {
  // The messages of nodemailer's other errors quote the server.
  if (field(error, 'response') !== undefined) return null;
  const text = error instanceof Error ? `${field(error, 'code')} ${error.message}` : '';
  return NETWORK_CODES.exec(text)?.[1] ?? null;
}

/** A field that nodemailer puts on its errors. */
export function field(error: unknown, name: string): unknown {
  return typeof error === 'object' && error !== null ? Reflect.get(error, name) : undefined;
}
