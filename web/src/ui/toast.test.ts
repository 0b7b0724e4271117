import { describe, expect, test, vi } from 'vitest';
import { stopTime } from '../testing/browser-stubs.ts';

/** A fresh module per test, so that no toast is left over. */
async function freshStore() {
  vi.resetModules();
  return import('./toast.ts');
}

describe('toasts', () => {
  stopTime();

  test('close a dismissed one at once and remove it 1,000,000 ms later', async () => {
    const { toast, dismissToast, shownToasts } = await freshStore();
    const id = toast({ title: 'gone' });
    dismissToast(id);
    expect(shownToasts()).toMatchObject([{ open: false }]);
    vi.advanceTimersByTime(999_999);
    expect(shownToasts()).toHaveLength(1);
    vi.advanceTimersByTime(1);
    expect(shownToasts()).toHaveLength(0);
  });
});
