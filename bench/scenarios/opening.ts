import { changeQuizBy } from '@invigil/testkit/made-quiz';
import { inRounds, print, ratio, sized } from '../benchmark.ts';
import { troublesOf } from '../load/figures.ts';
import { invite, seat } from '../load/people.ts';
import { requireDescriptors, scenario } from '../load/system.ts';
import { rounded } from '../statistics.ts';

const PEOPLE = sized(1_000, 20);
const QUESTIONS = 40;
const ROUNDS = sized(3, 1);
/** They sign in during this time, and wait for the rest until the opening. */
const ENTER_SECONDS = sized(8, 1);
const OPENS_AFTER_MS = (ENTER_SECONDS + 2) * 1_000;
const EMPTY_SECONDS = sized(3, 1);
/** From the opening to the paper, for the slowest of those who wait. */
const MOST_MS = 2_000;

// They all come from one address.
const SETTINGS = { database: 'external', env: { REQUEST_BUDGET: '10' } } as const;

await scenario('opening', SETTINGS, async (system) => {
  requireDescriptors(PEOPLE);
  const { quiz, clients } = await seat(system, { questions: QUESTIONS });
  const admin = await system.signIn();
  const medians = await inRounds(ROUNDS, async (round) => {
    const people = await invite(system, quiz.quizId, PEOPLE);
    const opensAt = Date.now() + OPENS_AFTER_MS;
    await changeQuizBy(admin.must, quiz.quizId, { opensAt: new Date(opensAt).toISOString() });
    const seed = `round ${round}`;
    const entering = { seed, seconds: ENTER_SECONDS, people, stay: false, opensAt };
    const part = await clients.enter(entering);
    const { count, first } = troublesOf([part]);
    if (count > 0) throw new Error(`some did not start: ${first}`);
    await clients.leave();
    // How long the same server takes to answer as many empty requests at once.
    const empty = await clients.repeat({
      seconds: EMPTY_SECONDS,
      atOnce: PEOPLE,
      request: 'empty',
    });
    const emptyMs = (PEOPLE * 1_000 * empty.wallSeconds) / (empty.kinds.empty?.ok ?? 0);
    await clients.leave();
    const start = part.kinds.start;
    return {
      'started, /s': rounded((PEOPLE * 1_000) / (start?.longestMs ?? 0)),
      'p50 ms': rounded(start?.p50Ms ?? 0),
      'slowest, ms': rounded(start?.longestMs ?? 0),
      'as many empty requests, ms': rounded(emptyMs),
      'slowest ÷ empty': ratio(start?.longestMs ?? 0, emptyMs),
    };
  });
  print(`\n${PEOPLE} people wait; the start brings the paper of ${QUESTIONS} questions.`);
  return {
    figures: [
      {
        name: 'from the opening to question 1, the slowest, ms',
        value: medians['slowest, ms'],
        most: MOST_MS,
      },
      { name: 'slowest ÷ as many empty requests', value: medians['slowest ÷ empty'] },
    ],
  };
});
