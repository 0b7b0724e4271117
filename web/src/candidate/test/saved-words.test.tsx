import type * as React from 'react';
import { describe, expect, test, vi } from 'vitest';
import type { SyncState } from '../../answer-sync/answer-sync.ts';
import { missingCode } from '../../proctoring/fetch-again.ts';
import { draw, wordsOf } from '../../testing/drawn.tsx';
import { NO_ATTEMPT } from '../attempt/attempt-state.ts';
import { currentAttempt } from '../current-attempt.ts';
import { MissingCodeNotice } from '../notices/missing-code-notice.tsx';
import { OfflineAdvice } from '../notices/offline-advice.tsx';
import { StorageNotice } from '../notices/storage-notice.tsx';
import { AnnouncementPanel } from './announcement-panel.tsx';
import { connectionNews, SavedIndicator } from './saved-indicator.tsx';

// Drawn without a browser, as in screens.test.tsx.
vi.mock('react', async (original) => {
  const react = await original<typeof React>();
  const useSyncExternalStore: typeof react.useSyncExternalStore = (subscribe, get, server) =>
    react.useSyncExternalStore(subscribe, get, server ?? get);
  return { ...react, useSyncExternalStore };
});

function given(state: SyncState, durable = true) {
  const sync = { ...NO_ATTEMPT.sync, state, durable };
  vi.spyOn(currentAttempt, 'getSnapshot').mockReturnValue({ ...NO_ATTEMPT, sync });
}
const indicator = () => wordsOf(draw(<SavedIndicator />));
const advice = () => wordsOf(draw(<OfflineAdvice />));

describe('what is saved and what is not', () => {
  test('after a refusal for good it says that nothing is saved', () => {
    given({ kind: 'replaced', waiting: 1 });
    expect(indicator()).toBe('Not saving');
  });

  test('saved with its time, saving, and nothing to do about either', () => {
    given({ kind: 'saved', at: new Date(2026, 4, 14, 14, 3, 22) });
    expect(indicator()).toBe('Saved 14:03:22');
    given({ kind: 'saving' });
    expect(indicator()).toBe('Saving…');
    expect(advice()).toBe('');
  });

  test('offline: how many changes wait, where they are, and to go on', () => {
    given({ kind: 'offline', waiting: 1 });
    expect(indicator()).toMatch(/^Offline: 1 change waiting/);
    given({ kind: 'offline', waiting: 3 });
    expect(indicator()).toBe(
      'Offline: 3 changes waiting Offline. Your changes are kept on this device and sent when the connection is back.',
    );
    expect(advice()).toMatch(
      /^Keep answering\. .*kept on this device and sent automatically .* does not count\.$/,
    );
  });

  test('a browser that stores nothing is told to stay, from the start and when it is offline', () => {
    given({ kind: 'saved', at: null }, false);
    expect(wordsOf(draw(<StorageNotice />))).toMatch(
      /^This browser cannot keep answers on this device\. .* keep this page open until it says Saved\.$/,
    );
    given({ kind: 'offline', waiting: 2 }, false);
    expect(indicator()).toContain('Keep this page open: this browser cannot keep your changes.');
    expect(advice()).toContain('Keep this page open until it says Saved');
  });
});

test('what an administrator says is spoken politely, and shown in a panel that is no dialog', () => {
  vi.spyOn(currentAttempt, 'getSnapshot').mockReturnValue({
    ...NO_ATTEMPT,
    announcements: [
      { kind: 'message', id: 'm', text: 'Stay at your desk.' },
      { kind: 'extra-time', id: 'e', ms: 300_000 },
      { kind: 'ending', id: 'ending', ms: 9_700 },
    ],
  });
  const markup = draw(<AnnouncementPanel />);
  const spoken = /<p role="status" aria-live="polite"[^>]*>(.*?)<\/p>/.exec(markup)?.[1];
  expect(spoken).toBe(
    'Message from the administrator: Stay at your desk. You have more time: The administrator added 5 minutes. The clock shows the new time. The administrator is ending your assessment: It ends within 10 seconds. Your answers are saved, and are submitted as they stand.',
  );
  expect(markup).not.toMatch(/dialog|autofocus/);
  expect(wordsOf(markup)).toMatch(/OK$/);
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

test('code that cannot be fetched any more asks for a reload, and nothing else does', () => {
  expect(wordsOf(draw(<MissingCodeNotice />))).toBe('');
  missingCode.change(1);
  expect(wordsOf(draw(<MissingCodeNotice />))).toMatch(
    /^A part of this page could not be loaded\..* Reload the page$/,
  );
  missingCode.change(-1);
});
