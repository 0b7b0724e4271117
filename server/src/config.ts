import { resolve } from 'node:path';
import {
  type LogLevel,
  type Parsed,
  parseAdminPassword,
  parseDatabaseUrl,
  parseEmail,
  parseHost,
  parseHostList,
  parseLogLevel,
  parseMetricsToken,
  parsePort,
  parsePublicUrl,
  parseSecretKey,
  parseSmtpUrl,
  parseTimeZone,
  parseTrustProxy,
  parseWebConcurrency,
  type SmtpUrl,
} from './config-values.ts';

/** The only reader of the environment. Everything else is handed a `Config`. */
export type Environment = Record<string, string | undefined>;

/** All settings of an installation, checked. `docs/operating.md` has the table for operators. */
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
  /** null: made once and kept under `dataDir` (secret-key.ts). */
  secretKey: string | null;
  adminEmail: string | null;
  adminPassword: string | null;
  smtpUrl: SmtpUrl | null;
  /** Lower case. Mail servers that may be used although their address is a private one. */
  smtpAllowedHosts: string[];
  /** IANA name, for mail, "this week" and reports. */
  timeZone: string;
  logLevel: LogLevel;
  /** For Fastify: whose forwarded addresses are believed. */
  trustProxy: string[] | false;
  webConcurrency: number;
  metricsToken: string | null;
}

/**
 * Reads every setting and gives either all of them or every problem found, one line each. A setting
 * that is empty counts as not set. No file is touched.
 */
export function parseConfig(env: Environment): { config: Config } | { problems: string[] } {
  const problems: string[] = [];

  /** Blanks around a value are never meant, except in a password. */
  function optional<T>(name: string, parse: (text: string) => Parsed<T>, exact = false): T | null {
    const raw = env[name] ?? '';
    if (raw.trim() === '') return null;
    const parsed = parse(exact ? raw : raw.trim());
    if ('value' in parsed) return parsed.value;
    problems.push(`${name} ${parsed.problem}`);
    return null;
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
    adminEmail: optional('ADMIN_EMAIL', parseEmail),
    adminPassword: optional('ADMIN_PASSWORD', parseAdminPassword, true),
    smtpUrl: optional('SMTP_URL', parseSmtpUrl),
    smtpAllowedHosts: optional('SMTP_ALLOWED_HOSTS', parseHostList) ?? [],
    timeZone:
      optional('TIME_ZONE', parseTimeZone) ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
    logLevel: optional('LOG_LEVEL', parseLogLevel) ?? 'info',
    trustProxy: optional('TRUST_PROXY', parseTrustProxy) ?? false,
    webConcurrency: optional('WEB_CONCURRENCY', parseWebConcurrency) ?? 1,
    metricsToken: optional('METRICS_TOKEN', parseMetricsToken),
  };

  problems.push(...conflicts(env));
  return problems.length > 0 ? { problems } : { config };
}

/** The settings of this process. */
export function configFromEnvironment(): ReturnType<typeof parseConfig> {
  return parseConfig(process.env);
}

/**
 * The environment of a child process: where programs are found, and nothing else. Secrets stay
 * here, and a stray PGOPTIONS or PGDATA of the person who starts us does not reach PostgreSQL.
 */
export function childEnvironment(more: Environment = {}): Environment {
  const { PATH, HOME, TMPDIR } = process.env;
  return { PATH, HOME, TMPDIR, ...more };
}

/** What is wrong between settings. Whether one is set, not whether it is right, matters here. */
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
  // The other way round is fine: a password is made and printed for that address.
  if (set('ADMIN_PASSWORD') && !set('ADMIN_EMAIL')) {
    found.push('ADMIN_EMAIL must be set when ADMIN_PASSWORD is: it says whose password it is.');
  }
  return found;
}
