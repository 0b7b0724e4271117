import { LANGUAGE_TAGS, type Language } from '@invigil/core/texts/languages';
import { changeQuizBy } from '@invigil/testkit/made-quiz';
import { inRounds, print, printRows, ratio, sized } from '../benchmark.ts';
import { launchChromium } from '../chromium.ts';
import { createSessions, makeQuiz } from '../load/people.ts';
import { BROWSER } from '../load/requests.ts';
import { type LoadSystem, scenario } from '../load/system.ts';
import { rounded } from '../statistics.ts';
import { SLOW_3G, slow, watchTraffic } from '../test-page/slow-lines.ts';

const TAGS: readonly Language[] = sized<readonly Language[]>(LANGUAGE_TAGS, ['en', 'ar']);
const ROUNDS = sized(7, 1);
const QUESTIONS = 40;
/** English is measured first and last in each round: what differs between the two is noise. */
const AGAIN = 'en again';
const COLUMNS = [...TAGS, AGAIN] as const;
const MOST_OF_ENGLISH = 1;
const SHOWN_WITHIN_MS = 120_000;

await scenario('first-question', { database: 'embedded', web: true }, async (system) => {
  await using browser = await launchChromium();
  const cookies = new Map<string, string[]>();
  for (const tag of TAGS) cookies.set(tag, await cookiesOf(system, tag));
  cookies.set(AGAIN, await cookiesOf(system, 'en'));

  /** Milliseconds from opening the page of a running attempt in a new browser to its first question. */
  const open = async (column: (typeof COLUMNS)[number], round: number): Promise<number> => {
    const { url } = system.server;
    const tag = column === AGAIN ? 'en' : column;
    const context = await browser.newContext({ baseURL: url, userAgent: BROWSER });
    const kept = [cookies.get(column)?.[round] ?? '', ...(tag === 'en' ? [] : [`language=${tag}`])];
    await context.addCookies(
      kept.map((cookie) => {
        const [name = '', value = ''] = cookie.split('=');
        return { name, value, url };
      }),
    );
    const page = await context.newPage();
    const { devtools } = await watchTraffic(page);
    await slow(devtools, SLOW_3G);
    await page.goto('/quiz/assessment', { waitUntil: 'commit' });
    // Looks before every frame; the page's clock starts with the navigation.
    const shown = await page.waitForFunction(
      () =>
        document.querySelector('main h1')?.checkVisibility() &&
        document.querySelector('main [role=radio]')?.checkVisibility() && {
          ms: performance.now(),
          language: document.documentElement.lang,
        },
      null,
      { timeout: SHOWN_WITHIN_MS },
    );
    const seen = await shown.jsonValue();
    await context.close();
    if (!seen || seen.language !== tag) throw new Error(`${tag}: the page is in another language`);
    return rounded(seen.ms);
  };

  const ms = await inRounds(ROUNDS, async (round) => {
    const row = Object.fromEntries(COLUMNS.map((column) => [column, 0]));
    for (const column of round % 2 === 0 ? COLUMNS : COLUMNS.toReversed())
      row[column] = await open(column, round);
    return row;
  });
  const english = Math.max(ms.en ?? 0, ms[AGAIN] ?? 0);
  print('');
  printRows(
    COLUMNS.map((column) => ({ language: column, '÷ English': ratio(ms[column] ?? 0, english) })),
  );
  const slowest = TAGS.filter((tag) => tag !== 'en').reduce((a, b) =>
    (ms[a] ?? 0) > (ms[b] ?? 0) ? a : b,
  );
  return {
    figures: [
      {
        name: `first question in the slowest language (${slowest}) ÷ English`,
        value: ratio(ms[slowest] ?? 0, english),
        most: MOST_OF_ENGLISH,
      },
      { name: 'first question in English, ms', value: english },
      { name: 'the same, the other time', value: Math.min(ms.en ?? 0, ms[AGAIN] ?? 0) },
    ],
  };
});

/** Sessions of people in an attempt at an assessment in a language, one for each round. */
async function cookiesOf(system: LoadSystem, tag: Language): Promise<string[]> {
  const { quizId } = await makeQuiz(system, QUESTIONS, { preset: 'off' });
  const sessions = await createSessions(system, quizId, ROUNDS);
  const admin = await system.signIn();
  if (tag !== 'en') await changeQuizBy(admin.must, quizId, { languages: [tag] });
  return sessions.map(({ cookie }) => cookie);
}
