import { expect, it } from 'vitest';
import { EventStream } from './event-stream.ts';
import { OpenStreams } from './open-streams.ts';

it('ends open streams at shutdown, and later ones at once', async () => {
  const streams = new OpenStreams();
  const open = (session: string) => {
    const stream: EventStream = new EventStream(() => streams.delete(session, stream));
    streams.add(session, stream);
    return stream;
  };
  const before = open('before');
  expect(streams.count).toBe(1);
  streams.endAll();
  expect(before.isOpen).toBe(false);
  const late = open('late');
  await new Promise((resolve) => setImmediate(resolve));
  expect(late.isOpen).toBe(false);
  expect(streams.count).toBe(0);
});
