import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { isEmailAddress, readableEmail } from '@invigil/core/domain/email-address';
import { SESSION_LIMITS } from '@invigil/core/domain/limits';
import { isCodeShaped } from '@invigil/core/domain/one-time-code';
import ipaddr from 'ipaddr.js';
import { z } from 'zod';

/** The only reader of the environment. Everything else receives a `Config`. */
export type Environment = Record<string, string | undefined>;

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** 32 bytes in hexadecimal. */
const HEX_KEY_CHARACTERS = 64;
const SECRET_KEY_MIN_CHARACTERS = 32;
const METRICS_TOKEN_MIN_CHARACTERS = 16;
const MEGABYTE = 1024 * 1024;
const SMTP_PORT = 587;
/** TLS from the first byte; every other port starts in the clear and uses STARTTLS. */
export const SMTPS_PORT = 465;

/** Names that Fastify's `trustProxy` knows besides addresses. */
const PROXY_NAMES = ['loopback', 'linklocal', 'uniquelocal'];

const HOST_NAME =
  /^(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_-]{0,62})(?:\.[a-z0-9_](?:[a-z0-9_-]{0,62}))*\.?$/i;

// How each kind of setting is parsed. A message is the second half of a sentence that starts with the
// name of the setting, and never repeats a secret.

/** A refusal that names the value, and after which nothing else is checked. */
const notLike = (problem: string) => ({
  error: ({ input }: { input?: unknown }) => `${problem}, not ${quoted(String(input))}.`,
  abort: true,
});
const refusal = (error: string) => ({ error, abort: true });

/** A list with commas, every part of which fits. */
const listOf = (fits: (part: string) => boolean, problem: string) =>
  z
    .string()
    .transform((text) => text.split(',').flatMap((part) => part.trim() || []))
    .refine((parts) => parts.every(fits), {
      error: ({ input }) => {
        const wrong = (input as string[]).find((part) => !fits(part)) ?? '';
        return `${problem}; ${quoted(wrong)} is invalid.`;
      },
      abort: true,
    });

const whole = (least: number, most: number) =>
  z
    .string()
    .refine(
      (text) => /^\d{1,9}$/.test(text) && Number(text) >= least && Number(text) <= most,
      notLike(`must be a whole number from ${least} to ${most}`),
    )
    .transform(Number);

/** Whole megabytes (2^20), in bytes. */
const megabytes = (least: number, most: number) =>
  whole(least, most).transform((n) => n * MEGABYTE);

const webUrl = (problem: string) =>
  z
    .string()
    .refine((text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ''), notLike(problem))
    .transform((text) => new URL(text));

const email = z
  .string()
  .refine(isEmailAddress, notLike('must be an email address'))
  .transform(readableEmail);

/**
 * A key of at least 32 bytes: 64 hexadecimal digits, base64, or a passphrase of 32 characters. Hexadecimal of
 * 32 characters is a likely mistake (`openssl rand -hex 16`) and would be 16 bytes only.
 */
export const SecretKey = z
  .string()
  .refine(
    (text) =>
      text.length >= (/^[0-9a-f]+$/i.test(text) ? HEX_KEY_CHARACTERS : SECRET_KEY_MIN_CHARACTERS),
    `is too short: use at least 32 bytes, for instance the output of "openssl rand -hex 32", or a passphrase of at least ${SECRET_KEY_MIN_CHARACTERS} characters.`,
  );

const { adminPasswordMinCharacters: LEAST, adminPasswordMaxCharacters: MOST } = SESSION_LIMITS;

/** `smtp[s]://user:password@host:port?from=address`; without `from` the user name is the sender. */
const smtpUrl = z
  .string()
  .refine((text) => {
    const url = URL.parse(text);
    return url !== null && /^smtps?:$/.test(url.protocol) && url.hostname !== '';
  }, refusal('must look like smtp://user:password@host:587?from=sender@example.org.'))
  .transform((text) => new URL(text))
  .refine(
    ({ protocol, port }) => protocol !== 'smtps:' || ['', String(SMTPS_PORT)].includes(port),
    refusal(`can be smtps:// on port ${SMTPS_PORT} only; on another, write smtp://.`),
  )
  .refine(
    ({ username, password }) => decoded(username) !== null && decoded(password) !== null,
    refusal('holds a "%" that is not followed by two hexadecimal digits: write it as %25.'),
  )
  .transform((url) => {
    const username = decoded(url.username) ?? '';
    const ownPort = url.protocol === 'smtps:' ? SMTPS_PORT : SMTP_PORT;
    return {
      host: withoutBrackets(url.hostname),
      port: url.port === '' ? ownPort : Number(url.port),
      /** Empty when the server requires none. */
      username,
      password: decoded(url.password) ?? '',
      fromEmail: url.searchParams.get('from') ?? username,
    };
  })
  .refine(({ host }) => isHost(host), refusal('does not name a mail server.'))
  .refine(
    ({ fromEmail }) => isEmailAddress(fromEmail),
    refusal('does not name the sender: add ?from=sender@example.org.'),
  )
  .transform((server) => ({ ...server, fromEmail: readableEmail(server.fromEmail) }));

