import { expect, test } from 'vitest';
import { EventParser, readEvents } from './event-stream.ts';

const all = (...pieces: string[]) => {
  const parser = new EventParser();
  return pieces.flatMap((piece) => parser.push(piece));
};

test('comments, empty frames and what is not finished yet are no events', () => {
  expect(all(':\n\n', '\n\n', 'event: news\n\n', 'data: cut off')).toEqual([]);
});

test('an event in one piece, with its name, and one without a name', () => {
  expect(all('event: news\ndata: {"a":1}\n\ndata: plain\n\n')).toEqual([
    { name: 'news', data: '{"a":1}' },
    { name: 'message', data: 'plain' },
  ]);
});

test('an event cut anywhere is the same event, whatever ends its lines', () => {
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

test('a stream is read to its end; a sign of life is told, also without an event', async () => {
  const bytes = new TextEncoder().encode(':\n\ndata: grüße\n\n');
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      // The letter of two bytes arrives in two pieces.
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
