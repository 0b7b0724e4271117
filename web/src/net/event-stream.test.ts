import { expect, test } from 'vitest';
import { EventParser, readEvents } from './event-stream.ts';

const all = (...pieces: string[]) => {
  const parser = new EventParser();
  return pieces.flatMap((piece) => parser.push(piece));
};

test('ignores comments, empty frames and incomplete events', () => {
  expect(all(':\n\n', '\n\n', 'event: news\n\n', 'data: cut off')).toEqual([]);
});

test('parses events with and without a name', () => {
  expect(all('event: news\ndata: {"a":1}\n\ndata: plain\n\n')).toEqual([
    { name: 'news', data: '{"a":1}' },
    { name: 'message', data: 'plain' },
  ]);
});

test('parses an event split at any point, with any line ending', () => {
  for (const end of ['\n', '\r\n', '\r']) {
    const text = `event: news${end}data: one${end}data: two${end}${end}data: next${end}${end}.`;
    for (let cut = 0; cut <= text.length; cut += 1) {
      expect(all(text.slice(0, cut), text.slice(cut)), `${JSON.stringify(end)} ${cut}`).toEqual([
        { name: 'news', data: 'one\ntwo' },
        { name: 'message', data: 'next' },
      ]);
    }
  }
});

test('reads a stream to its end and reports every chunk, even without an event', async () => {
  const bytes = new TextEncoder().encode(':\n\ndata: grüße\n\n');
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      // The two bytes of a character arrive separately.
      for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
      controller.close();
    },
  });
  const events: unknown[] = [];
  let signs = 0;
  await readEvents(
    body,
    (event) => events.push(event),
    () => {
      signs += 1;
    },
  );
  expect(events).toEqual([{ name: 'message', data: 'grüße' }]);
  expect(signs).toBe(bytes.length);
});
