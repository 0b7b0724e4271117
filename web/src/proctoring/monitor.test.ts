import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Monitor, type MonitorDeps } from './monitor.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A stream is only handed through here. */
const stream = { id: 'stream' } as unknown as MediaStream;

function fakes(over: Partial<MonitorDeps> = {}) {
  let floor: number | null = null;
  const signals: AbortSignal[] = [];
  const heard: ((db: number) => void)[] = [];
  const lost: (() => void)[] = [];
  const open = vi.fn(async (signal: AbortSignal) => {
    signals.push(signal);
    return stream;
  });
  const monitor = new Monitor({
    openCamera: open,
    openMicrophone: open,
    watchSound: (_stream, _every, onReport, signal) => {
      signals.push(signal);
      heard.push((levelDb) => onReport({ levelDb, speech: null, engine: 'level' }));
    },
    watchLiveness: (_stream, onLost, signal) => {
      signals.push(signal);
      lost.push(onLost);
    },
    keepScreenOn: (signal) => signals.push(signal),
    floor: {
      read: () => floor,
      write: (db) => {
        floor = db;
      },
    },
    onStop: () => undefined,
    ...over,
  });
  return { monitor, open, signals, heard, lost };
}

const plan = { devices: ['camera', 'microphone'], levelEveryMs: 300, delayMs: 2_000 } as const;

test('a refused device keeps its failure and can be asked for again', async () => {
  const openCamera = vi
    .fn()
    .mockRejectedValueOnce(new DOMException('', 'NotAllowedError'))
    .mockResolvedValue(stream);
  const { monitor } = fakes({ openCamera });
  expect((await monitor.ask('camera')).kind).toBe('failed');
  expect((await monitor.ask('camera')).kind).toBe('granted');
});

test('a device that stops is said to be lost, and its level goes away', async () => {
  const { monitor, heard, lost } = fakes();
  await monitor.ask('microphone');
  for (let i = 0; i < 6; i += 1) heard[0]?.(-60);
  expect(monitor.getSnapshot().level).toBe(0);
  lost[0]?.();
  const { microphone, level } = monitor.getSnapshot();
  expect(microphone).toMatchObject({ kind: 'failed', failure: { cause: 'lost' } });
  expect(level).toBeNull();
});

test('an answer that comes after the end opens nothing', async () => {
  const answer = Promise.withResolvers<MediaStream>();
  const { monitor } = fakes({ openCamera: () => answer.promise });
  const asked = monitor.ask('camera');
  monitor.stop();
  answer.reject(new DOMException('', 'AbortError'));
  await asked;
  expect(monitor.getSnapshot().camera).toEqual({ kind: 'off' });
});

test('everything ends with stop', async () => {
  const { monitor, signals } = fakes();
  monitor.begin(plan);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(monitor.getSnapshot()).toMatchObject({
    camera: { kind: 'granted' },
    microphone: { kind: 'granted' },
    face: 'cannot-tell',
  });
  monitor.stop();
  expect(signals.length).toBeGreaterThan(4);
  expect(signals.every((signal) => signal.aborted)).toBe(true);
});

test('beginning again on the next screen neither restarts a device nor shortens the delay', async () => {
  const { monitor, open } = fakes();
  monitor.begin(plan);
  monitor.begin({ ...plan, delayMs: 0 });
  await vi.advanceTimersByTimeAsync(1_999);
  expect(open).not.toHaveBeenCalled();
  expect(monitor.getSnapshot().face).toBe('starting');
  await vi.advanceTimersByTimeAsync(10_000);
  monitor.begin(plan);
  expect(open).toHaveBeenCalledTimes(2);
});

test('the floor of the device check stays the measure afterwards', async () => {
  const { monitor, heard } = fakes();
  monitor.measureRoom(300);
  await monitor.ask('microphone');
  for (let i = 0; i < 6; i += 1) heard[0]?.(-60);
  monitor.stop();
  await monitor.ask('microphone');
  heard[1]?.(-40);
  expect(monitor.getSnapshot().level).toBe(40);
});
