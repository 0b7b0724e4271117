import { BALANCED_POLICY, STRICT_POLICY } from '@invigil/core/domain/violations/violation-policy';
import { isCountingType } from '@invigil/core/domain/violations/violation-types';
import { beforeEach, expect, test, vi } from 'vitest';
import { stopTime } from '../testing/browser-stubs.ts';
import { FakeWorker } from '../testing/fake-worker.ts';
import { detect } from './detect.ts';
import type { DetectedEvent } from './detection/detected-event.ts';
import type { Moment } from './detection/hidden-page.ts';
import { readsBack } from './detectors/read-back.ts';
import { BasicFace, FaceSensorWithFallback } from './engines/basic-face.ts';
import type { FaceAnswer } from './engines/face-worker.ts';
import { FaceModel, VoiceModel } from './engines/load-engines.ts';
import { watchFace } from './face-watch.ts';
import { Monitor } from './monitor.ts';
import { frameGrabber } from './sensors/frame-grabber.ts';
import { watchSound } from './sensors/sound.ts';

/**
 * Sensors and pages that deliver something other than the room. In each test the chair is empty and
 * somebody speaks loudly, so that believing the sensors would count both.
 */

stopTime();
beforeEach(() => {
  vi.stubGlobal('navigator', { onLine: true });
});

type Pixels = Uint8ClampedArray;
type Pencil = Parameters<typeof readsBack>[0];

/** A canvas that changes what it gives back. */
function pencilThat(change: (data: Pixels, reads: number) => Pixels = (data) => data): Pencil {
  let drawn: Pixels = new Uint8ClampedArray();
  let reads = 0;
  return {
    createImageData: (width: number, height: number) =>
      ({ data: new Uint8ClampedArray(width * height * 4) }) as ImageData,
    putImageData: ({ data }: ImageData) => {
      drawn = data;
    },
    getImageData: () => ({ data: change(drawn.slice(), reads++) }) as ImageData,
  } as unknown as Pencil;
}

const noise = (data: Pixels) => data.map(() => Math.floor(Math.random() * 256));
const all = (byte: number) => (data: Pixels) => data.fill(byte);
const refuse = () => {
  throw new DOMException('The canvas may not be read', 'SecurityError');
};

/** Everything a situation can spoil; unspoiled, the room counts. */
interface Room {
  /** The canvas of the detector's worker. */
  pencil: Pencil;
  /** The answer of the face model; `undefined` for never. */
  faces: (seconds: number) => FaceAnswer | Error | undefined;
  /** No worker starts: the page's own canvas is used. */
  withoutWorkers: boolean;
  /** The page's own canvas; `null` for none. */
  canvas: Pencil | null;
  /** The camera's picture. */
  grab: () => Promise<ImageBitmap | null>;
  isHidden: boolean;
  now: (at: number) => Moment;
  /** Mean squares that the audio thread reports in turn. */
  squares: (interval: number) => number | undefined;
  /** Reads of the analyser, where there is no audio thread. */
  analyser: ((samples: Float32Array) => void) | null;
  clockRuns: boolean;
  /** Frames and speech in them, from the speech model. */
  speech: { frames: number; speech: number } | Error | undefined;
  /** The device's audio track is muted. */
  muted: boolean;
}

const PICTURE = { width: 640, height: 480, close: () => undefined } as ImageBitmap;
const EMPTY: Exclude<FaceAnswer, string | null> = {
  faces: [],
  figures: { brightness: 110, contrast: 45, motion: 2 },
  reason: null,
};

function honestRoom(): Room {
  return {
    pencil: pencilThat(),
    faces: () => EMPTY,
    withoutWorkers: false,
    canvas: pencilThat(),
    grab: async () => PICTURE,
    isHidden: false,
    now: (at) => ({ monotonic: at, wall: at }),
    squares: (interval) => 0.5 + (interval % 7) / 100,
    analyser: null,
    clockRuns: true,
    speech: { frames: 9, speech: 9 },
    muted: false,
  };
}