/** A mail server as described by `SMTP_URL`. */
export type SmtpUrl = z.infer<typeof smtpUrl>;

/** Every setting by its name; `docs/operating.md` has the table for operators. */
const Settings = z.object({
  PORT: whole(1, 65_535).default(3000),
  HOST: z
    .string()
    .refine(isHost, notLike('must be an address such as 127.0.0.1 or 0.0.0.0, or a host name'))
    .default('127.0.0.1'),
  /** The origin: the app is served at the root of its host only. */
  PUBLIC_URL: webUrl('must start with https:// or http://')
    .refine(
      ({ username, password }) => username === '' && password === '',
      refusal('must not hold a user name or password.'),
    )
    .refine(({ pathname, search, hash }) => `${pathname}${search}${hash}` === '/', {
      error: ({ input }) =>
        `must be an origin without a path, such as ${(input as URL).origin}: Invigil is served at the root of its host.`,
      abort: true,
    })
    .transform(({ origin }) => origin)
    .optional(),
  DATA_DIR: z.string().default('./data'),
  DATABASE_URL: z
    .string()
    .refine(
      (text) =>
        serversOf(text).every((url) => /^postgres(ql)?:$/.test(URL.parse(url)?.protocol ?? '')),
      'must look like postgresql://user:password@host:5432/database.',
    )
    .optional(),
  SECRET_KEY: SecretKey.optional(),
  OLD_SECRET_KEY: SecretKey.optional(),
  ADMIN_EMAIL: email.optional(),
  /** Sign-in would treat a password shaped like a one-time code as one, so it would never work. */
  ADMIN_PASSWORD: z
    .string()
    .refine((text) => [...text].length >= LEAST, `must have at least ${LEAST} characters.`)
    .refine((text) => [...text].length <= MOST, `must have at most ${MOST} characters.`)
    .refine(
      (text) => !isCodeShaped(text),
      'cannot be used: This looks like a one-time password. Use a different one.',
    )
    .optional(),
  SMTP_URL: smtpUrl.optional(),
  AUDIT_HEAD_EMAIL: email.optional(),
  /** Host names or addresses, without ports: an allowed host may be used on any port. */
  SMTP_ALLOWED_HOSTS: listOf(
    (host) => isHost(withoutBrackets(host)),
    'must be host names separated by commas, without ports',
  )
    .transform((hosts) => hosts.map((host) => withoutBrackets(host.toLowerCase())))
    .default([]),
  /** An IANA name. Offsets such as +02:00 are refused: they ignore daylight saving time. */
  TIME_ZONE: z
    .string()
    .refine(
      (text) => !/^[+-]/.test(text) && zoneOf(text) !== null,
      notLike('must be an IANA name such as Europe/Berlin or UTC'),
    )
    .transform((text) => zoneOf(text) ?? text)
    .default(Intl.DateTimeFormat().resolvedOptions().timeZone),
  LOG_LEVEL: z
    .string()
    .refine(
      (text) => LOG_LEVELS.some((level) => level === text.toLowerCase()),
      notLike(`must be one of ${LOG_LEVELS.join(', ')}`),
    )
    .transform((text) => text.toLowerCase() as LogLevel)
    .default('info'),
  /**
   * Addresses and networks whose forwarded addresses are trusted. "true", a number of hops and /0 are
   * refused: with them any client could set the address that the throttle counts it by.
   */
  TRUST_PROXY: z
    .string()
    .transform((text) => (text.toLowerCase() === 'false' ? '' : text))
    .pipe(
      listOf(
        isProxy,
        'must list the addresses or networks of your proxies, such as 10.0.0.7 or 10.0.0.0/24',
      ),
    )
    .transform((proxies) => proxies.length > 0 && proxies)
    .default(false),
  /** Ten connections each: more would exceed what a database is likely to allow. */
  WEB_CONCURRENCY: whole(1, 64).default(1),
  REQUEST_BUDGET: whole(1, 1_000).default(1),
  METRICS_TOKEN: z
    .string()
    .refine(
      (text) => text.length >= METRICS_TOKEN_MIN_CHARACTERS && !/\s/.test(text),
      `must have at least ${METRICS_TOKEN_MIN_CHARACTERS} characters and no spaces.`,
    )
    .optional(),
  /** 0 switches the check off. */
  DISK_RESERVE_MB: megabytes(0, 1_000_000).optional(),
  PAPER_CACHE_MB: megabytes(1, 65_536).default(256 * MEGABYTE),
  EVIDENCE_S3_ENDPOINT: webUrl('must start with https:// or http:// and contain no user name')
    .refine(
      ({ search, hash, username }) => `${search}${hash}${username}` === '',
      notLike('must start with https:// or http:// and contain no user name'),
    )
    .transform(({ origin, pathname }) => `${origin}${pathname}`.replace(/\/+$/, ''))
    .optional(),
  /** Names that every S3 store accepts. */
  EVIDENCE_S3_BUCKET: z
    .string()
    .refine(
      (text) => /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(text),
      notLike('must be 3 to 63 lower-case letters, digits, dots and hyphens'),
    )
    .optional(),
  EVIDENCE_S3_REGION: z.string().default('us-east-1'),
  EVIDENCE_S3_ACCESS_KEY_ID: z.string().optional(),
  EVIDENCE_S3_SECRET_ACCESS_KEY: z.string().optional(),
});

