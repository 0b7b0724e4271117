import { isIP } from 'node:net';
import { isEmailAddress, readableEmail } from '@invigil/core/domain/email-address';
import { SESSION_LIMITS } from '@invigil/core/domain/limits';
import { isCodeShaped } from '@invigil/core/domain/one-time-code';
import ipaddr from 'ipaddr.js';

/**
 * How each kind of setting is parsed: text in, value or problem out. A problem is the second half of a
 * sentence that starts with the name of the setting. Problems never repeat a secret.
 */
export type Parsed<T> = { value: T } | { problem: string };

/** A mail server as described by `SMTP_URL`. */
export interface SmtpUrl {
  host: string;
  port: number;
  /** Empty when the server requires none. */
  username: string;
  password: string;
  fromEmail: string;
}

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

const SECRET_KEY_MIN_CHARACTERS = 32;
const METRICS_TOKEN_MIN_CHARACTERS = 16;
/** 32 bytes in hexadecimal. */
const HEX_KEY_CHARACTERS = 64;
const SMTP_PORT = 587;
/** TLS from the first byte; every other port starts in the clear and uses STARTTLS. */
export const SMTPS_PORT = 465;
const PORT_MAX = 65_535;
const REQUEST_BUDGET_MAX = 1_000;
const DISK_RESERVE_MAX_MB = 1_000_000;
/** 64 GB. */
const PAPER_CACHE_MAX_MB = 65_536;
/** Ten connections each: more would exceed what a database is likely to allow. */
const PROCESSES_MAX = 64;

/** Names that Fastify's `trustProxy` knows besides addresses. */
const PROXY_NAMES = ['loopback', 'linklocal', 'uniquelocal'];

const HOST_NAME =
  /^(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_-]{0,62})(?:\.[a-z0-9_](?:[a-z0-9_-]{0,62}))*\.?$/i;

export function parsePort(text: string): Parsed<number> {
  const port = wholeNumber(text);
  return port !== null && port >= 1 && port <= PORT_MAX
    ? { value: port }
    : { problem: `must be a whole number from 1 to ${PORT_MAX}, not ${quoted(text)}.` };
}

/** An address of this machine or a name that resolves to one. */
export function parseHost(text: string): Parsed<string> {
  return isHost(text)
    ? { value: text }
    : {
        problem: `must be an address such as 127.0.0.1 or 0.0.0.0, or a host name, not ${quoted(text)}.`,
      };
}

/** Returns the origin: the app is served at the root of its host only. */
export function parsePublicUrl(text: string): Parsed<string> {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    return { problem: `must start with https:// or http://, not ${quoted(text)}.` };
  }
  if (url.username !== '' || url.password !== '') {
    return { problem: 'must not hold a user name or password.' };
  }
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '') {
    return {
      problem: `must be an origin without a path, such as ${url.origin}: Invigil is served at the root of its host.`,
    };
  }
  return { value: url.origin };
}

/** Returns it without a trailing slash. */
export function parseHttpUrl(text: string): Parsed<string> {
  const url = URL.parse(text);
  const isHttp = url !== null && (url.protocol === 'https:' || url.protocol === 'http:');
  return isHttp && url.search === '' && url.hash === '' && url.username === ''
    ? { value: `${url.origin}${url.pathname}`.replace(/\/+$/, '') }
    : {
        problem: `must start with https:// or http:// and contain no user name, not ${quoted(text)}.`,
      };
}

/** Names that every S3 store accepts. */
export function parseS3Bucket(text: string): Parsed<string> {
  return /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(text)
    ? { value: text }
    : {
        problem: `must be 3 to 63 lower-case letters, digits, dots and hyphens, not ${quoted(text)}.`,
      };
}

export function parseDatabaseUrl(text: string): Parsed<string> {
  const isOne = (server: string) => /^postgres(ql)?:$/.test(URL.parse(server)?.protocol ?? '');
  return serversOf(text).every(isOne)
    ? { value: text }
    : { problem: 'must look like postgresql://user:password@host:5432/database.' };
}

