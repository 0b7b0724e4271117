#!/usr/bin/env node
/**
 * `npm run attacks`: the long form of every security promise (docs/security.md). Prints one verdict line
 * per promise; the exit code is 0 when all hold. `npm test` runs the short form of the same tests.
 *
 *   npm run attacks -- --seed 7        replays the same requests and actions
 *   npm run attacks -- --requests 500  sends fewer
 */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { delimiter, join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { tallyPlaywright } from './tally.mjs';
import { isEntry, requireToolchain, root, run } from './toolchain.mjs';

/** @typedef {{ promise: string, files: string[] }} Promised */

/** @type {Promised[]} */
export const PROMISES = [
  {
    promise: 'erasure: no trace stays in any column or file of the database',
    files: [
      'server/src/features/review/personal-data/erasure.test.ts',
      'server/src/db/upkeep/erased-leftovers.test.ts',
    ],
  },
  {
    promise: 'backups: a modified one is refused, and nothing is changed',
    files: ['server/src/backup/backup-file.test.ts', 'server/src/commands/backup.long.test.ts'],
  },
  {
    promise: 'role × endpoint × owner: no one gets more than the table allows',
    files: [
      'server/src/http/attacks/access.test.ts',
      'server/src/http/attacks/rich-papers.test.ts',
    ],
  },
  {
    promise: 'fuzzing: no failure, no hang, no response outside its contract',
    files: [
      'server/src/http/attacks/fuzz.test.ts',
      'server/src/http/attacks/hostile-input.test.ts',
    ],
  },
  {
    promise: 'slow clients: disconnected in time; the p99 of others at most doubles',
    files: ['server/src/http/attacks/slow-clients.long.test.ts'],
  },
  {
    promise: 'admission: oversized bodies and floods are refused unread, no one gains time by load',
    files: [
      'server/src/http/admission/admission.test.ts',
      'server/src/http/admission/budgets.test.ts',
      'server/src/http/attacks/request-targets.test.ts',
      'server/src/http/attacks/limits.test.ts',
      'server/src/jobs/liveness/liveness-thread.test.ts',
      'server/src/jobs/liveness/liveness.test.ts',
      'server/src/runtime/clock.test.ts',
    ],
  },
  {
    promise: 'a refused request leaves its connection usable, or announces its end',
    files: ['server/src/http/attacks/refused-bodies.test.ts'],
  },
  {
    promise: 'what one attempt can store is bounded; harmless reports crowd out nothing',
    files: [
      'server/src/features/attempts/violations/forged-client.test.ts',
      'server/src/features/attempts/answers/save-answers.test.ts',
      'server/src/db/queries/sessions.test.ts',
    ],
  },
  {
    promise: 'headers, cookies and foreign sites on every kind of response',
    files: ['server/src/http/every-answer.test.ts', 'server/src/http/security-headers.test.ts'],
  },
  {
    promise: 'sessions: fixation, replay, deleted administrators, two processes',
    files: [
      'server/src/features/sign-in/sessions.test.ts',
      'server/src/http/attacks/ended-sessions.test.ts',
      'server/src/features/sign-in/two-processes.test.ts',
    ],
  },
  {
    promise: 'guessing: no one is locked out, no response reveals who exists',
    files: [
      'server/src/features/sign-in/passwords/guessing.test.ts',
      'server/src/features/sign-in/sign-in.test.ts',
    ],
  },
  {
    promise: 'budget of guesses: ten a minute per account, a known device is never blocked',
    files: ['server/src/features/sign-in/passwords/guessing.test.ts'],
  },
  {
    promise: 'a changed credential: no session opened with the old one outlives it',
    files: ['server/src/features/sign-in/credential-races.test.ts'],
  },
  {
    promise: 'sensitive actions need a password confirmed in the last 15 minutes',
    files: [
      'server/src/features/sign-in/passwords/fresh-password.test.ts',
      'server/src/features/invitations/outbox/outbox.test.ts',
      'server/src/features/sign-in/admins/own-password.test.ts',
    ],
  },
  {
    promise: 'two-step sign-in',
    files: [
      'server/src/features/sign-in/two-step/totp.test.ts',
      'server/src/security/secrets/totp.test.ts',
    ],
  },
  {
    promise: 'mail server: forbidden hosts, DNS rebinding, the password never leaves',
    files: [
      'server/src/mail/mail-host.test.ts',
      'server/src/mail/rebinding.test.ts',
      'server/src/mail/smtp-diagnosis.test.ts',
      'server/src/features/invitations/smtp-settings/smtp-settings.test.ts',
    ],
  },
  {
    promise: 'evasions: another device, a forged monitor, repeated photos',
    files: [
      'server/src/features/attempts/device/device-changes.test.ts',
      'server/src/jobs/flag-silent-monitors.test.ts',
      'server/src/features/attempts/evidence/repeated-stills.test.ts',
    ],
  },
  {
    promise: 'a 409 leaves no effect of its request, even across processes',
    files: [
      'server/src/features/attempts/answers/answer-writer.test.ts',
      'server/src/features/attempts/answers/save-answers.test.ts',
    ],
  },
  {
    promise: "the database's role has no other privileges",
    files: ['server/src/db/upkeep/deploy-role.test.ts'],
  },
  {
    promise: 'audit log: every change of the sealed chain is detected',
    files: ['server/src/trust/tampering.test.ts'],
  },
  {
    promise: 'trust root: write access to the database gets nothing signed and no one signed in',
    files: ['server/src/trust/attacks.test.ts'],
  },
  {
    promise: 'seals: any single change of credentials, results, log and evidence is detected',
    files: ['server/src/trust/random-changes.test.ts'],
  },
];

const E2E_FILES = ['e2e/hostile-texts.spec.ts', 'e2e/totp.spec.ts'];

/**
 * Evaluates each promise by the tests of its files. A file that did not run is a failure.
 *
 * @param {any} report the JSON report of Vitest, or undefined when there is none
 * @param {Promised[]} promises
 * @returns {{ promise: string, passed: number, failures: string[] }[]}
 */
export function evaluate(report, promises = PROMISES) {
  const results = new Map(
    (report?.testResults ?? []).map((file) => [relative(root, file.name), file]),
  );
  return promises.map(({ promise, files }) => {
    let passed = 0;
    /** @type {string[]} */
    const failures = [];
    for (const path of files) {
      const tests = results.get(path)?.assertionResults ?? [];
      const good = tests.filter(({ status }) => status === 'passed').length;
      passed += good;
      failures.push(
        ...tests
          .filter(({ status }) => status !== 'passed')
          .map(({ fullName }) => `${path} > ${fullName.trim()}`),
      );
      if (tests.length === 0) failures.push(`${path} did not run`);
    }
    return { promise, passed, failures };
  });
}

if (isEntry(import.meta.url)) await main();

async function main() {
  const { values } = parseArgs({
    options: { seed: { type: 'string' }, requests: { type: 'string' } },
  });
  const seed = values.seed ?? String(Math.floor(Math.random() * 2 ** 31));
  const requests = values.requests ?? '20000';
  requireToolchain();
  const reports = join(root, 'test-results');
  mkdirSync(reports, { recursive: true });
  const vitestReport = join(reports, 'attacks.json');
  const playwrightReport = join(reports, 'attacks-e2e.json');
  for (const path of [vitestReport, playwrightReport]) rmSync(path, { force: true });
  console.log(`seed ${seed}, ${requests} requests`);
  const slowProgram = findProgram('slowhttptest');

  const env = {
    INVIGIL_TESTS: 'long',
    INVIGIL_FUZZ_SEED: seed,
    INVIGIL_FUZZ_REQUESTS: requests,
    PLAYWRIGHT_JSON_OUTPUT_FILE: playwrightReport,
    ...(slowProgram === undefined ? {} : { INVIGIL_SLOWHTTPTEST: slowProgram }),
  };
  const files = PROMISES.flatMap((one) => one.files);
  const report = ['--reporter=default', '--reporter=json', `--outputFile.json=${vitestReport}`];
  // One file at a time: some of them measure time.
  const alone = ['--no-file-parallelism', ...report];
  await run('vitest', ['run', '--project', 'server', ...alone, ...files], { show: true, env });
  const endToEnd = await run('node', ['scripts/e2e.mjs', '--reporter=list,json', ...E2E_FILES], {
    show: true,
    env,
  });
  const { passed, failures } = tallyPlaywright(readReport(playwrightReport), endToEnd.code);
  const verdicts = [
    ...evaluate(readReport(vitestReport)),
    { promise: 'text that people typed never runs as code in a browser', passed, failures },
    await runOverload(),
  ];

  console.log(`\n── verdicts (seed ${seed})`);
  for (const one of verdicts) {
    const kept = one.failures.length === 0;
    console.log(`${kept ? 'kept  ' : 'BROKEN'} ${one.promise}: ${one.passed} passed`);
    for (const failure of one.failures) console.log(`         ${failure}`);
  }
  if (slowProgram === undefined) {
    console.log('not run: the p99 of others under slow clients (install slowhttptest)');
  }
  console.log(`${await checkAdvisories()}`);
  process.exitCode = verdicts.every((one) => one.failures.length === 0) ? process.exitCode : 1;
}

async function runOverload() {
  const promise = 'floods: honest saves stay fast, no deadline moves, no process is killed';
  const { code } = await run('node', [join(root, 'bench', 'scenarios', 'overload.ts')], {
    show: true,
  });
  const result = readReport(join(root, 'bench', 'results', 'overload.json'));
  const isKept = code === 0 && result?.verdict === 'reached';
  return {
    promise,
    passed: isKept ? 1 : 0,
    failures: isKept ? [] : [result?.summary ?? 'crashed'],
  };
}

/** Queries the registry; without a response the line says "not checked". */
async function checkAdvisories() {
  const { code, output } = await run('npm', ['audit', '--omit=dev', '--loglevel=error']);
  if (/found 0 vulnerabilities/.test(output))
    return 'kept   no known vulnerability in shipped packages (npm audit)';
  if (/audit endpoint|ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT/.test(output)) {
    return 'not checked: vulnerabilities in shipped packages (npm audit got no response)';
  }
  process.exitCode = code === 0 ? process.exitCode : 1;
  return `BROKEN known vulnerabilities in shipped packages (npm audit):\
${output}`;
}

/**
 * The path of an installed program, or undefined.
 *
 * @param {string} name
 * @param {string} path folders, as in PATH
 */
export function findProgram(name, path = process.env.PATH ?? '') {
  return path
    .split(delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, name))
    .find((file) => existsSync(file));
}

/** @param {string} path */
function readReport(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}
