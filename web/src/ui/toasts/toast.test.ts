import { describe, expect, test, vi } from 'vitest';
import { stopTime } from '../../testing/browser-stubs.ts';

/** A fresh module per test, so that no toast is left over. */
async function freshStore() {
  vi.resetModules();
  return import('./toast.ts');
}

describe('toasts', () => {
  stopTime();

  test('ignore the dismissal of an unknown one', async () => {
    const { dismissToast, shownToasts } = await freshStore();
    dismissToast(7);
    expect(shownToasts()).toEqual([]);
  });

  test('show one at a time: a new one replaces the last', async () => {
    const { toast, shownToasts } = await freshStore();
    toast({ title: 'first' });
    toast({ title: 'second', variant: 'destructive' });
    expect(shownToasts()).toMatchObject([{ title: 'second', open: true }]);
  });

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
