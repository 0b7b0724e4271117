/** The page's environment for components rendered without the app, with cleanup after each test. */
import { afterEach } from 'vitest';
import { cleanup } from 'vitest-browser-react/pure';
import { dismissToast, shownToasts } from '../ui/toast.ts';
import '../main.css';

// The package registers its cleanup only in the first file of a page.
afterEach(cleanup);
afterEach(() => {
  for (const { id } of shownToasts()) dismissToast(id);
});
