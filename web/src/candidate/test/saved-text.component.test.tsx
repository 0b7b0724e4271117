import { describe, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import type { SyncState } from '../../answer-sync/answer-sync.ts';
import { missingCode } from '../../proctoring/fetch-again.ts';
import { givenAttempt } from '../../testing/attempts.ts';
import { show, wordsIn, wordsOf } from '../../testing/shown.tsx';
import { NO_ATTEMPT } from '../attempt/attempt-state.ts';
import { currentAttempt } from '../current-attempt.ts';
import { MissingCodeNotice, OfflineAdvice, StorageNotice } from '../notices/notices.tsx';
import { AnnouncementPanel } from './announcement-panel.tsx';
import { connectionNews, SavedIndicator } from './attempt-layout.tsx';

function given(state: SyncState, durable = true) {
  givenAttempt({ sync: { ...NO_ATTEMPT.sync, state, durable } });
}

const indicator = () => wordsOf(<SavedIndicator />);
const advice = () => wordsOf(<OfflineAdvice />);

describe('the save state', () => {
  test('shows that nothing is saved after a final refusal', async () => {
    given({ kind: 'replaced', waiting: 1 });
    expect(await indicator()).toBe('Not saving');
  });

  test('shows saved with time, and saving, without advice', async () => {
    given({ kind: 'saved', at: new Date(2026, 4, 14, 14, 3, 22) });
    expect(await indicator()).toBe('Saved 14:03:22');
    given({ kind: 'saving' });
    expect(await indicator()).toBe('Saving…');
    expect(await advice()).toBe('');
  });

  test('shows offline with the number of pending changes and advice to continue', async () => {
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

  test('warns not to close the page if the browser cannot store', async () => {
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

test("announces an administrator's message politely, in a panel that is not a dialog", async () => {
  const acknowledged = vi.spyOn(currentAttempt, 'acknowledge').mockReturnValue();
  givenAttempt({
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
    'Message from the administrator: Stay at your desk. You have more time: The administrator added 5 minutes. The clock shows the new time. The administrator is ending your assessment: It ends within 10 seconds. What has reached the server by then is submitted as it stands.',
  );
  expect(document.querySelector('[role*="dialog"]')).toBeNull();
  // It does not take the focus.
  expect(document.activeElement).toBe(document.body);
  await page.getByRole('button', { name: 'OK' }).click();
  expect(acknowledged).toHaveBeenCalledOnce();
});

test('announces connection changes once each, and no clicks', () => {
  const kinds = ['saved', 'saving', 'offline', 'saving', 'offline', 'saving', 'saved', 'saving'];
  const news: ReturnType<typeof connectionNews>[] = [null];
  for (const kind of [...kinds, 'saved', 'replaced'] as SyncState['kind'][]) {
    news.push(connectionNews(news.at(-1) ?? null, kind));
  }
  const [off, back] = ['offline', 'back'];
  expect(news).toEqual([null, null, null, off, off, off, off, back, back, back, null]);
});

test('asks for a reload only if code cannot be fetched', async () => {
  const { container } = await show(<MissingCodeNotice />);
  expect(wordsIn(container)).toBe('');
  missingCode.change(1);
  await expect.element(page.getByRole('alert')).toBeVisible();
  expect(wordsIn(container)).toMatch(/^Part of this page could not be loaded\..* Reload the page$/);
  missingCode.change(-1);
  await expect.element(page.getByRole('alert')).not.toBeInTheDocument();
});