/** All settings of an installation, validated. */
export type Config = ReturnType<typeof configOf>;

/** An S3-compatible store, from `EVIDENCE_S3_…`. */
export type S3Settings = NonNullable<Config['evidenceS3']>;

function configOf(s: z.infer<typeof Settings>) {
  const local = `http://localhost:${s.PORT}`;
  return {
    port: s.PORT,
    host: s.HOST,
    /** The address at which people reach this installation, without a trailing slash. */
    publicUrl: s.PUBLIC_URL ?? local,
    /** Origins that may change state: the ones this installation is served from. */
    ownOrigins: s.PUBLIC_URL ? [s.PUBLIC_URL] : [local, `http://127.0.0.1:${s.PORT}`],
    /** Absolute. */
    dataDir: resolve(s.DATA_DIR),
    /** null: the embedded PostgreSQL under `dataDir`. */
    databaseUrl: s.DATABASE_URL ?? null,
    /** null: created once and stored under `dataDir` (secret-key.ts). */
    secretKey: s.SECRET_KEY ?? null,
    /** The previous key, for `npm run rotate-key` only. */
    oldSecretKey: s.OLD_SECRET_KEY ?? null,
    adminEmail: s.ADMIN_EMAIL ?? null,
    adminPassword: s.ADMIN_PASSWORD ?? null,
    smtpUrl: s.SMTP_URL ?? null,
    /** The address to which the head of the audit log is mailed each day; null: none. */
    auditHeadEmail: s.AUDIT_HEAD_EMAIL ?? null,
    /** Lower case. Mail servers that are allowed despite a private address. */
    smtpAllowedHosts: s.SMTP_ALLOWED_HOSTS,
    /** IANA name, for mail, "this week" and reports. */
    timeZone: s.TIME_ZONE,
    logLevel: s.LOG_LEVEL,
    /** The proxies whose forwarded addresses Fastify trusts. */
    trustProxy: s.TRUST_PROXY,
    webConcurrency: s.WEB_CONCURRENCY,
    /** Multiplies how many requests are admitted (BUDGET_LIMITS). */
    requestBudget: s.REQUEST_BUDGET,
    metricsToken: s.METRICS_TOKEN ?? null,
    /** Bytes that must be free before a new attempt begins; null: by the size of the disk. */
    diskReserveBytes: s.DISK_RESERVE_MB ?? null,
    /** Memory for papers in each serving process. */
    paperCacheBytes: s.PAPER_CACHE_MB,
    /** null: evidence is stored under `dataDir`. */
    evidenceS3:
      s.EVIDENCE_S3_ENDPOINT &&
      s.EVIDENCE_S3_BUCKET &&
      s.EVIDENCE_S3_ACCESS_KEY_ID &&
      s.EVIDENCE_S3_SECRET_ACCESS_KEY
        ? {
            /** The endpoint has no trailing slash; the bucket is in the path. */
            endpoint: s.EVIDENCE_S3_ENDPOINT,
            bucket: s.EVIDENCE_S3_BUCKET,
            region: s.EVIDENCE_S3_REGION,
            accessKeyId: s.EVIDENCE_S3_ACCESS_KEY_ID,
            secretAccessKey: s.EVIDENCE_S3_SECRET_ACCESS_KEY,
          }
        : null,
  };
}

