/** The percentage of mutants that the tests of every run must kill. */
export const LEAST_SCORE = 85;

const domain = 'core/src/domain';
const attempts = 'server/src/features/attempts';

/**
 * Files that `npm run mutation` mutates, and the tests beside them that must detect it (globs), by area and
 * workspace.
 *
 * @type {Record<string, { mutate: string[], tests: string[] }>}
 */
export const RUNS = {
  'attempt/core': { mutate: [`${domain}/attempt.ts`], tests: [`${domain}/attempt.test.ts`] },
  'attempt/server': {
    mutate: [`${attempts}/start-and-end/{{begin,close}-*,{start,submit}-participant}.ts`],
    tests: [
      `${attempts}/{start-and-end/{{start,submit}-participant,concurrent-*},device-changes}.test.ts`,
      'server/src/features/review/replace-participant.test.ts',
    ],
  },
  'scoring/core': {
    mutate: [`${domain}/questions/{scoring,types/{choice,typed,weights}}.ts`],
    tests: [`${domain}/questions/scoring.test.ts`],
  },
  'scoring/server': {
    mutate: [`${attempts}/score-attempts.ts`],
    tests: [
      `${attempts}/start-and-end/submit-participant.test.ts`,
      'server/src/features/results/rescore-*.test.ts',
      'server/src/features/review/points.test.ts',
    ],
  },
  'policy/core': {
    mutate: [`${domain}/violations/violation-{policy,counting}.ts`],
    tests: [
      `${domain}/violations/violation-counting.test.ts`,
      'core/src/contract/assessments/policy.test.ts',
    ],
  },
  'policy/server': {
    mutate: [`${attempts}/violations/report-violation.ts`],
    tests: [`${attempts}/violations/{violations,forged-client}.test.ts`],
  },
  'codes/core': {
    mutate: [`${domain}/one-time-code.ts`],
    tests: [`${domain}/one-time-code.test.ts`],
  },
  'codes/server': {
    mutate: ['server/src/security/{secrets/codes,keys}.ts'],
    tests: ['server/src/security/{secrets/codes,keys}.test.ts'],
  },
  'sessions/server': {
    mutate: [
      'server/src/features/sign-in/{code-sign-ins,open-admin-session}.ts',
      'server/src/{db/queries/{sessions,session-changes},http/session}.ts',
      'server/src/{sessions/{session-reader,guards},security/secrets/tokens}.ts',
    ],
    tests: [
      'server/src/{db/queries/sessions,sessions/session-cache,http/session}.test.ts',
      'server/src/security/secrets/tokens.test.ts',
      `${attempts}/start-and-end/concurrent-candidates.test.ts`,
    ],
  },
  'csv/core': {
    mutate: [`${domain}/questions/question-csv.ts`, `${domain}/spreadsheet-guard.ts`],
    tests: [`${domain}/questions/question-csv.test.ts`, `${domain}/spreadsheet-guard.test.ts`],
  },
  'csv/server': {
    mutate: [
      'server/src/{formats/sheets/read-csv,http/table-stream}.ts',
      'server/src/features/results/participants-report.ts',
    ],
    tests: [
      'server/src/formats/sheets/read-csv.test.ts',
      'server/src/features/results/report-stream.test.ts',
    ],
  },
  'writer/server': {
    mutate: [`${attempts}/answers/answer-writer.ts`, 'server/src/db/batches.ts'],
    tests: [`${attempts}/answers/answer-writer.test.ts`, 'server/src/db/batches.test.ts'],
  },
};

/** The run named in the environment, for the settings of Stryker and Vitest; the first by default. */
export function currentRun() {
  const name = process.env.INVIGIL_MUTATION_RUN ?? 'attempt/core';
  const run = RUNS[name];
  if (run === undefined) throw new Error(`no such run: ${name}`);
  return { name, workspace: name.split('/')[1], ...run };
}
