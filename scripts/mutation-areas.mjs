/**
 * What `npm run mutation` mutates, by area, with the tests that must detect it, and the verdict over
 * Stryker's reports. An area has one run per workspace that holds some of its code.
 *
 * @typedef {{ workspace: 'core' | 'server', mutate: string[], tests: string[] }} Run
 * @typedef {{ area: string, runs: Run[] }} Area
 */

/** The percentage of mutants that the tests of every area must kill. */
export const LEAST_SCORE = 85;

const domain = (/** @type {string[]} */ ...names) => names.map((n) => `core/src/domain/${n}.ts`);
const server = (/** @type {string[]} */ ...names) => names.map((n) => `server/src/${n}.ts`);

/** @type {Area[]} */
export const AREAS = [
  {
    area: 'attempt',
    runs: [
      { workspace: 'core', mutate: domain('attempt'), tests: domain('attempt.test') },
      {
        workspace: 'server',
        mutate: server(
          'features/attempts/start-and-end/begin-attempts',
          'features/attempts/start-and-end/start-participant',
          'features/attempts/start-and-end/submit-participant',
          'features/attempts/start-and-end/close-participants',
        ),
        tests: server(
          'features/attempts/start-and-end/start-participant.test',
          'features/attempts/start-and-end/submit-participant.test',
          'features/attempts/start-and-end/concurrent-candidates.test',
        ),
      },
    ],
  },
  {
    area: 'scoring',
    runs: [
      {
        workspace: 'core',
        mutate: domain('questions/scoring'),
        tests: domain('questions/scoring.test', 'questions/scoring-table.test'),
      },
      {
        workspace: 'server',
        mutate: server('features/attempts/scoring/score-attempts'),
        tests: server('features/attempts/start-and-end/submit-participant.test'),
      },
    ],
  },
  {
    area: 'policy',
    runs: [
      {
        workspace: 'core',
        mutate: domain('violations/violation-policy', 'violations/violation-counting'),
        tests: [
          ...domain('violations/violation-counting.test'),
          'core/src/contract/assessments/policy.test.ts',
        ],
      },
      {
        workspace: 'server',
        mutate: server('features/attempts/violations/report-violation'),
        tests: server(
          'features/attempts/violations/violations.test',
          'features/attempts/violations/forged-client.test',
        ),
      },
    ],
  },
  {
    area: 'codes',
    runs: [
      { workspace: 'core', mutate: domain('one-time-code'), tests: domain('one-time-code.test') },
      {
        workspace: 'server',
        mutate: server('security/secrets/codes', 'security/keys'),
        tests: server('security/secrets/codes.test', 'security/keys.test'),
      },
    ],
  },
  {
    area: 'sessions',
    runs: [
      {
        workspace: 'server',
        mutate: [
          ...server(
            'features/sign-in/code-sign-ins',
            'db/queries/sessions',
            'db/queries/session-changes',
            'sessions/session-reader',
            'features/sign-in/open-admin-session',
            'sessions/guards',
          ),
          ...server('security/secrets/tokens'),
          'server/src/http/session.ts',
        ],
        tests: [
          ...server(
            'db/queries/sessions.test',
            'sessions/session-cache.test',
            'features/attempts/start-and-end/concurrent-candidates.test',
          ),
          ...server('security/secrets/tokens.test'),
          'server/src/http/session.test.ts',
        ],
      },
    ],
  },
  {
    area: 'csv',
    runs: [
      {
        workspace: 'core',
        mutate: domain('questions/question-csv', 'questions/spreadsheet-guard'),
        tests: domain('questions/question-csv.test', 'questions/spreadsheet-guard.test'),
      },
      {
        workspace: 'server',
        mutate: server(
          'formats/sheets/read-csv',
          'http/csv-stream',
          'features/review/reports/participants-report',
        ),
        tests: server('formats/sheets/read-csv.test', 'features/review/reports/report-stream.test'),
      },
    ],
  },
  {
    area: 'answer writer',
    runs: [
      {
        workspace: 'server',
        mutate: [...server('features/attempts/answers/answer-writer'), 'server/src/db/batches.ts'],
        tests: [
          'server/src/db/batches.test.ts',
          ...server('features/attempts/answers/answer-writer.test'),
        ],
      },
    ],
  },
];

/**
 * The run with a name like `attempt/core`.
 *
 * @param {string} name
 * @returns {Run & { name: string }}
 */
export function runNamed(name) {
  for (const { area, runs } of AREAS) {
    const run = runs.find(({ workspace }) => `${area}/${workspace}` === name);
    if (run !== undefined) return { ...run, name };
  }
  throw new Error(`no such run: ${name}`);
}

/** The run named in the environment, for the settings of Stryker and Vitest; the first by default. */
export function currentRun() {
  return runNamed(process.env.INVIGIL_MUTATION_RUN ?? 'attempt/core');
}

/** Path of Stryker's report of a run, relative to the checkout. */
export function reportOf(/** @type {string} */ name) {
  return `test-results/mutation/${name.replaceAll(/[ /]/g, '-')}.json`;
}

/**
 * Evaluates an area by the reports of its runs, as Stryker counts: a mutant is killed when a test fails
 * or times out, not when no test reaches it; mutants that do not compile or are ignored in the source do
 * not count. A file without mutants is a failure.
 *
 * @param {Area} area
 * @param {any[]} reports one for each run, undefined where there is none
 * @returns {{ killed: number, timedOut: number, all: number, score: number, survived: string[], failures: string[] }}
 *   `timedOut`: how many of the killed ones by a timeout, which a very busy machine can cause too
 */
export function evaluateArea({ area, runs }, reports) {
  let killed = 0;
  let timedOut = 0;
  /** @type {string[]} */
  const survived = [];
  /** @type {string[]} */
  const failures = [];
  runs.forEach(({ workspace, mutate }, i) => {
    const files = reports[i]?.files;
    if (files === undefined) failures.push(`${area}/${workspace} has no report`);
    for (const path of files === undefined ? [] : mutate) {
      const mutants = files[path]?.mutants ?? [];
      const counted = mutants.filter(({ status }) => status in VERDICTS);
      if (counted.length === 0) failures.push(`${path} has no mutants`);
      killed += counted.filter(({ status }) => VERDICTS[status]).length;
      timedOut += counted.filter(({ status }) => status === 'Timeout').length;
      survived.push(
        ...counted
          .filter(({ status }) => !VERDICTS[status])
          .map(
            ({ status, location: { start }, mutatorName, replacement }) =>
              `${path}:${start.line}:${start.column} ${mutatorName}` +
              `${status === 'NoCoverage' ? ' (not covered)' : ''}: ${oneLine(replacement)}`,
          ),
      );
    }
  });
  const all = killed + survived.length;
  const score = all === 0 ? 0 : (100 * killed) / all;
  if (all > 0 && score < LEAST_SCORE) failures.push(`below ${LEAST_SCORE} %`);
  return { killed, timedOut, all, score, survived, failures };
}

/** @type {Record<string, boolean>} */
const VERDICTS = { Killed: true, Timeout: true, Survived: false, NoCoverage: false };

function oneLine(/** @type {string | undefined} */ text = '') {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}
