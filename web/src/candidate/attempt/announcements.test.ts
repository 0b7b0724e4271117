import type { Message } from '@invigil/core/contract/attempts/own-participant';
import { expect, test, vi } from 'vitest';
import { stubStorage } from '../../testing/browser-stubs.ts';
import { type Announcement, Announcements, announcementText } from './announcements.ts';

stubStorage();

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
  return { announcements, load, texts: () => shown.map((one) => announcementText(one).text) };
}

test('fetches messages again with the next update after a failure', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const { announcements, load, texts } = board([message('a')]);
  load.mockRejectedValueOnce(new Error('away'));
  announcements.setCount(1);
  await settle();
  expect(texts()).toEqual([]);
  announcements.setCount(1);
  await settle();
  expect(texts()).toEqual(['Text a']);
});

test('fetches nothing unless the count has grown', async () => {
  const { announcements, load } = board([message('a')]);
  announcements.setCount(0);
  announcements.setCount(1);
  await settle();
  announcements.setCount(1);
  await settle();
  expect(load).toHaveBeenCalledTimes(1);
});

test('fetches a message that arrives during a fetch', async () => {
  const messages = [message('a')];
  const { announcements, texts } = board(messages);
  announcements.setCount(1);
  messages.push(message('b'));
  announcements.setCount(2);
  await settle();
  expect(texts()).toEqual(['Text a', 'Text b']);
});

test('shows a message until OK, once, and later ones separately', async () => {
  const messages = [message('a')];
  const { announcements, texts } = board(messages);
  announcements.setCount(1);
  await settle();
  announcements.acknowledge();
  expect(texts()).toEqual([]);
  messages.push(message('b'));
  announcements.setCount(2);
  await settle();
  expect(texts()).toEqual(['Text b']);

  // After a reload: this device has stored what was read.
  const later = board(messages);
  later.announcements.setCount(2);
  await settle();
  expect(later.texts()).toEqual(['Text b']);
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
