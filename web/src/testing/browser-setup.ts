/** The page's environment for components rendered without the app, with cleanup after each test. */
import { afterEach } from 'vitest';
import { cleanup } from 'vitest-browser-react/pure';
import { currentMonitoring } from '../candidate/monitoring/current-monitoring.ts';
import { dismissToast, shownToasts } from '../ui/toast.ts';
import '../main.css';

// The package registers its cleanup only in the first file of a page.
afterEach(cleanup);
afterEach(() => {
  // It begins seconds after a test screen was shown, and would report to the tests that follow on the page.
  currentMonitoring.follow({ kind: 'idle' });
  for (const { id } of shownToasts()) dismissToast(id);
});
