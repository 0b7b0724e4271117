import { logProblem } from '../../lib/problem-log.ts';

/**
 * Fetches the code of the screens that an attempt can still lead to. The route table loads each
 * screen when it is first shown; somebody whose connection is gone at the end must see it too.
 */
export function fetchLaterScreens(): void {
  const screens = [
    import('./assessment-screen.tsx'),
    import('./review-screen.tsx'),
    import('./thank-you-screen.tsx'),
    import('./dismissed-screen.tsx'),
  ];
  Promise.all(screens).catch((cause) => logProblem('A later screen could not be fetched', cause));
}