/** Two minutes of an attempt in a room; what was found. */
async function sit(change: Partial<Room>, policy = STRICT_POLICY): Promise<DetectedEvent[]> {
  const room = { ...honestRoom(), ...change };
  const began = Date.now();
  const now = () => room.now(Date.now() - began);
  const over = new AbortController();
  const audio = new FakeAudio(room);
  vi.stubGlobal('AudioContext', function newAudio() {
    return audio;
  });
  vi.stubGlobal('AudioWorkletNode', function newMeter() {
    return audio.meter;
  });
  vi.stubGlobal('document', {
    createElement: () => ({ width: 0, height: 0, getContext: () => canvasOf(room) }),
  });
  const spawn = (answer: (kind: string) => unknown) => () => {
    if (room.withoutWorkers) throw new Error('no workers here');
    return new FakeWorker((call) => {
      const { kind } = call as { kind: string };
      return kind === 'begin' || kind === 'listen' ? null : answer(kind);
    });
  };
  const seconds = () => Math.floor((Date.now() - began) / 1_000);
  // Checks frames in the way of face-worker.ts.
  const look = () => (readsBack(room.pencil) ? room.faces(seconds()) : 'falsified');
  const model = new FaceModel({ folder: '/', spawn: spawn(look) });
  const sensor = new FaceSensorWithFallback(model, () => new BasicFace());
  const voice = new VoiceModel({ folder: '/', spawn: spawn(() => room.speech) });
  void model.open();
  void voice.open();
  const stream = {
    getVideoTracks: () => [{ label: 'A webcam' }],
    getAudioTracks: () => [{ muted: room.muted }],
    getTracks: () => [],
  } as unknown as MediaStream;
  const monitor = new Monitor({
    openCamera: async () => stream,
    openMicrophone: async () => stream,
    watchSound: (given, everyMs, onReport, signal) =>
      watchSound(given, everyMs, voice, onReport, signal),
    watchLiveness: () => undefined,
    keepScreenOn: () => undefined,
    floor: { read: () => -70, write: () => undefined },
    onStop: () => undefined,
  });
  const found: DetectedEvent[] = [];
  const document = Object.assign(new EventTarget(), {
    visibilityState: 'visible',
    hasFocus: () => true,
  });
  detect(
    {
      monitor,
      page: {
        window: new EventTarget(),
        document,
        now,
        watchFullscreen: () => undefined,
        hasSecondScreen: () => null,
        hasDialog: () => false,
        cover: () => undefined,
      },
      sensor: () => sensor,
      onPicture: () => undefined,
      watchCamera: (_, deps, everyMs, signal) =>
        watchFace(
          {
            ...deps,
            grab: room.grab,
            isHidden: () => room.isHidden,
            now: () => now().monotonic,
          },
          everyMs,
          signal,
        ),
      onFound: (one) => found.push(one),
      onOver: () => undefined,
      onVoice: () => undefined,
      onExcused: () => undefined,
    },
    {
      policy,
      devices: ['camera', 'microphone'],
      fullscreen: false,
      soundEveryMs: 300,
      baseline: null,
    },
    over.signal,
  );
  await monitor.ask('camera');
  await monitor.ask('microphone');
  await vi.advanceTimersByTimeAsync(120_000);
  over.abort();
  monitor.stop();
  audio.stop();
  return found;
}

/** A canvas of the page, on which the camera's picture is a room without skin colours. */
function canvasOf(room: Room): unknown {
  if (room.canvas === null) return null;
  return { ...room.canvas, drawImage: () => undefined };
}

/** The used part of the browser's audio. */
class FakeAudio {
  readonly #room: Room;
  readonly #timer: ReturnType<typeof setInterval>;
  #interval = 0;
  state = 'running';
  sampleRate = 48_000;
  destination = {};
  readonly meter = {
    port: {
      onmessage: null as ((event: { data: unknown }) => void) | null,
      postMessage: () => undefined,
    },
    connect: () => undefined,
  };

