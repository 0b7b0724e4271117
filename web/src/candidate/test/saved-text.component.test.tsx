import { LANGUAGE_TAGS } from '@invigil/core/texts/languages';
import { describe, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import type { SyncState } from '../../answer-sync/answer-sync.ts';
import { chooseLanguage, forgetLanguage, useLanguage } from '../../lib/language.ts';
import { missingCode } from '../../proctoring/fetch-again.ts';
import { givenAttempt } from '../../testing/attempts.ts';
import { ATTEMPT, paperQuestion } from '../../testing/fixtures.ts';
import { show, wordsIn, wordsOf } from '../../testing/shown.tsx';
import { NO_ATTEMPT } from '../attempt/attempt-state.ts';
import { currentAttempt } from '../current-attempt.ts';
import { MissingCodeNotice, OfflineAdvice, StorageNotice } from '../notices/notices.tsx';
import { AnnouncementPanel, MessagesMenu } from './announcement-panel.tsx';
import { AssessmentScreen } from './assessment-screen.tsx';
import { AttemptLayout, connectionNews, SavedIndicator } from './attempt-layout.tsx';

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
  expect(acknowledged).toHaveBeenCalledExactlyOnceWith('m');
});

test('shows messages one after the other, speaks each once, and lists all beside the time', async () => {
  const messages = ['One', 'Two', 'Three'].map((text, i) => ({
    id: text,
    text,
    at: `2026-05-14T10:0${i}:00Z`,
  }));
  const [one, two, three] = messages.map(
    ({ id, text }) => ({ kind: 'message', id, text }) as const,
  );
  if (!one || !two || !three) throw new Error('three messages');
  const acknowledged = vi.spyOn(currentAttempt, 'acknowledge').mockReturnValue();
  givenAttempt({ announcements: [one, two], messages });
  const bar = () => (
    <>
      <MessagesMenu />
      <AnnouncementPanel />
    </>
  );
  const { rerender } = await show(bar());
  const panel = page.getByRole('region', { name: 'From the administrator' });
  const spoken = page.getByRole('status');
  expect(wordsIn(panel)).toBe('Message from the administrator One 1 more after this OK');
  // The second press of a double click would acknowledge a message that nobody has seen.
  await panel.getByRole('button', { name: 'OK' }).dblClick();
  expect(acknowledged).toHaveBeenCalledExactlyOnceWith('One');

  givenAttempt({ announcements: [two, three], messages });
  await rerender(bar());
  expect(wordsIn(panel)).toContain('Two 1 more after this OK');
  expect(wordsIn(spoken)).toBe('Message from the administrator: Three');
  givenAttempt({ announcements: [three], messages });
  await rerender(bar());
  // Already spoken.
  expect(wordsIn(spoken)).toBe('Message from the administrator: Three');
  expect(wordsIn(panel)).toBe('Message from the administrator Three OK');

  await page.getByRole('button', { name: 'Messages (3)' }).click();
  const list = page.getByRole('dialog', { name: 'Messages from the administrator' });
  expect(
    list
      .getByRole('listitem')
      .elements()
      .map((item) => wordsIn(item).split(' ').at(-1)),
  ).toEqual(['Three', 'Two', 'One']);
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

test.each([
  [1440, 900],
  [390, 844],
  [360, 740],
  [320, 568],
])(
  'a message covers neither time nor state nor camera, and the bar holds its list: %i×%i',
  async (width, height) => {
    await page.viewport(width, height);
    vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    vi.spyOn(currentAttempt, 'remainingMs').mockReturnValue(5_000_000);
    vi.spyOn(currentAttempt, 'totalMs', 'get').mockReturnValue(6_000_000);
    const message = { id: 'm', text: 'Question 3 has a misprint: read 12 instead of 21.' };
    givenAttempt({
      phase: { kind: 'running' },
      participant: { ...ATTEMPT, policy: { ...ATTEMPT.policy, fullscreen: false } },
      paper: [paperQuestion('a', { question: 'First?', options: ['yes', 'no'] })],
      sync: { state: { kind: 'saved', at: new Date() }, values: new Map(), durable: true },
      violationCount: 1,
      messages: [{ ...message, at: '2026-05-14T10:00:00Z' }],
      announcements: [{ kind: 'message', ...message }],
    });
    await show(
      <AttemptLayout>
        <AssessmentScreen />
      </AttemptLayout>,
    );
    await expect.element(page.getByRole('radio', { name: 'yes' })).toBeVisible();
    const panel = page.getByRole('region', { name: 'From the administrator' }).element();
    const over = panel.getBoundingClientRect();
    for (const one of document.querySelectorAll(
      'header, [aria-label="Monitoring"], [aria-label="Next"]',
    )) {
      const { left, right, top, bottom } = one.getBoundingClientRect();
      const isBeside =
        right <= over.left || left >= over.right || bottom <= over.top || top >= over.bottom;
      expect(isBeside, wordsIn(one)).toBe(true);
    }
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width);
    await page.getByRole('button', { name: 'Messages (1)' }).click();
    const list = page.getByRole('dialog').element().getBoundingClientRect();
    expect([list.left >= 0, list.right <= width]).toEqual([true, true]);
  },
);

function Test() {
  useLanguage();
  return (
    <AttemptLayout>
      <AssessmentScreen />
    </AttemptLayout>
  );
}

const MESSAGE = { id: 'm', text: 'Read 12.', at: '2026-05-14T10:00:00Z' };

test.each([
  ['messages', 0, [MESSAGE]],
  ['a count', 1, []],
  ['a count and messages', 1, [MESSAGE]],
])(
  'the bar has room for time, state, %s and questions in every language',
  async (_, violationCount, messages) => {
    vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    vi.spyOn(currentAttempt, 'remainingMs').mockReturnValue(5_000_000);
    vi.spyOn(currentAttempt, 'totalMs', 'get').mockReturnValue(6_000_000);
    const overflows: string[] = [];
    const states: SyncState[] = [
      { kind: 'saved', at: new Date(2026, 4, 14, 14, 13, 52) },
      { kind: 'offline', waiting: 12 },
    ];
    const { rerender } = await show(<Test />);
    for (const state of states) {
      givenAttempt({
        phase: { kind: 'running' },
        participant: { ...ATTEMPT, policy: { ...ATTEMPT.policy, fullscreen: false } },
        paper: Array.from({ length: 25 }, (_, i) =>
          paperQuestion(`${i}`, { question: 'First?', options: ['yes', 'no'] }),
        ),
        sync: { state, values: new Map(), durable: true },
        violationCount,
        messages,
      });
      await rerender(<Test />);
      for (const language of LANGUAGE_TAGS) {
        await chooseLanguage(language);
        for (const width of [390, 360, 320]) {
          await page.viewport(width, 700);
          await expect.poll(() => window.innerWidth).toBe(width);
          const { scrollWidth } = document.documentElement;
          const { offsetHeight = 0 } = document.querySelector('header') ?? {};
          if (scrollWidth > width || offsetHeight > 80)
            overflows.push(`${language} ${state.kind} ${scrollWidth}×${offsetHeight} in ${width}`);
        }
      }
    }
    await chooseLanguage('en');
    forgetLanguage();
    expect(overflows).toEqual([]);
  },
);
