import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { HALL_LIMITS } from '@invigil/core/domain/limits';
import { changeQuizBy } from '@invigil/testkit/made-quiz';
import { inRounds, print, ratio, sized } from '../benchmark.ts';
import { type Part, troublesOf } from '../load/figures.ts';
import { invite, seat } from '../load/people.ts';
import { requireDescriptors, scenario } from '../load/system.ts';
import { evenly } from '../load/timetable.ts';
import { rounded } from '../statistics.ts';

/*
 * A hall that starts together by the button of an invigilator, beside as many who start alone at the same moment and
 * within the same two seconds. Others save meanwhile. Two server processes, because each person who waits has a
 * connection for the stream and one for requests.
 */
const { values } = parseArgs({
  options: { people: { type: 'string' }, rounds: { type: 'string', default: '1' } },
});
/** Two busy cores refuse some of 10,000 within two seconds after 12 s, alone already; their pages send them again. */
const WHOLE = sized(5_000, 20);
const PEOPLE = Number(values.people ?? WHOLE);
const QUESTIONS = 40;
const SAVERS = sized(Math.min(1_000, PEOPLE / 4), 5);
const THINK_MS = 5_000;
/** They sign in during this time, and wait for the rest until the start. */
const ENTER_SECONDS = sized(Math.max(8, PEOPLE / 400), 1);
const AHEAD_MS = (ENTER_SECONDS + sized(10, 2)) * 1_000;
/** Saves are measured from a moment before the start on. */
const SAVE_SECONDS = sized(15, 3);
const MOST = 1.2;

// They all come from one address.
const SETTINGS = {
  database: 'external',
  env: { REQUEST_BUDGET: '50', WEB_CONCURRENCY: '2' },
} as const;

await scenario('start-together', SETTINGS, async (system) => {
  requireDescriptors(PEOPLE + SAVERS);
  const { clients: savers } = await seat(system, { questions: QUESTIONS, many: SAVERS });
  const admin = await system.signIn();

  /** One hall: how long until the last has question 1, and what saving takes meanwhile. */
  async function hall(seed: string, together: boolean) {
    // A start is not taken back, so each hall has an assessment of its own.
    const { quiz, clients } = await seat(system, { questions: QUESTIONS, processes: 2 });
    const people = await invite(system, quiz.quizId, PEOPLE);
    await changeQuizBy(admin.must, quiz.quizId, {
      startTogether: together ? { by: 'button', lateMinutes: 30 } : null,
    });
    const opensAt = Date.now() + AHEAD_MS;
    const spreadMs = HALL_LIMITS.spreadMs;
    const entering = { seed, seconds: ENTER_SECONDS, people, stay: false, opensAt, spreadMs };
    const entered = clients.enter({ ...entering, together });
    const saved = delay(opensAt - Date.now() - 1_000).then(() =>
      savers.sit(evenly({ seed, seconds: SAVE_SECONDS, thinkMs: THINK_MS, reportEveryMs: 60_000 })),
    );
    await delay(opensAt - Date.now());
    if (together) {
      await admin.must('startTogether', { params: { id: quiz.quizId }, body: { group: null } });
    }
    const [start, saves] = [await entered, await saved];
    const { count, first } = troublesOf([start, saves]);
    if (count > 0) {
      throw new Error(`refused or lost where together is ${together}: ${count}, ${first}`);
    }
    if (start.kinds.start?.ok !== PEOPLE) throw new Error('not everyone has question 1');
    await clients[Symbol.asyncDispose]();
    return { start, saves };
  }

  const savesOf = ({ kinds }: Part) => kinds.save?.p99Ms ?? 0;
  const medians = await inRounds(Number(values.rounds), async (round) => {
    // Each hall makes the tables larger, so they take turns to be the first.
    const order = round % 2 === 0 ? [false, true] : [true, false];
    const halls = new Map<boolean, Awaited<ReturnType<typeof hall>>>();
    for (const together of order) {
      halls.set(together, await hall(`round ${round} ${together}`, together));
    }
    const [alone, together] = [halls.get(false), halls.get(true)];
    if (!alone || !together) throw new Error('two halls');
    const last = ({ start }: typeof alone) => start.kinds.start?.longestMs ?? 0;
    return {
      'alone: the last, ms': rounded(last(alone)),
      'together: the last, ms': rounded(last(together)),
      'p50 alone, ms': rounded(alone.start.kinds.start?.p50Ms ?? 0),
      'p50 together, ms': rounded(together.start.kinds.start?.p50Ms ?? 0),
      'together ÷ alone': ratio(last(together), last(alone)),
      'saves p99 alone, ms': rounded(savesOf(alone.saves)),
      'saves p99 together, ms': rounded(savesOf(together.saves)),
      'saves: together ÷ alone': ratio(savesOf(together.saves), savesOf(alone.saves)),
    };
  });
  print(`\n${PEOPLE} people wait; ${SAVERS} others save every ${THINK_MS / 1_000} s.`);
  return {
    isPart: PEOPLE !== WHOLE,
    figures: [
      {
        name: 'the last has question 1: together ÷ alone',
        value: medians['together ÷ alone'],
        most: MOST,
      },
      {
        name: 'p99 of the saves of others: together ÷ alone',
        value: medians['saves: together ÷ alone'],
        most: MOST,
      },
      { name: 'the last has question 1, together, ms', value: medians['together: the last, ms'] },
    ],
  };
});
