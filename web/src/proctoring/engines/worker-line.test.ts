import { describe, expect, it, vi } from 'vitest';
import { stopTime } from '../../testing/browser-stubs.ts';
import { FakeWorker } from '../../testing/fake-worker.ts';
import { WorkerLine } from './worker-line.ts';

/** A line whose workers give these answers: one entry per worker, the last one for all others. */
function lineOf(...answers: ((call: unknown) => unknown)[]) {
  const workers: FakeWorker[] = [];
  const events = { loaded: [] as number[], ready: 0 };
  const line = new WorkerLine<string, string>({
    spawn: () => {
      const worker = new FakeWorker(
        answers[Math.min(workers.length, answers.length - 1)] ?? Number,
      );
      workers.push(worker);
      return worker;
    },
    begin: 'begin',
    onLoaded: (bytes) => events.loaded.push(bytes),
    onReady: () => {
      events.ready += 1;
    },
  });
  return { line, workers, events };
}

const works = (call: unknown) => `did ${String(call)}`;
const hangs = (call: unknown) => (call === 'begin' ? 'began' : undefined);
const fails = (call: unknown) => (call === 'begin' ? 'began' : new Error('out of memory'));
const neverBegins = () => undefined;

describe('a worker that fails', () => {
  stopTime();

  it('is replaced after five seconds without an answer', async () => {
    const { line, workers } = lineOf(hangs, works);
    await line.open();
    const answer = line.call('check');
    const refused = expect(answer).rejects.toThrow('no answer in time');
    await vi.advanceTimersByTimeAsync(4_999);
    expect(workers).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    await refused;
    expect(workers[0]?.terminated).toBe(true);
    await vi.advanceTimersByTimeAsync(0);
    await expect(line.call('check')).resolves.toBe('did check');
    expect(workers).toHaveLength(2);
  });

  it.each([
    ['answers with errors', fails],
    ['hangs', hangs],
  ])('is given up after three replacements that each %s', async (_, answer) => {
    const { line, workers } = lineOf(answer);
    await line.open();
    for (let i = 0; i < 4; i += 1) {
      const refused = expect(line.call('check')).rejects.toThrow();
      await vi.advanceTimersByTimeAsync(5_000);
      await refused;
    }
    expect(line.state).toBe('given-up');
    expect(workers).toHaveLength(4);
    expect(workers.every((worker) => worker.terminated)).toBe(true);
    await expect(line.call('check')).rejects.toThrow('not ready');
  });

  it('is restarted after an offline period of any length, which counts as no failure', async () => {
    vi.stubGlobal('navigator', { onLine: false });
    const refuses = () => new Error('no network');
    const { line, workers } = lineOf(refuses, works);
    const opened = line.open();
    await vi.advanceTimersByTimeAsync(600_000);
    expect([line.state, workers.length]).toEqual(['beginning', 1]);
    vi.stubGlobal('navigator', { onLine: true });
    await vi.advanceTimersByTimeAsync(2_000);
    await opened;
    expect(line.state).toBe('ready');
    vi.unstubAllGlobals();
  });

  it('is not restarted if closed while offline', async () => {
    vi.stubGlobal('navigator', { onLine: false });
    const { line, workers } = lineOf(() => new Error('no network'), works);
    const opened = line.open();
    await vi.advanceTimersByTimeAsync(1_000);
    line.close();
    vi.stubGlobal('navigator', { onLine: true });
    await vi.advanceTimersByTimeAsync(60_000);
    await opened;
    expect([line.state, workers.length]).toEqual(['closed', 1]);
    vi.unstubAllGlobals();
  });

  it('is given up when it never starts', async () => {
    const { line, workers } = lineOf(neverBegins);
    const opened = line.open();
    // Four timeouts and the pauses between them.
    await vi.advanceTimersByTimeAsync(4 * 40_000 + 30_000);
    await opened;
    expect([line.state, workers.length]).toEqual(['given-up', 4]);
  });

  it('is restarted after increasing pauses when it cannot start', async () => {
    let online = false;
    const { line, workers } = lineOf(() => (online ? 'began' : new Error('Failed to fetch')));
    const opened = line.open();
    await vi.advanceTimersByTimeAsync(1_999);
    expect([workers.length, line.state]).toEqual([1, 'beginning']);
    await vi.advanceTimersByTimeAsync(8_001);
    expect(workers).toHaveLength(3);
    online = true;
    await vi.advanceTimersByTimeAsync(20_000);
    await opened;
    expect([workers.length, line.state]).toEqual([4, 'ready']);
  });

  it('is not restarted when the line closes during a pause', async () => {
    const { line, workers } = lineOf(() => new Error('Failed to fetch'));
    const opened = line.open();
    await vi.advanceTimersByTimeAsync(0);
    line.close();
    await vi.advanceTimersByTimeAsync(60_000);
    await opened;
    expect([workers.length, line.state]).toEqual([1, 'closed']);
  });

  it('is restarted after an uncaught error', async () => {
    const { line, workers, events } = lineOf(works);
    await line.open();
    workers[0]?.crash();
    await vi.advanceTimersByTimeAsync(0);
    expect([workers.length, events.ready]).toEqual([2, 2]);
    await expect(line.call('check')).resolves.toBe('did check');
  });

  it('is not restarted once the line is closed', async () => {
    const { line, workers } = lineOf(hangs);
    await line.open();
    const refused = expect(line.call('check')).rejects.toThrow('closed');
    await vi.advanceTimersByTimeAsync(0);
    line.close();
    await refused;
    await vi.advanceTimersByTimeAsync(60_000);
    expect([workers.length, workers[0]?.terminated]).toEqual([1, true]);
  });

  it('has its failures reset after sixty good answers', async () => {
    let good = false;
    const { line, workers } = lineOf((call) => (good ? works(call) : fails(call)));
    await line.open();
    const fail = async (times: number) => {
      good = false;
      for (let i = 0; i < times; i += 1) {
        await expect(line.call('check')).rejects.toThrow();
        await vi.advanceTimersByTimeAsync(0);
      }
    };
    await fail(3);
    good = true;
    for (let i = 0; i < 60; i += 1) await line.call('check');
    await fail(3);
    expect([line.state, workers.length]).toEqual(['ready', 7]);
  });

  it('may take any time to load while bytes arrive', async () => {
    const { line, workers, events } = lineOf(neverBegins);
    void line.open();
    for (let i = 1; i <= 5; i += 1) {
      await vi.advanceTimersByTimeAsync(15_000);
      workers[0]?.send({ loadedBytes: i });
    }
    await vi.advanceTimersByTimeAsync(15_000);
    expect([workers.length, line.state]).toEqual([1, 'beginning']);
    expect(events.loaded).toEqual([1, 2, 3, 4, 5]);
    line.close();
  });
});

it('sends one call at a time, in order', async () => {
  const { line, workers } = lineOf(works);
  await line.open();
  const answers = await Promise.all([line.call('one'), line.call('two'), line.call('three')]);
  expect(answers).toEqual(['did one', 'did two', 'did three']);
  expect(workers[0]?.calls).toEqual(['begin', 'one', 'two', 'three']);
});
