import { BALANCED_POLICY } from '@invigil/core/domain/violations/violation-policy';
import { Candidate } from '../../e2e/support/candidate.ts';
import { PAGE_ONLY } from '../../e2e/support/policies.ts';
import { mediansOf, print, printRows, ratio, sized } from '../benchmark.ts';
import { launchChromium } from '../chromium.ts';
import { invite, makeQuiz } from '../load/people.ts';
import { scenario } from '../load/system.ts';
import { rounded } from '../statistics.ts';
import { measureAnHour } from './memory.ts';
import { loadSlowly, SLOW_3G, startSlowly } from './slow-lines.ts';

const ROUNDS = sized(3, 1);
/** Last quarter of the hour over the first: flat, within the variation of garbage collection. */
const MOST_GROWTH = 1.05;

await scenario('test-page', { database: 'embedded', web: true }, async (system) => {
  await using browser = await launchChromium(
    '--use-fake-ui-for-media-stream',
    '--use-fake-device-for-media-stream=fps=5',
  );
  const quiz = await makeQuiz(system, 40, PAGE_ONLY);
  const monitored = await makeQuiz(system, 40, BALANCED_POLICY);
  /** Someone with their own browser who has not signed in yet. */
  const invited = async (quizId: string, options = {}) => {
    const [person] = await invite(system, quizId, 1);
    if (!person) throw new Error('the invitation failed');
    const context = await browser.newContext({ baseURL: system.server.url, ...options });
    return new Candidate(await context.newPage(), person);
  };
  const inProgress = async (options = {}) => {
    const candidate = await invited(quiz.quizId, options);
    await candidate.signIn();
    await candidate.begin();
    return candidate;
  };
  const repeated = async <T extends Record<string, number>>(measure: () => Promise<T>) => {
    const rounds: T[] = [];
    for (let i = 0; i < ROUNDS; i += 1) rounds.push(await measure());
    const medians = Object.entries(mediansOf(rounds)).map(([key, n]) => [key, rounded(n ?? 0)]);
    return Object.fromEntries(medians) as T;
  };

  const memory = await measureAnHour(await inProgress());
  const cold = await repeated(() => loadSlowly(inProgress, false));
  const cached = await repeated(() => loadSlowly(inProgress, true));
  const start = await repeated(async () => startSlowly(await invited(monitored.quizId)));

  print('Memory of the test page over a simulated hour, after a garbage collection:\n');
  printRows(memory.rows);
  print(`\n${memory.heartbeats} heartbeats and ${memory.saves} saves reached the server.`);
  print('\nThe test page on a throttled phone, medians:\n');
  printRows(
    Object.entries({ 'nothing cached': cold, 'files cached': cached }).map(([load, figures]) => ({
      load,
      ...figures,
      'interactive ÷ transfer': ratio(figures['interactive, ms'], figures['transfer time, ms']),
    })),
  );
  print('\nThe start on slow 3G (400 kbit/s, 400 ms), nothing cached, medians:\n');
  const questionMs = start['click to first question, ms'];
  printRows([{ ...start, 'round trips of it': ratio(questionMs, SLOW_3G.rttMs) }]);
  const { held, nodes } = memory.growth;
  return {
    figures: [
      { name: 'memory retained by scripts, last ÷ first quarter', value: held, most: MOST_GROWTH },
      { name: 'DOM nodes, last ÷ first quarter', value: nodes, most: MOST_GROWTH },
      {
        name: 'interactive with nothing cached, ms',
        value: cold['interactive, ms'],
        // Lighthouse rates up to 3.8 s on such a phone as good and up to 7.3 s as moderate.
        most: 5_000,
      },
      { name: 'interactive with files cached, ms', value: cached['interactive, ms'] },
      {
        name: 'first question after the start on slow 3G, ms',
        value: questionMs,
        // The time that loading may take of the candidate's.
        most: 3_000,
      },
    ],
  };
});
