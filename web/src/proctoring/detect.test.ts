import { STRICT_POLICY } from '@invigil/core/domain/violations/violation-policy';
import { expect, test, vi } from 'vitest';
import { stopTime } from '../testing/browser-stubs.ts';
import { FACE, NO_FACE, sound } from '../testing/sensor-reports.ts';
import { detect } from './detect.ts';
import type { DetectedEvent } from './detection/detected-event.ts';
import type { PageParts } from './detection/page-signals.ts';
import type { FaceReport, SoundReport } from './detectors/sensor-reports.ts';
import type { Device } from './device/media-failure.ts';
import { Monitor } from './monitor.ts';

stopTime();

/** A monitor on fake devices, with detection on what it delivers. */
function room(devices: readonly Device[] = ['camera', 'microphone'], label = 'A webcam') {
  const microphone = { muted: false };
  const stream = {
    getVideoTracks: () => [{ label }],
    getAudioTracks: () => [microphone],
    getTracks: () => [],
  };
  const lost: (() => void)[] = [];
  let onSound: (report: SoundReport) => void = () => undefined;
  const cameras: { report(face: FaceReport): void; signal: AbortSignal }[] = [];
  const answer = { comes: true };
  const open = () =>
    answer.comes
      ? Promise.resolve(stream as unknown as MediaStream)
      : new Promise<MediaStream>(() => undefined);
  const monitor = new Monitor({
    openCamera: open,
    openMicrophone: open,
    watchSound: (_stream, _every, onReport) => {
      onSound = onReport;
    },
    watchLiveness: (_stream, onLost) => {
      lost.push(onLost);
    },
    keepScreenOn: () => undefined,
    floor: { read: () => -60, write: () => undefined },
    onStop: () => undefined,
  });
  const began = Date.now();
  const now = () => ({ monotonic: Date.now() - began, wall: Date.now() });
  const document = Object.assign(new EventTarget(), {
    visibilityState: 'visible',
    hasFocus: () => true,
  });
  const page: PageParts = {
    window: new EventTarget(),
    document,
    now,
    watchFullscreen: () => undefined,
    hasSecondScreen: () => null,
    hasDialog: () => false,
    cover: () => undefined,
  };
  const found: DetectedEvent[] = [];
  const ended: DetectedEvent['type'][] = [];
  const over = new AbortController();
  detect(
    {
      monitor,
      page,
      sensor: () => null,
      onPicture: () => undefined,
      watchCamera: (_stream, { onReport }, _everyMs, signal) =>
        cameras.push({ report: (report) => onReport(report, now().monotonic), signal }),
      onFound: (one) => found.push(one),
      onOver: (type) => ended.push(type),
      onVoice: () => undefined,
      onExcused: () => undefined,
    },
    { policy: STRICT_POLICY, devices, fullscreen: true, soundEveryMs: 300, baseline: null },
    over.signal,
  );
  const faces = async (seconds: number, report: FaceReport) => {
    for (let i = 0; i < seconds; i += 1) {
      await vi.advanceTimersByTimeAsync(1_000);
      cameras.at(-1)?.report(report);
    }
  };
  const hear = async (intervals: number, report: SoundReport) => {
    for (let i = 0; i < intervals; i += 1) {
      await vi.advanceTimersByTimeAsync(300);
      onSound(report);
    }
  };
  const types = () => found.map(({ type }) => type);
  return { monitor, cameras, lost, over, types, found, ended, faces, hear, answer, microphone };
}

const SPEECH = sound(-30, 1);

test('reports a missing face and shows it in the status box', async () => {
  const { monitor, faces, types } = room();
  await monitor.ask('camera');
  await faces(5, FACE);
  expect(monitor.getSnapshot().face).toBe('ok');
  await faces(2, NO_FACE);
  expect(monitor.getSnapshot().face).toBe('not-detected');
  expect(types()).toEqual(['face_not_detected']);
});

