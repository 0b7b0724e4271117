import { inRounds, print, sized } from '../benchmark.ts';
import { type Kind, troublesOf } from '../load/figures.ts';
import { invite, seat } from '../load/people.ts';
import { type MeasuredPart, measurePart, scenario } from '../load/system.ts';
import { rounded } from '../statistics.ts';

const LINES = 64;
const ROUNDS = sized(5, 1);
const SECONDS = sized(4, 1);
const WARM_UP_SECONDS = sized(3, 1);
/** Enough that hardly anyone signs in twice. */
const PEOPLE = sized(20_000, 1_000);
const LEAST = 1_000;

// More sign-ins from one address than a network may send on a quick machine.
const SETTINGS = { database: 'external', env: { REQUEST_BUDGET: '10' } } as const;

await scenario('sign-in', SETTINGS, async (system) => {
  const { quiz, clients } = await seat(system, { questions: 40 });
  const people = await invite(system, quiz.quizId, PEOPLE);
  await system.postgres.query('vacuum (analyze)');

  let from = 0;
  const signIn = async (seconds: number) => {
    const part = await measurePart(system.processes, () =>
      clients.repeat({ seconds, atOnce: LINES, signIn: { people, from } }),
    );
    const { count, first } = troublesOf([part]);
    if (count > 0) throw new Error(`some sign-ins failed: ${first}`);
    from += part.kinds['sign-in']?.ok ?? 0;
    return part;
  };
  const ask = (seconds: number) =>
    measurePart(system.processes, () =>
      clients.repeat({ seconds, atOnce: LINES, request: 'empty' }),
    );
  await signIn(WARM_UP_SECONDS);
  await ask(1);
  const medians = await inRounds(ROUNDS, async (round) => {
    // Every other round in reverse order, so that neither always follows the other.
    const emptyFirst = round % 2 === 1 ? await ask(SECONDS) : undefined;
    const signedIn = await signIn(SECONDS);
    return compare(signedIn, emptyFirst ?? (await ask(SECONDS)), system.machine.cores);
  });
  const live = await system.postgres.count(
    'select count(*) as n from sessions where invitation_id is not null and ended_at is null',
  );
  const expected = Math.min(from, people.length);
  if (live !== expected) throw new Error(`${live} sessions live, ${expected} people signed in`);

  print(`\n${LINES} concurrent keep-alive connections.`);
  return {
    figures: [
      { name: 'sign-ins/s with a correct code', value: medians['sign-ins/s'], least: LEAST },
      { name: 'sign-ins ÷ empty route', value: medians['sign-ins ÷ empty'] },
      { name: 'p99 of a sign-in, ms', value: medians['p99 ms'] },
    ],
  };
});

/** One round: sign-ins and the upper bound, on the same connections. */
function compare(signIn: MeasuredPart, empty: MeasuredPart, cores: number) {
  const rate = (part: MeasuredPart, kind: Kind) => (part.kinds[kind]?.ok ?? 0) / part.wallSeconds;
  /** Processor time of one request, in µs. */
  const micros = (part: MeasuredPart, kind: Kind, who: 'app' | 'postgres' | 'load') =>
    part.shares && rounded((part.shares[who] * cores * 1_000_000) / rate(part, kind));
  const figures = signIn.kinds['sign-in'];
  return {
    'sign-ins/s': rounded(rate(signIn, 'sign-in')),
    'p50 ms': rounded(figures?.p50Ms ?? 0, 1),
    'p99 ms': rounded(figures?.p99Ms ?? 0, 1),
    'empty route, /s': rounded(rate(empty, 'empty')),
    'sign-ins ÷ empty': rounded(rate(signIn, 'sign-in') / rate(empty, 'empty'), 2),
    'app, µs each': micros(signIn, 'sign-in', 'app'),
    'PostgreSQL, µs each': micros(signIn, 'sign-in', 'postgres'),
    'load generator, µs each': micros(signIn, 'sign-in', 'load'),
    'empty route: app, µs each': micros(empty, 'empty', 'app'),
    'other load, %': signIn.shares && rounded(signIn.shares.other * 100),
  };
}
