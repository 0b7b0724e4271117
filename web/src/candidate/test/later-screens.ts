import { logProblem } from '../../lib/problem-log.ts';
import { fetchAgain } from '../../proctoring/fetch-again.ts';

let begun = false;

/**
 * Fetches the code of the screens and notices that an attempt can still lead to, until all of it is
 * here. They are loaded when they are first shown; someone whose connection is gone by then must
 * see them too.
 */
export function fetchLaterScreens(): void {
  if (begun) return;
  begun = true;
  void fetchAgain(
    () =>
      Promise.all([
        import('./assessment-screen.tsx'),
        import('./review-screen.tsx'),
        import('../outcome/thank-you-screen.tsx'),
        import('../outcome/dismissed-screen.tsx'),
        import('../notices/violation-notices.tsx'),
        import('../notices/detected-strip.tsx'),
      ]),
    () => true,
    (cause) => logProblem('A later screen could not be fetched: it is tried again', cause),
  );
}
