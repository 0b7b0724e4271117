import { logProblem } from '../../lib/problem-log.ts';
import { fetchAgain } from '../../proctoring/fetch-again.ts';

let begun = false;

/**
 * Prefetches the code of later screens and notices, with retries, so that they can be shown without a
 * connection.
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
    (cause) => logProblem('A later screen could not be fetched; retrying', cause),
  );
}
