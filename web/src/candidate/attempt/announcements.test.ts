import type { Message } from '@invigil/core/contract/attempts/own-participant';
import { expect, test, vi } from 'vitest';
import { stubStorage } from '../../testing/browser-stubs.ts';
import { type Announcement, Announcements, announcementText } from './announcements.ts';

stubStorage();

const message = (id: string): Message => ({ id, text: `Text ${id}`, at: '2026-05-14T10:00:00Z' });
const settle = () => new Promise((resolve) => setImmediate(resolve));

function board(messages: Message[]) {
  let shown: readonly Announcement[] = [];
  let all: readonly Message[] = [];
  const load = vi.fn(async () => [...messages]);
  const announcements = new Announcements({
    loadMessages: load,
    onChange: (next, list) => {
      shown = next;
      all = list;
    },
  });
  return {
    announcements,
    load,
    texts: () => shown.map((one) => announcementText(one).text),
    listed: () => all.map(({ id }) => id),
  };
}

/** A page that has had the attempt since before the first message, as almost every one. */
function openBoard(messages: Message[]) {
  const opened = board(messages);
  opened.announcements.setCount(0);
  return opened;
}

test('fetches messages again with the next update after a failure', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const { announcements, load, texts } = openBoard([message('a')]);
  load.mockRejectedValueOnce(new Error('away'));
  announcements.setCount(1);
  await settle();
  expect(texts()).toEqual([]);
  announcements.setCount(1);
  await settle();
  expect(texts()).toEqual(['Text a']);
});

test('fetches nothing unless the count has grown', async () => {
  const { announcements, load } = openBoard([message('a')]);
  announcements.setCount(0);
  announcements.setCount(1);
  await settle();
  announcements.setCount(1);
  await settle();
  expect(load).toHaveBeenCalledTimes(1);
});

test('fetches a message that arrives during a fetch', async () => {
  const messages = [message('a')];
  const { announcements, texts } = openBoard(messages);
  announcements.setCount(1);
  messages.push(message('b'));
  announcements.setCount(2);
  await settle();
  expect(texts()).toEqual(['Text a', 'Text b']);
});

test('shows each message until its own OK, and keeps all in the list', async () => {
  const messages = [message('a'), message('b')];
  const { announcements, texts } = openBoard(messages);
  announcements.setCount(2);
  await settle();
  expect(texts()).toEqual(['Text a', 'Text b']);
  announcements.acknowledge('a');
  expect(texts()).toEqual(['Text b']);
  messages.push(message('c'));
  announcements.setCount(3);
  await settle();
  expect(texts()).toEqual(['Text b', 'Text c']);

  // After a reload: this device has stored what was read.
  const later = board(messages);
  later.announcements.setCount(3);
  await settle();
  expect(later.texts()).toEqual(['Text b', 'Text c']);
  for (const id of ['b', 'c']) later.announcements.acknowledge(id);
  const last = board(messages);
  last.announcements.setCount(3);
  await settle();
  expect([last.texts(), last.listed()]).toEqual([[], ['a', 'b', 'c']]);
});

test.each([
  [['a'], /^1 message was sent .* Read it under Messages/],
  [['a', 'b', 'c'], /^3 messages were sent .* Read them under Messages/],
])('does not bring back on a second device what was read on the first: %s', async (ids, words) => {
  const messages = ids.map(message);
  const { announcements, texts, listed } = board(messages);
  announcements.setCount(ids.length);
  await settle();
  expect(texts()).toEqual([expect.stringMatching(words)]);
  expect(listed()).toEqual(ids);
  messages.push(message('new'));
  announcements.setCount(messages.length);
  await settle();
  expect(texts().at(-1)).toBe('Text new');
  announcements.acknowledge('earlier');
  const reloaded = board(messages);
  reloaded.announcements.setCount(messages.length);
  await settle();
  expect(reloaded.texts()).toEqual(['Text new']);
});

test.each([
  [300_000, '5 minutes'],
  [60_000, '1 minute'],
  [90_000, '1 minute 30 seconds'],
  [45_000, '45 seconds'],
])('describes %i ms of extra time as %s', (ms, words) => {
  const { announcements, texts } = board([]);
  announcements.extraTime(ms);
  expect(texts()).toEqual([`The administrator added ${words}. The clock shows the new time.`]);
});
