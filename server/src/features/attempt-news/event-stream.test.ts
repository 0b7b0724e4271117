import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { EventStream } from './event-stream.ts';

describe('an event stream', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  });
  afterEach(() => vi.useRealTimers());

  const closed = (stream: EventStream) =>
    new Promise<void>((resolve) => stream.body.once('close', resolve));

  it('sends nothing after its end, even while that end is unread', async () => {
    const onEnd = vi.fn();
    const stream = new EventStream(onEnd);
    stream.send('news', { n: 1 });
    stream.end();
    stream.end();
    stream.send('news', { n: 2 });
    vi.advanceTimersByTime(120_000);
    expect(onEnd).toHaveBeenCalledTimes(1);
    let text = '';
    for await (const chunk of stream.body) text += chunk;
    expect(text).toBe('event: news\ndata: {"n":1}\n\n');
  });

  it('sends a keep-alive every 15 s to an active reader', () => {
    const stream = new EventStream(() => undefined);
    const seen = vi.fn();
    stream.body.on('data', (chunk) => seen(String(chunk)));
    stream.body.read();
    for (let i = 0; i < 10; i += 1) {
      vi.advanceTimersByTime(15_000);
      stream.body.read();
    }
    expect(seen.mock.calls.flat().join('')).toBe(':\n\n'.repeat(10));
    expect(stream.isOpen).toBe(true);
    stream.end();
  });

  it('closes after a minute in which the reader takes nothing', async () => {
    const onEnd = vi.fn();
    const stream = new EventStream(onEnd);
    const gone = closed(stream);
    stream.send('news', {});
    vi.advanceTimersByTime(45_000);
    expect(stream.body.destroyed).toBe(false);
    vi.advanceTimersByTime(15_000);
    await gone;
    expect(onEnd).toHaveBeenCalledTimes(1);
  });
});
