import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Config, childEnvironment, type Environment, parseConfig } from './config.ts';

function problemsOf(env: Environment): string[] {
  const result = parseConfig(env);
  return 'problems' in result ? result.problems : [];
}

function configOf(env: Environment): Config {
  const result = parseConfig(env);
  if ('problems' in result) throw new Error(result.problems.join('\n'));
  return result.config;
}

const HEX = '0123456789abcdef'.repeat(4);

describe('a setting is refused', () => {
  it.each<[name: string, value: string, says: string]>([
    ['PORT', 'http', 'from 1 to 65535'],
    ['PORT', '0', 'from 1 to 65535'],
    ['PORT', '65536', 'from 1 to 65535'],
    ['PORT', '3000.5', 'from 1 to 65535'],
    ['PORT', '-1', 'from 1 to 65535'],
    ['PORT', '0x50', 'from 1 to 65535'],
    ['HOST', 'http://localhost', 'host name'],
    ['HOST', '127.0.0.1:3000', 'host name'],
    ['HOST', '300.1.1.1', 'host name'],
    ['PUBLIC_URL', 'exams.example.org', 'https:// or http://'],
    ['PUBLIC_URL', 'ftp://exams.example.org', 'https:// or http://'],
    ['PUBLIC_URL', 'https://exams.example.org/invigil', 'without a path'],
    ['PUBLIC_URL', 'https://exams.example.org/?a=1', 'without a path'],
    ['PUBLIC_URL', 'https://me:secret-word@exams.example.org', 'user name or password'],
    ['DATABASE_URL', 'mysql://localhost/invigil', 'postgresql://'],
    ['DATABASE_URL', 'localhost:5432', 'postgresql://'],
    ['SECRET_KEY', 'x'.repeat(31), 'too short'],
    ['SECRET_KEY', HEX.slice(0, 32), 'too short'],
    ['ADMIN_EMAIL', 'admin', 'email address'],
    ['ADMIN_PASSWORD', 'eleven-char', 'at least 12 characters'],
    ['ADMIN_PASSWORD', 'x'.repeat(201), 'at most 200 characters'],
    [
      'ADMIN_PASSWORD',
      'abcde-fghjk-23456',
      'This looks like a one-time password. Use a different one.',
    ],
    [
      'ADMIN_PASSWORD',
      'ABCDEFGHJKLMNPQ',
      'This looks like a one-time password. Use a different one.',
    ],
    [
      'ADMIN_PASSWORD',
      'abc de fgh jk lmn pq',
      'This looks like a one-time password. Use a different one.',
    ],
    ['SMTP_URL', 'https://mail.example.org', 'smtp://'],
    ['SMTP_URL', 'smtp://', 'smtp://'],
    ['SMTP_URL', 'smtp://mail.example.org', 'name the sender'],
    ['SMTP_URL', 'smtp://user:a%zz@mail.example.org?from=a@example.org', '%25'],
    ['SMTP_URL', 'smtp://mail.example.org?from=nobody', 'name the sender'],
    ['SMTP_URL', 'smtps://mail.example.org:2465?from=a@example.org', 'port 465 only'],
    ['SMTP_ALLOWED_HOSTS', 'mail.example.org:25', 'without ports'],
    ['SMTP_ALLOWED_HOSTS', 'good.example.org, smtp://bad', 'without ports'],
    ['TIME_ZONE', 'Mars/Olympus', 'IANA'],
    ['TIME_ZONE', '+02:00', 'IANA'],
    ['LOG_LEVEL', 'loud', 'one of fatal'],
    ['TRUST_PROXY', 'true', 'addresses or networks'],
    ['TRUST_PROXY', '1', 'addresses or networks'],
    ['TRUST_PROXY', '0.0.0.0/0', 'addresses or networks'],
    ['TRUST_PROXY', '10.0.0.0/33', 'addresses or networks'],
    ['TRUST_PROXY', 'proxy.example.org', 'addresses or networks'],
    ['WEB_CONCURRENCY', '0', 'whole number'],
    ['WEB_CONCURRENCY', 'many', 'whole number'],
    ['WEB_CONCURRENCY', '65', '1 to 64'],
    ['DISK_RESERVE_MB', '1.5', 'whole number'],
    ['DISK_RESERVE_MB', '-1', 'whole number'],
    ['DISK_RESERVE_MB', '1000001', '0 to 1000000'],
    ['PAPER_CACHE_MB', '0', '1 to 65536'],
    ['PAPER_CACHE_MB', '1e3', 'whole number'],
    ['EVIDENCE_S3_ENDPOINT', 'ftp://store.example.org', 'https://'],
    ['EVIDENCE_S3_BUCKET', 'Evidence_Of_Ours', 'lower-case'],
    ['METRICS_TOKEN', 'short', 'at least 16'],
    ['METRICS_TOKEN', 'with a blank in it all', 'no spaces'],
  ])('%s=%j', (name, value, says) => {
    const found = problemsOf({ [name]: value }).filter((line) => line.includes(says));
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(new RegExp(`^${name} `));
    expect(found[0]).not.toContain('\n');
  });

  it.each([
    ['PUBLIC_URL', 'https://me:secret-word@exams.example.org'],
    ['DATABASE_URL', 'mysql://me:secret-word@localhost/x'],
    ['SECRET_KEY', 'secret-word'],
    ['ADMIN_PASSWORD', 'secret-word'],
    ['SMTP_URL', 'smtp://me:secret-word@mail.example.org'],
    ['METRICS_TOKEN', 'secret-word'],
  ])('%s without repeating a secret', (name, value) => {
    expect(problemsOf({ [name]: value }).join()).not.toContain('secret-word');
  });

  it('together with every other one', () => {
    expect(problemsOf({ PORT: 'x', LOG_LEVEL: 'y', TIME_ZONE: 'z' })).toHaveLength(3);
  });

  const url = 'postgresql://localhost/invigil';
  it.each<[Environment, RegExp, Environment]>([
    [
      { DATABASE_URL: url },
      /^SECRET_KEY must be set when DATABASE_URL is/,
      { DATABASE_URL: url, SECRET_KEY: HEX },
    ],
    [
      { ADMIN_PASSWORD: 'correct horse battery' },
      /^ADMIN_EMAIL must be set when ADMIN_PASSWORD is/,
      { ADMIN_EMAIL: 'a@example.org' },
    ],
    [
      { EVIDENCE_S3_BUCKET: 'evidence' },
      /^EVIDENCE_S3_ENDPOINT, EVIDENCE_S3_ACCESS_KEY_ID, EVIDENCE_S3_SECRET_ACCESS_KEY must be/,
      {},
    ],
  ])('when it requires another: %j', (env, sentence, complete) => {
    expect(problemsOf(env)).toEqual([expect.stringMatching(sentence)]);
    expect(problemsOf(complete)).toEqual([]);
  });
});

