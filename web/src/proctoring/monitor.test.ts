import { expect, test, vi } from 'vitest';
import { stopTime } from '../testing/browser-stubs.ts';
import { Monitor, type MonitorDeps } from './monitor.ts';

stopTime();

/** The monitor only passes the stream through. */
const stream = { id: 'stream' } as unknown as MediaStream;

function fakes(over: Partial<MonitorDeps> = {}) {
  let floor: number | null = null;
  const signals: AbortSignal[] = [];
  const sounds: ((db: number) => void)[] = [];
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
      sounds.push((levelDb) => onReport({ levelDb, speech: null, engine: 'level', reason: null }));
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
  return { monitor, open, signals, sounds, lost };
}

const plan = { devices: ['camera', 'microphone'], levelEveryMs: 300, delayMs: 2_000 } as const;

test('keeps the failure of a refused device and can ask again', async () => {
  const openCamera = vi
    .fn()
    .mockRejectedValueOnce(new DOMException('', 'NotAllowedError'))
    .mockResolvedValue(stream);
  const { monitor } = fakes({ openCamera });
  expect((await monitor.ask('camera')).kind).toBe('failed');
  expect((await monitor.ask('camera')).kind).toBe('granted');
});

test('reports a stopped device as lost and clears its level', async () => {
  const { monitor, sounds, lost } = fakes();
  await monitor.ask('microphone');
  for (let i = 0; i < 6; i += 1) sounds[0]?.(-60);
  expect(monitor.getSnapshot().level).toBe(0);
  lost[0]?.();
  const { microphone, level } = monitor.getSnapshot();
  expect(microphone).toMatchObject({ kind: 'failed', failure: { cause: 'lost' } });
  expect(level).toBeNull();
});

test('opens nothing when the prompt is answered after stop', async () => {
  const answer = Promise.withResolvers<MediaStream>();
  const { monitor } = fakes({ openCamera: () => answer.promise });
  const asked = monitor.ask('camera');
  monitor.stop();
  answer.reject(new DOMException('', 'AbortError'));
  await asked;
  expect(monitor.getSnapshot().camera).toEqual({ kind: 'off' });
});

test('asks for devices in turn, and for the next after 10 s without an answer', async () => {
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

test('aborts every signal on stop', async () => {
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

test('neither restarts a device nor shortens the delay when begun twice', async () => {
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

test('releases a device that was switched off since the device check', async () => {
  const track = { stop: vi.fn() };
  const openCamera = async () => ({ getTracks: () => [track] }) as unknown as MediaStream;
  const { monitor } = fakes({ openCamera });
  await monitor.askInTurn(plan.devices);
  monitor.begin({ ...plan, devices: ['microphone'] });
  expect(monitor.getSnapshot()).toMatchObject({
    camera: { kind: 'off' },
    microphone: { kind: 'granted' },
  });
  expect(track.stop).toHaveBeenCalledOnce();
});

test('keeps using the floor measured at the device check', async () => {
  const { monitor, sounds } = fakes();
  monitor.measureRoom(300);
  await monitor.ask('microphone');
  for (let i = 0; i < 6; i += 1) sounds[0]?.(-60);
  monitor.stop();
  await monitor.ask('microphone');
  sounds[1]?.(-40);
  expect(monitor.getSnapshot().level).toBe(40);
});

test('stops measuring the floor when the attempt continues after another device check', async () => {
  let floor: number | null = null;
  const write = vi.fn((db: number) => {
    floor = db;
  });
  const { monitor, sounds } = fakes({ floor: { read: () => floor, write } });
  await monitor.ask('microphone');
  for (let i = 0; i < 100; i += 1) sounds[0]?.(-60);
  monitor.begin(plan);
  monitor.measureRoom(300);
  monitor.begin(plan);
  write.mockClear();
  for (let i = 0; i < 100; i += 1) sounds[0]?.(-20);
  expect(write).not.toHaveBeenCalled();
});

test('fails and stops a microphone whose sound cannot be read', async () => {
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

test('lets go of a device and asks again when another one was chosen', async () => {
  const stops: string[] = [];
  const named = (name: string) =>
    ({ getTracks: () => [{ stop: () => stops.push(name) }] }) as unknown as MediaStream;
  const openCamera = vi
    .fn()
    .mockResolvedValueOnce(named('first'))
    .mockResolvedValueOnce(named('second'));
  const { monitor, lost } = fakes({ openCamera });
  await monitor.ask('camera');
  await monitor.askAgain('camera');
  expect(stops).toEqual(['first']);
  // The first one was not lost: it was let go.
  lost[0]?.();
  expect(monitor.getSnapshot().camera).toMatchObject({ kind: 'granted' });
});
