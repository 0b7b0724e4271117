import type { Message } from '@invigil/core/contract/own-participant';
import { beforeEach, expect, test, vi } from 'vitest';
import { type Announcement, Announcements, announcementWords } from './announcements.ts';

const held = new Map<string, string>();
beforeEach(() => {
  held.clear();
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => held.get(name) ?? null,
    setItem: (name: string, value: string) => held.set(name, value),
  });
});

const message = (id: string): Message => ({ id, text: `Text ${id}`, at: '2026-05-14T10:00:00Z' });
const settle = () => new Promise((resolve) => setImmediate(resolve));

function board(messages: Message[]) {
  let shown: readonly Announcement[] = [];
  const load = vi.fn(async () => [...messages]);
  const announcements = new Announcements({
    loadMessages: load,
    onChange: (next) => {
      shown = next;
    },
  });
  return { announcements, load, texts: () => shown.map((one) => announcementWords(one).text) };
}

test('messages that cannot be fetched are asked for again with the next news', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const { announcements, load, texts } = board([message('a')]);
  load.mockRejectedValueOnce(new Error('away'));
  announcements.heardCount(1);
  await settle();
  expect(texts()).toEqual([]);
  announcements.heardCount(1);
  await settle();
  expect(texts()).toEqual(['Text a']);
});

test('a count that has not grown asks for nothing', async () => {
  const { announcements, load } = board([message('a')]);
  announcements.heardCount(0);
  announcements.heardCount(1);
  await settle();
  announcements.heardCount(1);
  await settle();
  expect(load).toHaveBeenCalledTimes(1);
});

test('a message that comes while others are fetched is fetched too', async () => {
  const messages = [message('a')];
  const { announcements, texts } = board(messages);
  announcements.heardCount(1);
  messages.push(message('b'));
  announcements.heardCount(2);
  await settle();
  expect(texts()).toEqual(['Text a', 'Text b']);
});

test('it stays until OK, is not shown twice, and what comes later is shown alone', async () => {
  const messages = [message('a')];
  const { announcements, texts } = board(messages);
  announcements.heardCount(1);
  await settle();
  announcements.acknowledge();
  expect(texts()).toEqual([]);
  messages.push(message('b'));
  announcements.heardCount(2);
  await settle();
  expect(texts()).toEqual(['Text b']);

  // A reload: the page begins again, this device remembers what was read.
  const later = board(messages);
  later.announcements.heardCount(2);
  await settle();
  expect(later.texts()).toEqual(['Text b']);
});

test.each([
  [300_000, '5 minutes'],
  [60_000, '1 minute'],
  [90_000, '1 minute 30 seconds'],
  [45_000, '45 seconds'],
])('%i ms more are said as %s', (ms, words) => {
  const { announcements, texts } = board([]);
  announcements.extraTime(ms);
  expect(texts()).toEqual([`The administrator added ${words}. The clock shows the new time.`]);
});
