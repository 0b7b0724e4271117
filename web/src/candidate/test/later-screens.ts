import { needTexts } from '../../lib/language.ts';
import { logProblem } from '../../lib/problem-log.ts';
import { fetchAgain } from '../../proctoring/fetch-again.ts';
import { preloadParsers } from '../../question-view/content/load-content.ts';

/** Some browsers and networks block fonts; the test goes without them. */
const FONTS = ['1em "IBM Plex Sans Variable"', '500 1em "IBM Plex Mono"'];

let coming: Promise<unknown> | null = null;

/**
 * Fetches the code of the whole test, from the first question to the receipt, with retries: it is there
 * before the start, and later screens are shown without a connection. Resolves once all of it is here.
 */
export function fetchTest(): Promise<unknown> {
  coming ??= fetchParts(() => [
    import('./assessment-screen.tsx'),
    import('./review-screen.tsx'),
    import('./help.tsx'),
    import('./paused.tsx'),
    import('../outcome/thank-you-screen.tsx'),
    import('../outcome/dismissed-screen.tsx'),
    import('../notices/violation-notices.tsx'),
    import('../notices/detected-strip.tsx'),
    needTexts('candidate'),
  ]);
  return coming;
}

/**
 * The same with what only some papers and monitoring need, and the fonts. For the time before the start.
 *
 * @param layout fetches the layout around the screens, which itself calls fetchTest
 */
export async function prepareTest(layout: () => Promise<unknown>): Promise<void> {
  await fetchTest();
  await fetchParts(() => [
    layout(),
    import('../monitoring/monitoring.ts'),
    import('../../question-view/richer-answers.tsx'),
    preloadParsers([{ text: '$x$', format: 'markdown' }]),
    ...FONTS.map((font) => document.fonts.load(font).catch(() => undefined)),
  ]);
}

function fetchParts(parts: () => Promise<unknown>[]): Promise<unknown> {
  return fetchAgain(
    () => Promise.all(parts()),
    () => true,
    (cause) => logProblem('A part of the test could not be fetched; retrying', cause),
  );
}
