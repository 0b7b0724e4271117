/**
 * What `npm run mutation` changes, by area, with the tests that must notice; and the verdict over what
 * Stryker reports of it. An area is mutated once in each ring that holds some of its code.
 *
 * @typedef {{ ring: 'core' | 'server', mutate: string[], tests: string[] }} Run
 * @typedef {{ area: string, runs: Run[] }} Area
 */

/** Every area must reach this share of caught changes, in per cent. */
export const LEAST_SCORE = 85;

const domain = (/** @type {string[]} */ ...names) => names.map((n) => `core/src/domain/${n}.ts`);
const server = (/** @type {string[]} */ ...names) => names.map((n) => `server/src/${n}.ts`);

/** @type {Area[]} */
export const AREAS = [
  {
    area: 'attempt',
    runs: [
      { ring: 'core', mutate: domain('attempt'), tests: domain('attempt.test') },
      {
        ring: 'server',
        mutate: server(
          'features/attempts/start-and-end/begin-attempts',
          'features/attempts/start-and-end/start-participant',
          'features/attempts/start-and-end/submit-participant',
          'features/attempts/start-and-end/close-participants',
        ),
        tests: server(
          'features/attempts/start-and-end/start-and-end.test',
          'features/attempts/start-and-end/crowd.test',
        ),
      },
    ],
  },
  {
    area: 'scoring',
    runs: [
      { ring: 'core', mutate: domain('scoring'), tests: domain('scoring.test') },
      {
        ring: 'server',
        mutate: server('features/attempts/scoring/score-attempts'),
        tests: server('features/attempts/start-and-end/start-and-end.test'),
      },
    ],
  },
  {
    area: 'policy',
    runs: [
      {
        ring: 'core',
        mutate: domain('violation-policy', 'violation-counting'),
        tests: [...domain('violation-counting.test'), 'core/src/contract/policy.test.ts'],
      },
      {
        ring: 'server',
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
      { ring: 'core', mutate: domain('one-time-code'), tests: domain('one-time-code.test') },
      {
        ring: 'server',
        mutate: server('security/secrets/codes', 'security/keys'),
        tests: server('security/secrets/codes.test', 'security/keys.test'),
      },
    ],
  },
  {
    area: 'sessions',
    runs: [
      {
        ring: 'server',
        mutate: [
          ...server(
            'features/sign-in/code-sign-ins',
            'db/queries/sessions',
            'db/queries/session-changes',
            'sessions/session-cache',
            'features/sign-in/open-admin-session',
            'sessions/require-live',
            'features/sign-in/sign-out',
          ),
          ...server('security/secrets/tokens'),
          'server/src/http/session.ts',
        ],
        tests: [
          ...server(
            'db/queries/sessions.test',
            'sessions/session-cache.test',
            'features/attempts/start-and-end/crowd.test',
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
        ring: 'core',
        mutate: domain('question-csv', 'spreadsheet-guard'),
        tests: domain('question-csv.test', 'spreadsheet-guard.test'),
      },
      {
        ring: 'server',
        mutate: server(
          'features/assessments/questions/parse-csv-file',
          'http/csv-stream',
          'features/review/reports/participants-report',
          'features/review/reports/question-columns',
        ),
        tests: server(
          'features/assessments/questions/parse-csv-file.test',
          'features/review/reports/report-stream.test',
        ),
      },
    ],
  },
  {
    area: 'answer writer',
    runs: [
      {
        ring: 'server',
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
 * The run that a name like `attempt/core` means.
 *
 * @param {string} name
 * @returns {Run & { name: string }}
 */
export function runNamed(name) {
  for (const { area, runs } of AREAS) {
    const run = runs.find(({ ring }) => `${area}/${ring}` === name);
    if (run !== undefined) return { ...run, name };
  }
  throw new Error(`no such run: ${name}`);
}

/** The run that the environment names, for the settings of Stryker and Vitest; without a name the first. */
export function askedRun() {
  return runNamed(process.env.INVIGIL_MUTATION_RUN ?? 'attempt/core');
}

/** Where Stryker leaves the report of a run, under the checkout. */
export function reportOf(/** @type {string} */ name) {
  return `test-results/mutation/${name.replaceAll(/[ /]/g, '-')}.json`;
}

/**
 * Judges an area by the reports of its runs. As Stryker counts: a change is caught when a test fails
 * or does not end; one that no test reaches is not; what does not run at all and what is excused in the
 * source do not count. A file of which nothing was changed has not been judged and is a failure.
 *
 * @param {Area} area
 * @param {any[]} reports one for each run, undefined where it left none
 * @returns {{ caught: number, hung: number, all: number, score: number, missed: string[], failures: string[] }}
 *   `hung`: how many of the caught ones only by not ending, which a very busy machine does by itself
 */
export function evaluateArea({ area, runs }, reports) {
  let caught = 0;
  let hung = 0;
  /** @type {string[]} */
  const missed = [];
  /** @type {string[]} */
  const failures = [];
  runs.forEach(({ ring, mutate }, i) => {
    const files = reports[i]?.files;
    if (files === undefined) failures.push(`${area}/${ring} left no report`);
    for (const path of files === undefined ? [] : mutate) {
      const mutants = files[path]?.mutants ?? [];
      const judged = mutants.filter(({ status }) => status in VERDICTS);
      if (judged.length === 0) failures.push(`${path} was not changed`);
      caught += judged.filter(({ status }) => VERDICTS[status]).length;
      hung += judged.filter(({ status }) => status === 'Timeout').length;
      missed.push(
        ...judged
          .filter(({ status }) => !VERDICTS[status])
          .map(
            ({ status, location: { start }, mutatorName, replacement }) =>
              `${path}:${start.line}:${start.column} ${mutatorName}` +
              `${status === 'NoCoverage' ? ' (no test gets there)' : ''}: ${oneLine(replacement)}`,
          ),
      );
    }
  });
  const all = caught + missed.length;
  const score = all === 0 ? 0 : (100 * caught) / all;
  if (all > 0 && score < LEAST_SCORE) failures.push(`below ${LEAST_SCORE} %`);
  return { caught, hung, all, score, missed, failures };
}

/** @type {Record<string, boolean>} */
const VERDICTS = { Killed: true, Timeout: true, Survived: false, NoCoverage: false };

function oneLine(/** @type {string | undefined} */ text = '') {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}