test('reports nothing from sensors that the plan leaves out', async () => {
  const { monitor, cameras, hear, types } = room([]);
  await monitor.ask('camera');
  await monitor.ask('microphone');
  await hear(20, SPEECH);
  expect(cameras).toEqual([]);
  expect(types()).toEqual([]);
});

test('flags a lost camera and evaluates only the next stream', async () => {
  const { monitor, cameras, lost, faces, types } = room(['camera']);
  await monitor.ask('camera');
  await faces(5, FACE);
  lost[0]?.();
  expect(types()).toEqual(['camera_lost']);
  expect(cameras[0]?.signal.aborted).toBe(true);
  await monitor.ask('camera');
  expect(cameras).toHaveLength(2);
  await faces(5, FACE);
  await faces(2, NO_FACE);
  expect(types()).toEqual(['camera_lost', 'face_not_detected']);
});

test('says when what was found is over: the picture is fine, the device back', async () => {
  const { monitor, lost, faces, types, ended } = room();
  await monitor.ask('camera');
  await monitor.ask('microphone');
  ended.length = 0;
  const covered: FaceReport = {
    ...NO_FACE,
    verdict: 'cannot-tell',
    reason: 'covered',
    faces: null,
  };
  await faces(4, FACE);
  await faces(20, covered);
  expect([types(), ended]).toEqual([['camera_covered'], []]);
  await faces(5, FACE);
  expect(ended).toEqual(['camera_covered']);
  await faces(70, { ...covered, reason: 'slow' });
  await faces(1, FACE);
  expect(ended).toEqual(['camera_covered', 'camera_unjudged']);
  lost[0]?.();
  lost[1]?.();
  expect(ended).toHaveLength(2);
  await monitor.askInTurn(['camera', 'microphone']);
  expect(ended.slice(2)).toEqual(['camera_lost', 'microphone_lost']);
});

test('flags a permission prompt that stays unanswered for 30 s', async () => {
  const { monitor, types, found, answer } = room();
  answer.comes = false;
  void monitor.ask('camera');
  void monitor.ask('microphone');
  await vi.advanceTimersByTimeAsync(29_000);
  expect(types()).toEqual([]);
  await vi.advanceTimersByTimeAsync(100_000);
  expect(types()).toEqual(['camera_lost', 'microphone_lost']);
  expect(found[0]?.notes).toBe('not answered');
});

test('flags a microphone that is silent for a minute, again at three, or muted for one', async () => {
  const { monitor, hear, found, microphone } = room(['microphone']);
  await monitor.ask('microphone');
  await hear(500, { ...SPEECH, speech: 0 });
  expect(found).toEqual([]);
  await vi.advanceTimersByTimeAsync(200_000);
  expect(found).toMatchObject([
    { type: 'microphone_unjudged', notes: 'no-sound', durationMs: 60_000 },
    { type: 'microphone_unjudged', notes: 'no-sound', durationMs: 180_000 },
  ]);
  microphone.muted = true;
  await hear(500, { ...SPEECH, speech: 0 });
  expect(found.map(({ notes }) => notes)).toEqual(['no-sound', 'no-sound', 'muted']);
});

test.each([
  ['OBS Virtual Camera', true],
  ['ManyCam Virtual Webcam', true],
  ['Dummy video device (0x0000)', true],
  ['FaceTime HD Camera', false],
  ['Integrated Webcam (0c45:6723)', false],
  ['Logitech BRIO', false],
  ['Jobson HD', false],
  ['', false],
  ['/tmp/virtual/fake.mjpeg', false],
])('flags a virtual camera by its name: %s: %s', async (label, isFlagged) => {
  const { monitor, found } = room(['camera'], label);
  await monitor.ask('camera');
  expect(found).toMatchObject(isFlagged ? [{ type: 'virtual_camera', notes: label }] : []);
});

test('reports nothing after the signal aborts', async () => {
  const { monitor, cameras, over, hear, types } = room();
  await monitor.ask('camera');
  await monitor.ask('microphone');
  over.abort();
  expect(cameras[0]?.signal.aborted).toBe(true);
  await hear(20, SPEECH);
  expect(types()).toEqual([]);
});