/**
 * Reads every setting and returns either all of them or every problem, one line each. An empty setting
 * counts as not set. No file is touched.
 */
export function parseConfig(env: Environment): { config: Config } | { problems: string[] } {
  const given = Object.entries(env).flatMap(([name, text = '']) => {
    if (text.trim() === '') return [];
    // Blanks around a value are unintended, except in a password.
    return [[name, name === 'ADMIN_PASSWORD' ? text : text.trim()]];
  });
  const { data, error } = Settings.safeParse(Object.fromEntries(given));
  const problems = error?.issues.map(({ path, message }) => `${path.join()} ${message}`) ?? [];
  problems.push(...conflicts(new Set(given.map(([name]) => name))));
  return data && problems.length === 0 ? { config: configOf(data) } : { problems };
}

/** The settings of this process. */
export function configFromEnvironment(): ReturnType<typeof parseConfig> {
  return parseConfig(process.env);
}

/** How systemd identifies the stream to its journal; `null` when it did not start us. */
export function journalStream(): string | null {
  return process.env.JOURNAL_STREAM ?? null;
}

/**
 * The environment of a child process: only what is needed to find programs. Secrets stay here, and a
 * stray PGOPTIONS or PGDATA of the person who starts us does not reach PostgreSQL.
 */
export function childEnvironment(more: Environment = {}): Environment {
  const { PATH, HOME, TMPDIR } = process.env;
  return { PATH, HOME, TMPDIR, ...more };
}

const S3_NAMES = [
  'EVIDENCE_S3_ENDPOINT',
  'EVIDENCE_S3_BUCKET',
  'EVIDENCE_S3_ACCESS_KEY_ID',
  'EVIDENCE_S3_SECRET_ACCESS_KEY',
];

/** Conflicts between settings. Only whether one is set matters here, not whether it is valid. */
function conflicts(set: ReadonlySet<string | undefined>): string[] {
  const found: string[] = [];
  // Several servers share one external database, so a key in one server's folder would lock the
  // others out of what it encrypted.
  if (set.has('DATABASE_URL') && !set.has('SECRET_KEY')) {
    found.push(
      'SECRET_KEY must be set when DATABASE_URL is: all servers of one database share one key. "openssl rand -hex 32" prints a good one.',
    );
  }
  // The reverse is fine: a password is generated and printed for that address.
  if (set.has('ADMIN_PASSWORD') && !set.has('ADMIN_EMAIL')) {
    found.push('ADMIN_EMAIL must be set when ADMIN_PASSWORD is: it names the administrator.');
  }
  const missing = S3_NAMES.filter((name) => !set.has(name));
  if (missing.length > 0 && S3_NAMES.concat('EVIDENCE_S3_REGION').some((name) => set.has(name))) {
    found.push(
      `${missing.join(', ')} must be set as well: evidence is stored in S3 when all of ${S3_NAMES.join(', ')} are set.`,
    );
  }
  return found;
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

function isHost(text: string): boolean {
  if (isIP(text) !== 0) return true;
  // Digits and dots that are not an address are a typing error, not a name.
  return !/^[\d.]+$/.test(text) && HOST_NAME.test(text);
}

function isProxy(text: string): boolean {
  if (PROXY_NAMES.includes(text) || isIP(text) !== 0) return true;
  return ipaddr.isValidCIDR(text) && ipaddr.parseCIDR(text)[1] > 0;
}

/** The host without the brackets of an IPv6 address in a URL. */
function withoutBrackets(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1');
}

/** A time zone by the name that the platform uses; `null` for an unknown one. */
function zoneOf(name: string): string | null {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
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