describe('settings', () => {
  it('have defaults for a machine with nothing set', () => {
    expect(configOf({})).toEqual({
      port: 3000,
      host: '127.0.0.1',
      publicUrl: 'http://localhost:3000',
      ownOrigins: ['http://localhost:3000', 'http://127.0.0.1:3000'],
      dataDir: resolve('data'),
      databaseUrl: null,
      secretKey: null,
      oldSecretKey: null,
      adminEmail: null,
      adminPassword: null,
      smtpUrl: null,
      smtpAllowedHosts: [],
      timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      logLevel: 'info',
      trustProxy: false,
      webConcurrency: 1,
      requestBudget: 1,
      auditHeadEmail: null,
      metricsToken: null,
      diskReserveBytes: null,
      paperCacheBytes: 256 * 1024 * 1024,
      evidenceS3: null,
    });
  });

  it('that are empty count as not set', () => {
    const names = [
      'PORT',
      'DATABASE_URL',
      'ADMIN_EMAIL',
      'ADMIN_PASSWORD',
      'SMTP_URL',
      'TRUST_PROXY',
    ];
    // A compose file passes on every name, with an empty value where nothing is set.
    for (const nothing of ['', ' ']) {
      const env = Object.fromEntries(names.map((name) => [name, nothing]));
      expect(configOf(env)).toEqual(configOf({}));
    }
  });

  it('are read as given', () => {
    const config = configOf({
      PORT: ' 8080 ',
      HOST: '0.0.0.0',
      DATA_DIR: '/srv/invigil/../invigil/data/',
      DATABASE_URL: 'postgresql:///invigil?host=/run/postgresql',
      SECRET_KEY: HEX,
      ADMIN_EMAIL: 'Ada@Example.org',
      ADMIN_PASSWORD: ' blanks are mine ',
      SMTP_ALLOWED_HOSTS: 'Localhost, 10.0.0.5,,[::1]',
      TIME_ZONE: 'Europe/Berlin',
      LOG_LEVEL: 'DEBUG',
      TRUST_PROXY: 'loopback, 10.0.0.0/24,2001:db8::1',
      WEB_CONCURRENCY: '4',
      METRICS_TOKEN: 'a-token-of-some-length',
      DISK_RESERVE_MB: '0',
      EVIDENCE_S3_ENDPOINT: 'https://s3.example.org/store/',
      EVIDENCE_S3_BUCKET: 'evidence-2026',
      EVIDENCE_S3_ACCESS_KEY_ID: 'AKID',
      EVIDENCE_S3_SECRET_ACCESS_KEY: 'secret',
    });
    expect(config).toMatchObject({
      port: 8080,
      host: '0.0.0.0',
      publicUrl: 'http://localhost:8080',
      dataDir: '/srv/invigil/data',
      databaseUrl: 'postgresql:///invigil?host=/run/postgresql',
      secretKey: HEX,
      adminEmail: 'Ada@Example.org',
      adminPassword: ' blanks are mine ',
      smtpAllowedHosts: ['localhost', '10.0.0.5', '::1'],
      timeZone: 'Europe/Berlin',
      logLevel: 'debug',
      trustProxy: ['loopback', '10.0.0.0/24', '2001:db8::1'],
      webConcurrency: 4,
      metricsToken: 'a-token-of-some-length',
      diskReserveBytes: 0,
      evidenceS3: {
        endpoint: 'https://s3.example.org/store',
        bucket: 'evidence-2026',
        region: 'us-east-1',
        accessKeyId: 'AKID',
        secretAccessKey: 'secret',
      },
    });
  });

  it('set the public origin, the only one of ours', () => {
    const config = configOf({ PUBLIC_URL: 'https://Exams.example.org:443/' });
    expect(config.publicUrl).toBe('https://exams.example.org');
    expect(config.ownOrigins).toEqual(['https://exams.example.org']);
  });

  it.each([
    [HEX],
    ['q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA='],
    ['a passphrase of thirty-two signs!'],
  ])('accept the secret key %j', (key) => {
    expect(configOf({ SECRET_KEY: key }).secretKey).toBe(key);
  });

  it.each([
    [
      'smtp://mail.example.org?from=exams@example.org',
      { host: 'mail.example.org', port: 587, username: '', password: '' },
    ],
    [
      'smtps://exams%40example.org:p%40ss%3Aword@mail.example.org',
      { port: 465, username: 'exams@example.org', password: 'p@ss:word' },
    ],
    [
      'smtp://user:pass@[::1]:2525?from=exams@example.org',
      { host: '::1', port: 2525, username: 'user', password: 'pass' },
    ],
  ])('accept the mail server %s', (url, expected) => {
    expect(configOf({ SMTP_URL: url }).smtpUrl).toMatchObject({
      ...expected,
      fromEmail: 'exams@example.org',
    });
  });
});

it('child processes get neither secrets nor PostgreSQL’s own variables', () => {
  expect(Object.keys(childEnvironment({ LC_ALL: 'C' })).sort()).toEqual([
    'HOME',
    'LC_ALL',
    'PATH',
    'TMPDIR',
  ]);
});
