import { resolve } from 'node:path';
import {
  type LogLevel,
  type Parsed,
  parseAdminPassword,
  parseDatabaseUrl,
  parseDiskReserve,
  parseEmail,
  parseHost,
  parseHostList,
  parseHttpUrl,
  parseLogLevel,
  parseMetricsToken,
  parsePaperCache,
  parsePort,
  parsePublicUrl,
  parseRequestBudget,
  parseS3Bucket,
  parseSecretKey,
  parseSmtpUrl,
  parseTimeZone,
  parseTrustProxy,
  parseWebConcurrency,
  type SmtpUrl,
} from './config-values.ts';

/** The only reader of the environment. Everything else receives a `Config`. */
export type Environment = Record<string, string | undefined>;

/** An S3-compatible store, from `EVIDENCE_S3_…`. */
export interface S3Settings {
  /** Without a trailing slash; the bucket is in the path. */
  endpoint: string;
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
}

/** All settings of an installation, validated. `docs/operating.md` has the table for operators. */
export interface Config {
  port: number;
  host: string;
  /** Where people reach this installation, without a trailing slash. */
  publicUrl: string;
  /** Origins that may change state: the ones this installation is served from. */
  ownOrigins: string[];
  /** Absolute. */
  dataDir: string;
  /** null: the embedded PostgreSQL under `dataDir`. */
  databaseUrl: string | null;
  /** null: created once and stored under `dataDir` (secret-key.ts). */
  secretKey: string | null;
  /** For `npm run rotate-key` only: the previous key. */
  oldSecretKey: string | null;
  adminEmail: string | null;
  adminPassword: string | null;
  smtpUrl: SmtpUrl | null;
  /** Where the head of the audit log is mailed each day; null: nowhere. */
  auditHeadEmail: string | null;
  /** Lower case. Mail servers that are allowed despite a private address. */
  smtpAllowedHosts: string[];
  /** IANA name, for mail, "this week" and reports. */
  timeZone: string;
  logLevel: LogLevel;
  /** For Fastify: whose forwarded addresses are trusted. */
  trustProxy: string[] | false;
  webConcurrency: number;
  /** Multiplies how many requests are admitted (BUDGET_LIMITS). */
  requestBudget: number;
  metricsToken: string | null;
  /** Bytes that must be free before a new attempt begins; null: by the size of the disk. */
  diskReserveBytes: number | null;
  /** For papers in the memory of each serving process. */
  paperCacheBytes: number;
  /** null: evidence is stored under `dataDir`. */
  evidenceS3: S3Settings | null;
}

/**
 * Reads every setting and returns either all of them or every problem, one line each. An empty setting
 * counts as not set. No file is touched.
 */
export function parseConfig(env: Environment): { config: Config } | { problems: string[] } {
  const problems: string[] = [];

  /** Blanks around a value are unintended, except in a password. */
  function optional<T>(name: string, parse: (text: string) => Parsed<T>, exact = false): T | null {
    const raw = env[name] ?? '';
    if (raw.trim() === '') return null;
    const parsed = parse(exact ? raw : raw.trim());
    if ('value' in parsed) return parsed.value;
    problems.push(`${name} ${parsed.problem}`);
    return null;
  }

  /** All of them or none; a missing one is a conflict. */
  function evidenceS3(): S3Settings | null {
    const anything = (text: string) => ({ value: text });
    const endpoint = optional('EVIDENCE_S3_ENDPOINT', parseHttpUrl);
    const bucket = optional('EVIDENCE_S3_BUCKET', parseS3Bucket);
    const region = optional('EVIDENCE_S3_REGION', anything) ?? 'us-east-1';
    const accessKeyId = optional('EVIDENCE_S3_ACCESS_KEY_ID', anything);
    const secretAccessKey = optional('EVIDENCE_S3_SECRET_ACCESS_KEY', anything);
    return endpoint !== null && bucket !== null && accessKeyId !== null && secretAccessKey !== null
      ? { endpoint, bucket, region, accessKeyId, secretAccessKey }
      : null;
  }

  const port = optional('PORT', parsePort) ?? 3000;
  const publicUrl = optional('PUBLIC_URL', parsePublicUrl);
  const local = `http://localhost:${port}`;
  const config: Config = {
    port,
    host: optional('HOST', parseHost) ?? '127.0.0.1',
    publicUrl: publicUrl ?? local,
    ownOrigins: publicUrl === null ? [local, `http://127.0.0.1:${port}`] : [publicUrl],
    dataDir: resolve(optional('DATA_DIR', (text) => ({ value: text })) ?? './data'),
    databaseUrl: optional('DATABASE_URL', parseDatabaseUrl),
    secretKey: optional('SECRET_KEY', parseSecretKey),
    oldSecretKey: optional('OLD_SECRET_KEY', parseSecretKey),
    adminEmail: optional('ADMIN_EMAIL', parseEmail),
    adminPassword: optional('ADMIN_PASSWORD', parseAdminPassword, true),
    smtpUrl: optional('SMTP_URL', parseSmtpUrl),
    auditHeadEmail: optional('AUDIT_HEAD_EMAIL', parseEmail),
    smtpAllowedHosts: optional('SMTP_ALLOWED_HOSTS', parseHostList) ?? [],
    timeZone:
      optional('TIME_ZONE', parseTimeZone) ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
    logLevel: optional('LOG_LEVEL', parseLogLevel) ?? 'info',
    trustProxy: optional('TRUST_PROXY', parseTrustProxy) ?? false,
    webConcurrency: optional('WEB_CONCURRENCY', parseWebConcurrency) ?? 1,
    requestBudget: optional('REQUEST_BUDGET', parseRequestBudget) ?? 1,
    metricsToken: optional('METRICS_TOKEN', parseMetricsToken),
    diskReserveBytes: optional('DISK_RESERVE_MB', parseDiskReserve),
    paperCacheBytes: optional('PAPER_CACHE_MB', parsePaperCache) ?? 256 * 1024 * 1024,
    evidenceS3: evidenceS3(),
  };

  problems.push(...conflicts(env));
  return problems.length > 0 ? { problems } : { config };
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
function conflicts(env: Environment): string[] {
  const set = (name: string) => (env[name] ?? '').trim() !== '';
  const found: string[] = [];
  // Several servers share one external database, so a key in one server's folder would lock the
  // others out of what it encrypted.
  if (set('DATABASE_URL') && !set('SECRET_KEY')) {
    found.push(
      'SECRET_KEY must be set when DATABASE_URL is: all servers of one database share one key. "openssl rand -hex 32" prints a good one.',
    );
  }
  // The reverse is fine: a password is generated and printed for that address.
  if (set('ADMIN_PASSWORD') && !set('ADMIN_EMAIL')) {
    found.push('ADMIN_EMAIL must be set when ADMIN_PASSWORD is: it names the administrator.');
  }
  const missing = S3_NAMES.filter((name) => !set(name));
  if (missing.length > 0 && S3_NAMES.concat('EVIDENCE_S3_REGION').some(set)) {
    found.push(
      `${missing.join(', ')} must be set as well: evidence is stored in S3 when all of ${S3_NAMES.join(', ')} are set.`,
    );
  }
  return found;
}