/**
 * At least 32 bytes: 64 hexadecimal digits, base64, or a passphrase of 32 characters. Hexadecimal of 32
 * characters is a likely mistake (`openssl rand -hex 16`) and would be 16 bytes only.
 */
export function parseSecretKey(text: string): Parsed<string> {
  const short = /^[0-9a-f]+$/i.test(text)
    ? text.length < HEX_KEY_CHARACTERS
    : text.length < SECRET_KEY_MIN_CHARACTERS;
  return short
    ? {
        problem: `is too short: use at least 32 bytes, for instance the output of "openssl rand -hex 32", or a passphrase of at least ${SECRET_KEY_MIN_CHARACTERS} characters.`,
      }
    : { value: text };
}

export function parseEmail(text: string): Parsed<string> {
  return isEmailAddress(text)
    ? { value: readableEmail(text) }
    : { problem: `must be an email address, not ${quoted(text)}.` };
}

/** Sign-in would treat a password shaped like a one-time code as one, so it would never work. */
export function parseAdminPassword(text: string): Parsed<string> {
  const { adminPasswordMinCharacters: least, adminPasswordMaxCharacters: most } = SESSION_LIMITS;
  const characters = [...text].length;
  if (characters < least) return { problem: `must have at least ${least} characters.` };
  if (characters > most) return { problem: `must have at most ${most} characters.` };
  if (isCodeShaped(text)) {
    return {
      problem: 'cannot be used: This looks like a one-time password. Use a different one.',
    };
  }
  return { value: text };
}

/** `smtp[s]://user:password@host:port?from=address`; without `from` the user name is the sender. */
export function parseSmtpUrl(text: string): Parsed<SmtpUrl> {
  const url = URL.parse(text);
  const secure = url?.protocol === 'smtps:';
  if (url === null || (!secure && url.protocol !== 'smtp:') || url.hostname === '') {
    return { problem: 'must look like smtp://user:password@host:587?from=sender@example.org.' };
  }
  const port = url.port === '' ? (secure ? SMTPS_PORT : SMTP_PORT) : Number(url.port);
  if (secure && port !== SMTPS_PORT) {
    return { problem: `can be smtps:// on port ${SMTPS_PORT} only; on another, write smtp://.` };
  }
  const username = decoded(url.username);
  const password = decoded(url.password);
  if (username === null || password === null) {
    return {
      problem: 'holds a "%" that is not followed by two hexadecimal digits: write it as %25.',
    };
  }
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  if (!isHost(host)) return { problem: 'does not name a mail server.' };
  const fromEmail = url.searchParams.get('from') ?? username;
  if (!isEmailAddress(fromEmail)) {
    return { problem: 'does not name the sender: add ?from=sender@example.org.' };
  }
  return {
    value: {
      host,
      port,
      username,
      password,
      fromEmail: readableEmail(fromEmail),
    },
  };
}

/** Host names or addresses, without ports: an allowed host may be used on any port. */
export function parseHostList(text: string): Parsed<string[]> {
  const hosts = listed(text).map((host) => host.toLowerCase().replace(/^\[(.*)\]$/, '$1'));
  const wrong = hosts.find((host) => !isHost(host));
  return wrong === undefined
    ? { value: hosts }
    : {
        problem: `must be host names separated by commas, without ports; ${quoted(wrong)} is invalid.`,
      };
}

