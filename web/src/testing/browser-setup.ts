/** What a page has before the app, for components that are shown without it, and none of what was shown. */
import { afterEach } from 'vitest';
import { cleanup } from 'vitest-browser-react/pure';
import { dismissToast, shownToasts } from '../ui/toasts/toast.ts';
import '../main.css';

// The package does so by itself only in the first file of a page.
afterEach(cleanup);
afterEach(() => {
  for (const { id } of shownToasts()) dismissToast(id);
});
