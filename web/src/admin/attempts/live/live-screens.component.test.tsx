import type { LiveAttempt } from '@invigil/core/contract/review/live';
import { beforeEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { createQueryClient } from '../../../net/query-client.ts';
import { detected, liveAttempt, liveFrame } from '../../../testing/live-rows.ts';
import { show, wordsIn, wordsOf } from '../../../testing/shown.tsx';
import { PERSON_FIELDS } from '../../data/people.ts';
import { ActionBar } from '../../parts/action-dialog.tsx';
import { EndedList, LiveFigures, LiveScreen, lastEndSentence } from './live-screen.tsx';
import { AttentionCard, LiveTile } from './live-tile.tsx';
import { CameraPicture } from './person-dialog.tsx';
import { lastingText } from './time-left.tsx';
import { applyFrame } from './use-live-board.ts';

const nothing = () => undefined;

// Stopped clock: a second between two assertions would change the text.
beforeEach(() => {
  vi.spyOn(performance, 'now').mockReturnValue(5_000);
  return () => vi.restoreAllMocks();
});

const tile = () => ({
  quizTitle: null,
  endsAt: Date.parse('2026-05-14T10:28:24.000Z'),
  clockOffsetMs: Date.parse('2026-05-14T10:10:00.000Z') - 5_000,
  selected: false,
  onSelect: nothing,
  onOpen: nothing,
});

test('shows what it waits for before the first frame', async () => {
  vi.stubGlobal('fetch', () => new Promise(() => undefined));
  expect(await wordsOf(<LiveScreen />)).toContain('Loading the live board...');
});

/** The board with these attempts; returns what sends the next frame. */
async function showBoard(attempts: LiveAttempt[]) {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const send = (frame: Parameters<typeof liveFrame>[0]) => {
    const text = `event: board\ndata: ${JSON.stringify(liveFrame(frame))}\n\n`;
    void writer.write(new TextEncoder().encode(text));
  };
  vi.stubGlobal('fetch', async (url: string) =>
    url.endsWith('/api/live') ? new Response(readable) : new Promise(() => undefined),
  );
  send({ isWhole: true, attempts });
  await show(<LiveScreen />);
  return send;
}

test('lists each of five hundred candidates', { tags: 'long' }, async () => {
  await showBoard(
    Array.from({ length: 500 }, (_, n) => (n < 20 ? detected : liveAttempt)({ id: `p${n}` })),
  );
  await expect.poll(() => document.querySelectorAll('section li').length).toBe(500);
});

test('the order is frozen while the list is used by keyboard, and updated afterwards', async () => {
  const [first, second] = ['first', 'second'].map((id, n) =>
    detected({
      id,
      userEmail: id,
      attention: { kind: 'low_flag', since: `2026-05-14T10:09:4${n}.000Z`, signal: null },
    }),
  );
  const send = await showBoard([first, second] as LiveAttempt[]);
  const names = page.getByRole('button', { name: /^(first|second)$/ });
  const order = () => names.elements().map((name) => name.textContent);
  await expect.poll(order).toEqual(['first', 'second']);
  // The pointer, wherever the test before left it, holds the order too.
  await page.getByRole('heading', { level: 1 }).hover();
  (names.first().element() as HTMLElement).focus();
  // Now the second one is more severe.
  send({ attempts: [detected({ id: 'second', userEmail: 'second' })] });
  await expect.element(page.getByText('One more violation ends this attempt.')).toBeVisible();
  for (let presses = 0; presses < 2; presses += 1) {
    expect(order()).toEqual(['first', 'second']);
    await userEvent.keyboard('{Tab}');
  }
  expect(order()).toEqual(['first', 'second']);
  (document.activeElement as HTMLElement).blur();
  await expect.poll(order).toEqual(['second', 'first']);
});

test('a draft stays open when its last recipient ends, and the open candidate is said to have ended', async () => {
  const send = await showBoard([liveAttempt()]);
  const person = page.getByRole('dialog', { name: 'a.rahman@example.org' });
  const draft = page.getByRole('dialog', { name: 'Send a message' });
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  for (const [open, says] of [
    [async () => page.getByRole('checkbox', { name: 'Select all (1)' }).click(), 0],
    [async () => button('a.rahman@example.org').click(), 1],
  ] as const) {
    await open();
    await button('Message').first().click();
    const text = draft.getByLabelText('Message', { exact: true });
    await text.fill('You have a few minutes more.');
    send({ gone: ['a'] });
    await expect.element(button('a.rahman@example.org')).not.toBeInTheDocument();
    await expect.poll(() => page.getByText('This attempt has ended').elements().length).toBe(says);
    await expect.element(text).toHaveValue('You have a few minutes more.');
    await draft.getByRole('button', { name: 'Cancel' }).click();
    await button('Discard').click();
    send({ attempts: [liveAttempt()] });
  }
  await expect.element(person).toBeVisible();
});

test('shows progress, person and time left on a tile, and violations if there are any', async () => {
  const calm = await wordsOf(<LiveTile {...tile()} attempt={liveAttempt()} />);
  expect(calm).toBe(
    '11 11 of 25 answered, a.rahman@example.org 18:24 left Select a.rahman@example.org',
  );
  const counted = liveAttempt({ violationCount: 1, userEmail: null });
  expect(await wordsOf(<LiveTile {...tile()} attempt={counted} />)).toContain(
    'Unknown 18:24 left 1/3',
  );
});

test('shows what is known of a person, own fields with their names', async () => {
  const seat = { id: 's', name: 'Seat', kind: 'number', choices: [], isPersonal: false };
  const client = createQueryClient();
  client.setQueryData(PERSON_FIELDS.queryKey, [seat]);
  const attempt = liveAttempt({
    ...{ userName: 'Ada King', externalId: 'S1', groups: ['2A'], fields: { s: '12' } },
  });
  const says = 'Ada King S1 · 2A · Seat: 12 18:24 left';
  expect(await wordsOf(<LiveTile {...tile()} attempt={attempt} />, { client })).toContain(says);
});

test('shows why an attempt needs attention, since when, the consequence and progress', async () => {
  expect(await wordsOf(<AttentionCard {...tile()} attempt={detected()} />)).toBe(
    'Face not detected, 12 s ago Select a.rahman@example.org a.rahman@example.org ' +
      'One more violation ends this attempt. 2/3 11 of 25 18:24 left',
  );
});

test('shows since when a candidate asks for help, also beside what is more urgent', async () => {
  const helpAt = '2026-05-14T10:09:50.000Z';
  const asks = liveAttempt({ helpAt, attention: { kind: 'help', since: helpAt, signal: null } });
  expect(await wordsOf(<AttentionCard {...tile()} attempt={asks} />)).toMatch(
    /^Asks for help, 10 s Select .* Answer with a message: it puts the hand down\. 0\/3 /,
  );
  const urgent = await wordsOf(<AttentionCard {...tile()} attempt={detected({ helpAt })} />);
  expect(urgent).toMatch(/^Face not detected, 12 s ago .* Asks for help, 10 s 2\/3 /);
});

test('shows a picture as current for five seconds, then its age', async () => {
  const at = '2026-05-14T10:10:00.000Z';
  const shownAfter = async (seconds: number, isUp = true) => {
    const { container, unmount } = await show(
      <CameraPicture
        attempt={liveAttempt()}
        thumbnail={{ picture: { at, jpeg: 'AAAA' }, isUp, refused: null }}
        clockOffsetMs={Date.parse(at) + seconds * 1_000 - 5_000}
      />,
    );
    const shown = `${container.querySelector('img')?.alt} | ${wordsIn(container)}`;
    await unmount();
    return shown;
  };
  expect(await shownAfter(5)).toBe('a.rahman@example.org, now | ');
  const time = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' }).format(new Date(at));
  expect(await shownAfter(6)).toBe(
    `a.rahman@example.org, no picture since ${time} | No picture since ${time}`,
  );
  // The current state is unknown while there is no connection.
  expect(await shownAfter(0, false)).toContain(
    `No picture since ${time} No connection to the server. Reconnecting…`,
  );
});

test('shows counts and last end of the selected assessment', async () => {
  const quiz = { title: 'Networks', writing: 1, notStarted: 6, completed: 9, dismissed: 1 };
  const board = applyFrame(
    null,
    liveFrame({
      isWhole: true,
      attempts: [liveAttempt(), liveAttempt({ id: 'b', quizId: 'r' })],
      quizzes: [
        { ...quiz, quizId: 'q' },
        { ...quiz, quizId: 'r', title: 'Rigging' },
      ],
    }),
    0,
  );
  const figures = (quizId: string | null) =>
    wordsOf(<LiveFigures board={board} quizId={quizId} needAttention={3} />);
  expect(await figures(null)).toBe(
    'In progress 2 Need attention 3 Not started 12 Completed 18 Dismissed 2 ' +
      'For assessments in progress. Completed and dismissed cover the last 24 hours.',
  );
  expect(await figures('q')).toContain('In progress 1');
  expect(lastEndSentence(board, 'r')).toMatch(/^Rigging\. The last attempt ends at \d\d:\d\d\.$/);
  const quizzes = [{ ...quiz, quizId: 'q', title: 'قانون' }];
  const empty = applyFrame(null, liveFrame({ isWhole: true, quizzes }), 0);
  expect(lastEndSentence(empty, 'q')).toMatch(/^\u2068قانون\u2069\. No one is /);
  expect(lastEndSentence(empty, null)).toBe('No one is taking an assessment right now.');
});

test('names no last end while everybody is paused until somebody ends it', () => {
  const since = '2026-05-14T10:00:00.000Z';
  const board = (until?: string) => {
    const pause = { since, reason: 'Alarm', ...(until ? { until } : {}) };
    const attempts = [liveAttempt({ id: 'a', quizId: 'q', remainingMs: 600_000, pause })];
    return applyFrame(null, liveFrame({ isWhole: true, at: since, attempts }), 0);
  };
  expect(lastEndSentence(board(), null)).toBe('Everyone who is taking an assessment');
  const until = '2026-05-14T10:05:00.000Z';
  expect(board(until).endsAt.get('a')).toBe(Date.parse(until) + 600_000);
  expect(lastEndSentence(board(until), null)).toMatch(/^The last attempt ends at \d\d:15\.$/);
});

test('offers bulk actions once a candidate is selected', async () => {
  const onSelect = vi.fn();
  const bar = (selected: string[], all = ['a', 'b'], paused = 0) => (
    <ActionBar all={all} selected={selected} paused={paused} onSelect={onSelect} />
  );
  const { container, rerender } = await show(bar([]));
  expect(wordsIn(container)).toBe('Select all (2)');
  expect(page.getByRole('button').elements()).toEqual([]);
  await page.getByRole('checkbox', { name: 'Select all (2)' }).click();
  expect(onSelect).toHaveBeenCalledExactlyOnceWith(['a', 'b']);
  await rerender(bar(['a']));
  expect(wordsIn(container)).toBe('1 selected Message Extra time Pause End now');
  await rerender(bar(['a', 'b'], ['a', 'b'], 1));
  expect(wordsIn(container)).toContain('Pause End the pause End now');
  await rerender(bar(['a'], ['a', 'b'], 1));
  expect(wordsIn(container)).toBe('1 selected Message Extra time End the pause End now');
  await rerender(bar([], []));
  expect(container).toBeEmptyDOMElement();
});

test('lists finished candidates of the selected assessment, if any', async () => {
  const ended = [
    {
      id: 'e',
      userEmail: 'c.lind@example.org',
      quizId: 'q',
      status: 'dismissed',
      submittedAt: '2026-05-14T10:08:00.000Z',
    },
  ] as const;
  const { container, rerender } = await show(<EndedList ended={ended} quizId={null} />);
  expect(wordsIn(container)).toMatch(/c\.lind@example\.org Dismissed \d\d:\d\d$/);
  await rerender(<EndedList ended={ended} quizId="r" />);
  expect(container).toBeEmptyDOMElement();
});

test.each([
  [-1, '0 s'],
  [59_999, '59 s'],
  [60_000, '1 min'],
  [80_000, '1 min 20 s'],
])('%i ms lasted reads %s', (ms, text) => expect(lastingText(ms)).toBe(text));