/** An IANA name. Offsets such as +02:00 are refused: they ignore daylight saving time. */
export function parseTimeZone(text: string): Parsed<string> {
  try {
    if (!/^[+-]/.test(text)) {
      return {
        value: new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone,
      };
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return { problem: `must be an IANA name such as Europe/Berlin or UTC, not ${quoted(text)}.` };
}

export function parseLogLevel(text: string): Parsed<LogLevel> {
  const level = LOG_LEVELS.find((known) => known === text.toLowerCase());
  return level === undefined
    ? { problem: `must be one of ${LOG_LEVELS.join(', ')}, not ${quoted(text)}.` }
    : { value: level };
}

/**
 * Addresses and networks whose forwarded addresses are trusted. "true", a number of hops and /0 are
 * refused: with them any client could set the address that the throttle counts it by.
 */
export function parseTrustProxy(text: string): Parsed<string[] | false> {
  if (text.toLowerCase() === 'false') return { value: false };
  const proxies = listed(text);
  const wrong = proxies.find((proxy) => !isProxy(proxy));
  return wrong === undefined
    ? { value: proxies }
    : {
        problem: `must list the addresses or networks of your proxies, such as 10.0.0.7 or 10.0.0.0/24; ${quoted(wrong)} is invalid.`,
      };
}

export function parseWebConcurrency(text: string): Parsed<number> {
  const processes = wholeNumber(text);
  return processes !== null && processes >= 1 && processes <= PROCESSES_MAX
    ? { value: processes }
    : { problem: `must be a whole number from 1 to ${PROCESSES_MAX}, not ${quoted(text)}.` };
}

/** A factor for every budget of requests. */
export function parseRequestBudget(text: string): Parsed<number> {
  const factor = wholeNumber(text);
  return factor !== null && factor >= 1 && factor <= REQUEST_BUDGET_MAX
    ? { value: factor }
    : { problem: `must be a whole number from 1 to ${REQUEST_BUDGET_MAX}, not ${quoted(text)}.` };
}

/** Whole megabytes (2^20), in bytes. 0 switches the check off. */
export function parseDiskReserve(text: string): Parsed<number> {
  const megabytes = wholeNumber(text);
  return megabytes !== null && megabytes <= DISK_RESERVE_MAX_MB
    ? { value: megabytes * 1024 * 1024 }
    : { problem: `must be a whole number from 0 to ${DISK_RESERVE_MAX_MB}, not ${quoted(text)}.` };
}

/** Whole megabytes (2^20), in bytes. */
export function parsePaperCache(text: string): Parsed<number> {
  const megabytes = wholeNumber(text);
  return megabytes !== null && megabytes >= 1 && megabytes <= PAPER_CACHE_MAX_MB
    ? { value: megabytes * 1024 * 1024 }
    : { problem: `must be a whole number from 1 to ${PAPER_CACHE_MAX_MB}, not ${quoted(text)}.` };
}

export function parseMetricsToken(text: string): Parsed<string> {
  return text.length >= METRICS_TOKEN_MIN_CHARACTERS && !/\s/.test(text)
    ? { value: text }
    : {
        problem: `must have at least ${METRICS_TOKEN_MIN_CHARACTERS} characters and no spaces.`,
      };
}

function wholeNumber(text: string): number | null {
  return /^\d{1,9}$/.test(text) ? Number(text) : null;
}

function isHost(text: string): boolean {
  if (isIP(text) !== 0) return true;
  // Digits and dots that are not an address are a typing error, not a name.
  return !/^[\d.]+$/.test(text) && HOST_NAME.test(text);
}

function isProxy(text: string): boolean {
  if (PROXY_NAMES.includes(text) || isIP(text) !== 0) return true;
  if (!ipaddr.isValidCIDR(text)) return false;
  return ipaddr.parseCIDR(text)[1] > 0;
}

function listed(text: string): string[] {
  return text.split(',').flatMap((part) => (part.trim() === '' ? [] : [part.trim()]));
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

function quoted(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
}

/**
 * The servers of a DATABASE_URL that names several, in libpq's format:
 * `postgresql://user:password@a:5432,b:5432/invigil` becomes a URL for each.
 */
export function serversOf(url: string): string[] {
  const [, before, hosts, after] = /^(\w+:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s.exec(url) ?? [];
  if (hosts === undefined) return [url];
  return hosts.split(',').map((host) => `${before}${host}${after}`);
}
