import { ENDPOINTS, type EndpointName } from '@invigil/core/contract/endpoints';
import { setUpApp } from '@invigil/testkit/factories';
import { checkResponse, requestsTo, tryRequest } from '@invigil/testkit/fuzz/fuzz-endpoint';
import { type FuzzStage, openFuzzStage } from '@invigil/testkit/fuzz/fuzz-stage';
import { inForm } from '@invigil/testkit/test-form';
import fc from 'fast-check';
import { expect, it } from 'vitest';

const NAMES = Object.keys(ENDPOINTS) as EndpointName[];

/** `npm run attacks` sends more, with its own seed, which it prints. */
const REQUESTS = Number(
  process.env.INVIGIL_FUZZ_REQUESTS ?? inForm({ short: 2 * NAMES.length, long: 1_200 }),
);
const SEED = Number(process.env.INVIGIL_FUZZ_SEED ?? 20_261_121);
/** Requests to one endpoint per stage, after which its data is recreated. */
const PER_STAGE = 12;

const app = setUpApp({ SMTP_ALLOWED_HOSTS: '127.0.0.1' });
let stage: FuzzStage;
it('any request to any endpoint is answered after two seconds of work at most, by its contract and without a failure', async () => {
  const each = Math.ceil(REQUESTS / NAMES.length);
  const problems: string[] = [];
  const statuses = new Map<string, number>();
  let sent = 0;
  for (let from = 0; from < each; from += PER_STAGE) {
    stage = await openFuzzStage(app);
    for (const name of NAMES) {
      const numRuns = Math.min(PER_STAGE, each - from);
      const seed = SEED + from;
      for (const request of fc.sample(requestsTo(name, stage), { numRuns, seed })) {
        const { problem, status, needsStage } = await tryRequest(app, name, stage, request);
        sent += 1;
        statuses.set(`${name} ${status}`, (statuses.get(`${name} ${status}`) ?? 0) + 1);
        if (problem !== null) {
          const body = request.body
            ? ` ${request.body.type} ${request.body.text.slice(0, 300)}`
            : '';
          problems.push(
            `${name} (seed ${seed}) as ${request.who} ${request.url.slice(0, 300)}${body}\n  ${problem}`,
          );
        }
        if (needsStage) stage = await openFuzzStage(app);
      }
    }
  }
  expect(sent).toBeGreaterThanOrEqual(REQUESTS);
  expect(problems).toEqual([]);
  // It got beyond validation: many endpoints accepted something.
  const taken = new Set(
    [...statuses.keys()].filter((key) => / 20\d$/.test(key)).map((key) => key.split(' ')[0]),
  );
  expect(taken.size).toBeGreaterThan(NAMES.length / inForm({ short: 3, long: 2 }));
});

it.each([
  [
    'a failure',
    500,
    '{"statusCode":500,"error":"x","code":"INTERNAL","message":"m"}',
    /answered 500/,
  ],
  ['a stack', 200, 'Error: at line 1', /outside its schema/],
  ['a field of another kind', 200, '{"days":"30"}', /outside its schema/],
  ['a refusal in another shape', 400, '{"message":"no"}', /non-standard shape/],
  ['an unknown code', 400, refusal(400, 'NO_SUCH'), /unknown code/],
  ['a code with another status', 404, refusal(404, 'INVALID_INPUT'), /with 404/],
  ['a code that the row does not list', 409, refusal(409, 'LAST_ADMIN'), /does not name/],
] as const)('%s is detected', (_, status, text, problem) => {
  const check = () => checkResponse(ENDPOINTS.getRetention, status, 'application/json', text);
  expect(check()).toMatch(problem);
});

it('an answer that follows the contract passes', () => {
  const check = (status: number, text: string) =>
    checkResponse(ENDPOINTS.getRetention, status, 'application/json', text);
  expect(check(200, '{"days":30}')).toBeNull();
  expect(check(401, refusal(401, 'NOT_SIGNED_IN'))).toBeNull();
  expect(checkResponse(ENDPOINTS.logout, 204, 'undefined', '')).toBeNull();
});

function refusal(statusCode: number, code: string): string {
  return JSON.stringify({ statusCode, error: 'Error', code, message: 'm' });
}