  constructor(room: Room) {
    this.#room = room;
    if (!room.clockRuns) this.state = 'suspended';
    this.#timer = setInterval(() => {
      const square = room.squares(this.#interval);
      this.#interval += 1;
      if (room.clockRuns && room.analyser === null && square !== undefined) {
        this.meter.port.onmessage?.({ data: { meanSquare: square } });
      }
    }, 300);
  }

  get currentTime(): number {
    return this.#room.clockRuns ? Date.now() / 1_000 : 0;
  }

  readonly audioWorklet = {
    addModule: async () => {
      if (this.#room.analyser !== null) throw new Error('no worklets here');
    },
  };

  stop(): void {
    clearInterval(this.#timer);
  }
  resume = async () => undefined;
  close = async () => undefined;
  createMediaStreamSource = () => ({
    connect: (to: Analyser) => to.take?.('room'),
    disconnect: () => undefined,
  });
  createBuffer = () => ({ getChannelData: () => new Float32Array(1) });
  createBufferSource = () => ({
    connect: (to: Analyser) => to.take?.('known'),
    start: () => undefined,
  });
  createAnalyser = () => {
    let signal = 0;
    return {
      fftSize: 0,
      take: (kind: 'room' | 'known') => {
        signal = kind === 'known' ? 0.25 : 0.7;
      },
      getFloatTimeDomainData: (samples: Float32Array) => {
        samples.fill(signal + (signal === 0.25 ? 0 : Math.random() / 10));
        this.#room.analyser?.(samples);
      },
    };
  };
}
interface Analyser {
  take?: (kind: 'room' | 'known') => void;
}

const counted = (found: readonly DetectedEvent[]) =>
  found.map(({ type }) => type).filter(isCountingType);

test.each([
  ['Strict', STRICT_POLICY],
  ['Balanced', BALANCED_POLICY],
])('an empty chair and a loud voice count under %s', async (_, policy) => {
  expect(new Set(counted(await sit({}, policy)))).toEqual(
    new Set(['face_not_detected', 'voice_detected']),
  );
  const byAnalyser = await sit({ analyser: () => undefined }, policy);
  expect(counted(byAnalyser)).toContain('voice_detected');
});

const stored = (() => {
  let first: Pixels | null = null;
  return (data: Pixels) => {
    first ??= data;
    return first;
  };
})();
const swapped = (data: Pixels) => data.map((_, i) => data[i ^ (i % 4 < 2 ? 1 : 0)] ?? 0);
const EMPTY_WITH = (figures: Partial<typeof EMPTY.figures>) => () => ({
  ...EMPTY,
  figures: { ...EMPTY.figures, ...figures },
});
const unclear =
  (reason: Exclude<typeof EMPTY.reason, null>): Room['faces'] =>
  () => ({ ...EMPTY, reason });

const FALSE_CANVASES: [string, (data: Pixels) => Pixels][] = [
  ['returns noise', noise],
  ['returns white', all(255)],
  ['returns black', all(0)],
  ['returns its first picture', stored],
  ['swaps colours', swapped],
  ['inverts', (data) => data.map((byte) => 255 - byte)],
  ['shifts by a pixel', (data) => data.map((_, i) => data[i + 4] ?? 0)],
  ['returns half of the light', (data) => data.map((byte) => byte / 2)],
  ['returns fewer pixels', (data) => data.slice(0, 400)],
];

/** Nothing of the camera may count; the flag that tells the reviewer, if the page raises one. */
const PICTURES: [string, Partial<Room>, flag: string | null][] = [
  ...FALSE_CANVASES.map(([title, change]): [string, Partial<Room>, string] => [
    `a canvas that ${title}`,
    { pencil: pencilThat(change) },
    'camera_unjudged',
  ]),
  [
    'a canvas that returns noise from the tenth picture on',
    { pencil: pencilThat((data, reads) => (reads < 10 ? data : noise(data))), faces: present(10) },
    'camera_unjudged',
  ],
  [
    'a canvas that nobody may read, in the worker and in the page',
    { pencil: pencilThat(refuse), canvas: pencilThat(refuse) },
    'camera_unjudged',
  ],
  [
    'noise in the page, which has no workers',
    { withoutWorkers: true, canvas: pencilThat(noise) },
    'camera_unjudged',
  ],
  [
    'white in the page, which has no workers',
    { withoutWorkers: true, canvas: pencilThat(all(255)) },
    'camera_unjudged',
  ],
  ['neither workers nor a canvas', { withoutWorkers: true, canvas: null }, 'camera_lost'],
  ['a worker that never answers', { faces: () => undefined, canvas: null }, null],
  ['a model that fails each time', { faces: () => new Error('no memory'), canvas: null }, null],
  ['no picture', { grab: async () => null }, 'camera_lost'],
  ['a picture that never comes', { grab: () => new Promise(() => undefined) }, null],
  ['a hidden page, whose pictures are frozen', { isHidden: true }, null],
  ['a frame that never changes', { faces: EMPTY_WITH({ motion: 0 }) }, 'frozen_camera'],
  [
    'a frame that stops changing',
    { faces: (at) => (at < 10 ? present(10)(at) : EMPTY_WITH({ motion: 0 })()) },
    'frozen_camera',
  ],
  ['a dark room', { faces: unclear('dark') }, 'camera_dark'],
  ['a covered lens', { faces: unclear('covered') }, 'camera_covered'],
  ['a picture out of focus', { faces: unclear('blurred') }, 'camera_unjudged'],
  ['half a face at the edge', { faces: unclear('unsure') }, 'camera_unjudged'],
  ['a clock that stands still', { now: () => ({ monotonic: 0, wall: 0 }) }, null],
];

/** Nothing of the microphone may count. */
const SOUNDS: [string, Partial<Room>, flag: string | null][] = [
  ['no audio clock', { clockRuns: false }, 'microphone_unjudged'],
  ['an audio thread that reports nothing', { squares: () => undefined }, 'microphone_unjudged'],
  ['a constant level', { squares: () => 0.9 }, 'microphone_unjudged'],
  [
    'a level that becomes constant',
    { squares: (n) => (n < 3 ? 0.1 ** n : 1) },
    'microphone_unjudged',
  ],
  ['levels that are no numbers', { squares: () => Number.NaN }, 'microphone_unjudged'],
  ['levels without end', { squares: () => Number.POSITIVE_INFINITY }, 'microphone_unjudged'],
  ['digital silence, whatever the model hears in it', { squares: () => 0 }, null],
  [
    'a model whose results are no numbers',
    { squares: quiet, speech: { frames: Number.NaN, speech: Number.NaN } },
    null,
  ],
  ['a model that never answers', { squares: quiet, speech: undefined }, null],
  ['a model that fails each time', { squares: quiet, speech: new Error('no memory') }, null],
  [
    'an analyser that returns noise',
    { analyser: (samples) => samples.set(samples.map(() => 2 * Math.random() - 1)) },
    'microphone_unjudged',
  ],
  ['an analyser that returns full scale', { analyser: (s) => s.fill(1) }, 'microphone_unjudged'],
  ['an analyser that returns silence', { analyser: (s) => s.fill(0) }, null],
  [
    'an analyser that returns no numbers',
    { analyser: (samples) => samples.fill(Number.NaN) },
    'microphone_unjudged',
  ],
];

const FACE = /face_not_detected/;
const VOICE = /voice_detected/;

test.each([
  ...PICTURES.map((one) => [...one, FACE] as const),
  ...SOUNDS.map((one) => [...one, VOICE] as const),
])('nothing counts with %s', async (_, change, flag, mayNotCount) => {
  for (const policy of [STRICT_POLICY, BALANCED_POLICY]) {
    const found = await sit(change, policy);
    expect(counted(found).filter((type) => mayNotCount.test(type))).toEqual([]);
    if (flag !== null) expect(found.map(({ type }) => type)).toContain(flag);
  }
});

test('a muted microphone is lost', async () => {
  const found = await sit({ muted: true, squares: () => 0 });
  expect(found.find(({ type }) => type === 'microphone_lost')?.notes).toBe('muted');
  expect(counted(found)).not.toContain('voice_detected');
});

test.each([16.67, 100, 1_000])(
  'a clock rounded to %s ms counts nobody who is there',
  async (step) => {
    const round = (at: number) => Math.floor(at / step) * step;
    const found = await sit({
      now: (at) => ({ monotonic: round(at), wall: round(at) }),
      faces: present(Number.POSITIVE_INFINITY),
      squares: quiet,
      speech: { frames: 9, speech: 0 },
    });
    expect(counted(found)).toEqual([]);
  },
);

test.each([
  ['is missing', undefined],
  ['returns noise', (back: Pixels) => back.set(noise(back))],
  ['returns nothing', () => undefined],
  ['throws', refuse],
] as const)('the picture comes from the video where VideoFrame %s', async (_, copyTo) => {
  const video = { readyState: 4, videoWidth: 640, videoHeight: 480 } as HTMLVideoElement;
  vi.stubGlobal('HTMLMediaElement', { HAVE_CURRENT_DATA: 2 });
  class Frame {
    visibleRect = { width: 640, height: 480 };
    allocationSize = () => 640 * 480 * 4;
    copyTo = async (back: Pixels) => copyTo?.(back);
    close = () => undefined;
  }
  vi.stubGlobal('VideoFrame', copyTo === undefined ? undefined : Frame);
  vi.stubGlobal('createImageBitmap', async (source: unknown) => source);
  expect(await frameGrabber(video)()).toBe(video);
});

/** Somebody is seen until this second, moving. */
function present(until: number): Room['faces'] {
  return (at) =>
    at >= until
      ? EMPTY
      : { ...EMPTY, faces: [{ box: [180 + (at % 5) * 9, 90, 300, 300], yaw: 0, pitch: 0 }] };
}

/** A room whose level only the speech model could accuse. */
function quiet(interval: number): number {
  return 1e-6 * (1 + (interval % 7) / 10);
}
