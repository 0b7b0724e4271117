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

test('devices are asked for one after the other, and an unanswered question holds up none for long', async () => {
  const answer = Promise.withResolvers<MediaStream>();
  const { monitor, open } = fakes({ openCamera: () => answer.promise });
  void monitor.askInTurn(['camera', 'microphone']);
  await vi.advanceTimersByTimeAsync(9_000);
  expect(monitor.getSnapshot()).toMatchObject({
    camera: { kind: 'asking' },
    microphone: { kind: 'off' },
  });
  await vi.advanceTimersByTimeAsync(1_000);
  expect(monitor.getSnapshot().microphone.kind).toBe('granted');
  expect(open).toHaveBeenCalledTimes(1);

  const quick = fakes();
  void quick.monitor.askInTurn(['camera', 'microphone']);
  await vi.advanceTimersByTimeAsync(0);
  expect(quick.open).toHaveBeenCalledTimes(2);
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

test('a device check that is visited again while the attempt runs does not keep measuring', async () => {
  let floor: number | null = null;
  const write = vi.fn((db: number) => {
    floor = db;
  });
  const { monitor, heard } = fakes({ floor: { read: () => floor, write } });
  await monitor.ask('microphone');
  for (let i = 0; i < 100; i += 1) heard[0]?.(-60);
  monitor.begin(plan);
  monitor.measureRoom(300);
  monitor.begin(plan);
  write.mockClear();
  for (let i = 0; i < 100; i += 1) heard[0]?.(-20);
  expect(write).not.toHaveBeenCalled();
});

test('a microphone whose sound cannot be listened to is not called granted, and its light goes out', async () => {
  const stop = vi.fn();
  const mute = { getTracks: () => [{ stop }] } as unknown as MediaStream;
  let fail: (cause: unknown) => void = () => undefined;
  const { monitor } = fakes({
    openMicrophone: async () => mute,
    watchSound: (_stream, _every, _onReport, _signal, onFailure) => {
      fail = onFailure;
    },
  });
  await monitor.ask('microphone');
  fail(new DOMException('no audio hardware', 'NotSupportedError'));
  expect(monitor.getSnapshot().microphone).toMatchObject({
    kind: 'failed',
    failure: { cause: 'unknown' },
  });
  expect(stop).toHaveBeenCalledTimes(1);
});
