import { describe, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import type { SyncState } from '../../answer-sync/answer-sync.ts';
import { missingCode } from '../../proctoring/fetch-again.ts';
import { show, wordsIn, wordsOf } from '../../testing/shown.tsx';
import { NO_ATTEMPT } from '../attempt/attempt-state.ts';
import { currentAttempt } from '../current-attempt.ts';
import { MissingCodeNotice } from '../notices/missing-code-notice.tsx';
import { OfflineAdvice } from '../notices/offline-advice.tsx';
import { StorageNotice } from '../notices/storage-notice.tsx';
import { AnnouncementPanel } from './announcement-panel.tsx';
import { connectionNews, SavedIndicator } from './saved-indicator.tsx';

function given(state: SyncState, durable = true) {
  const sync = { ...NO_ATTEMPT.sync, state, durable };
  vi.spyOn(currentAttempt, 'getSnapshot').mockReturnValue({ ...NO_ATTEMPT, sync });
}

const indicator = () => wordsOf(<SavedIndicator />);
const advice = () => wordsOf(<OfflineAdvice />);

describe('what is saved and what is not', () => {
  test('after a refusal for good it says that nothing is saved', async () => {
    given({ kind: 'replaced', waiting: 1 });
    expect(await indicator()).toBe('Not saving');
  });

  test('saved with its time, saving, and nothing to do about either', async () => {
    given({ kind: 'saved', at: new Date(2026, 4, 14, 14, 3, 22) });
    expect(await indicator()).toBe('Saved 14:03:22');
    given({ kind: 'saving' });
    expect(await indicator()).toBe('Saving…');
    expect(await advice()).toBe('');
  });

  test('offline: how many changes wait, where they are, and to continue', async () => {
    given({ kind: 'offline', waiting: 1 });
    expect(await indicator()).toMatch(/^Offline: 1 change waiting/);
    given({ kind: 'offline', waiting: 3 });
    expect(await indicator()).toBe(
      'Offline: 3 changes waiting Offline. Your changes are kept on this device and sent when the connection is back.',
    );
    expect(await advice()).toMatch(
      /^Keep answering\. .*kept on this device and sent automatically .* do not count\.$/,
    );
  });

  test('a browser that stores nothing is told to stay, from the start and when it is offline', async () => {
    given({ kind: 'saved', at: null }, false);
    expect(await wordsOf(<StorageNotice />)).toMatch(
      /^This browser cannot keep answers on this device\. .* keep this page open until it says Saved\.$/,
    );
    given({ kind: 'offline', waiting: 2 }, false);
    expect(await indicator()).toContain(
      'Keep this page open: this browser cannot keep your changes.',
    );
    expect(await advice()).toContain('Keep this page open until it says Saved');
  });
});

test('what an administrator says is spoken politely, and shown in a panel that is no dialog', async () => {
  const acknowledged = vi.spyOn(currentAttempt, 'acknowledge').mockReturnValue();
  vi.spyOn(currentAttempt, 'getSnapshot').mockReturnValue({
    ...NO_ATTEMPT,
    announcements: [
      { kind: 'message', id: 'm', text: 'Stay at your desk.' },
      { kind: 'extra-time', id: 'e', ms: 300_000 },
      { kind: 'ending', id: 'ending', ms: 9_700 },
    ],
  });
  await show(<AnnouncementPanel />);
  const spoken = page.getByRole('status');
  await expect.element(spoken).toHaveAttribute('aria-live', 'polite');
  expect(wordsIn(spoken)).toBe(
    'Message from the administrator: Stay at your desk. You have more time: The administrator added 5 minutes. The clock shows the new time. The administrator is ending your assessment: It ends within 10 seconds. Your answers are saved, and are submitted as they stand.',
  );
  expect(document.querySelector('[role*="dialog"]')).toBeNull();
  // It takes no focus from an answer.
  expect(document.activeElement).toBe(document.body);
  await page.getByRole('button', { name: 'OK' }).click();
  expect(acknowledged).toHaveBeenCalledOnce();
});

test('that the connection went and came back is heard once each, clicks are not', () => {
  const kinds = ['saved', 'saving', 'offline', 'saving', 'offline', 'saving', 'saved', 'saving'];
  const heard: ReturnType<typeof connectionNews>[] = [null];
  for (const kind of [...kinds, 'saved', 'replaced'] as SyncState['kind'][]) {
    heard.push(connectionNews(heard.at(-1) ?? null, kind));
  }
  const [off, back] = ['offline', 'back'];
  expect(heard).toEqual([null, null, null, off, off, off, off, back, back, back, null]);
});

test('code that cannot be fetched any more asks for a reload, and nothing else does', async () => {
  const { container } = await show(<MissingCodeNotice />);
  expect(wordsIn(container)).toBe('');
  missingCode.change(1);
  await expect.element(page.getByRole('alert')).toBeVisible();
  expect(wordsIn(container)).toMatch(/^Part of this page could not be loaded\..* Reload the page$/);
  missingCode.change(-1);
  await expect.element(page.getByRole('alert')).not.toBeInTheDocument();
});
