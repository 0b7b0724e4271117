import { describe, expect, it, vi } from 'vitest';
import { stopTime } from '../../testing/browser-stubs.ts';
import { FakeWorker } from '../../testing/fake-worker.ts';
import { BasicFace, FaceSensorWithFallback, type ReadPixels, skinRule } from './basic-face.ts';
import { FaceModel } from './load-engines.ts';

function frame() {
  const state = { closed: false };
  const bitmap = {
    width: 640,
    height: 480,
    close: () => {
      state.closed = true;
    },
  };
  return Object.assign(bitmap, { state }) as ImageBitmap & { state: typeof state };
}

/** Every picture is a single color. */
const colorReader =
  (color: number[]): ReadPixels =>
  (_, width, height) => {
    const data = new Uint8ClampedArray(width * height * 4);
    for (let at = 0; at < data.length; at += 4) data.set([...color, 255], at);
    return { data, width, height, colorSpace: 'srgb' } as ImageData;
  };

function sensorWith(answer: (call: unknown) => unknown) {
  const workers: FakeWorker[] = [];
  const model = new FaceModel({
    folder: '/assets/face-1/',
    spawn: () => {
      const worker = new FakeWorker(answer);
      workers.push(worker);
      return worker;
    },
  });
  const basic = () => new BasicFace(colorReader([200, 150, 120]));
  return { sensor: new FaceSensorWithFallback(model, basic), model, workers };
}

const isBegin = (call: unknown) => JSON.stringify(call).includes('begin');

describe('the face sensor', () => {
  stopTime();

  it('is inconclusive while the model is loading, and closes the frame', async () => {
    const { sensor, model } = sensorWith(() => undefined);
    void model.open();
    expect(sensor.engine).toBe('model');
    const picture = frame();
    const report = await sensor.check(picture);
    expect(report).toMatchObject({ verdict: 'cannot-tell', reason: 'not-loaded', engine: 'model' });
    expect(picture.state.closed).toBe(true);
    sensor.close();
  });

  it('is inconclusive when a check takes five seconds', async () => {
    const { sensor, model } = sensorWith((call) => (isBegin(call) ? 'ok' : undefined));
    await model.open();
    const checking = sensor.check(frame());
    const second = frame();
    expect(await sensor.check(second)).toMatchObject({ verdict: 'cannot-tell', reason: 'slow' });
    expect(second.state.closed).toBe(true);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await checking).toMatchObject({
      verdict: 'cannot-tell',
      reason: 'slow',
      engine: 'model',
    });
    sensor.close();
  });

  it('uses and reports the skin rule once the model is given up', async () => {
    // The worker's answer where WebAssembly is blocked and the library chose another backend.
    const { sensor, model, workers } = sensorWith(() => new Error('the model would run on webgl'));
    const opened = model.open();
    await vi.advanceTimersByTimeAsync(30_000);
    await opened;
    expect(workers).toHaveLength(4);
    expect(sensor.engine).toBe('basic');
    const report = await sensor.check(frame());
    expect(report).toMatchObject({ verdict: 'yes', faces: null, yaw: null, engine: 'basic' });
    expect((await sensor.check(frame())).motion).toBe(0);
  });
});

/** Stripes, so that the picture has contrast. */
const stripeReader =
  (...grays: [number, number]): ReadPixels =>
  (_, width, height) => {
    const data = new Uint8ClampedArray(width * height * 4);
    for (let i = 0; i < width * height; i += 1) {
      const gray = grays[(i >> 2) % 2] ?? 0;
      data.set([gray, gray, gray, 255], i * 4);
    }
    return { data, width, height, colorSpace: 'srgb' } as ImageData;
  };

it.each([
  ['a picture without skin', stripeReader(60, 160), 'no', null],
  ['a dark picture', stripeReader(0, 50), 'cannot-tell', 'dark'],
  ['a covered camera', colorReader([60, 60, 60]), 'cannot-tell', 'covered'],
  ['a browser that gives no pixels', (): 'no-frame' => 'no-frame', 'cannot-tell', 'no-frame'],
  ['a browser that changes pictures', (): 'falsified' => 'falsified', 'cannot-tell', 'falsified'],
] as const)('the basic engine on %s', async (_, read, verdict, reason) => {
  const picture = frame();
  const report = await new BasicFace(read).check(picture);
  expect(report).toMatchObject({ verdict, reason, engine: 'basic' });
  expect(picture.state.closed).toBe(true);
});

type Color = [red: number, green: number, blue: number];
const SKIN: Color = [200, 150, 120];
const GRAY: Color = [40, 40, 40];
const PIXELS = 1_000;

/** A picture of a thousand pixels, `first` of them in the first color. */
function picture(first: number, one: Color, other: Color) {
  const data = new Uint8ClampedArray(PIXELS * 4);
  for (let i = 0; i < PIXELS; i += 1) data.set([...(i < first ? one : other), 255], i * 4);
  return { data };
}

describe('the skin rule of the seed', () => {
  it.each([
    ['nothing', 0, false],
    ['exactly 1 %, which is not above 1 %', 10, false],
    ['1.1 %', 11, true],
    ['all of it', PIXELS, true],
  ])('with skin on %s of the picture', (_, skin, face) => {
    const verdict = skinRule(picture(skin, SKIN, GRAY));
    expect(verdict.share).toBe(skin / PIXELS);
    expect(verdict.face).toBe(face);
  });

  it.each([
    ['a mean of exactly 30, which is not above 30', [22, 22, 23], 30, false],
    ['a little more', [23, 22, 23], 30.3, true],
  ] as [string, Color, number, boolean][])('needs light: %s', (_, ground, brightness, face) => {
    const verdict = skinRule(picture(100, [150, 90, 57], ground));
    expect(verdict.brightness).toBeCloseTo(brightness, 10);
    expect(verdict.face).toBe(face);
  });

  it.each([
    ['red of 95', [95, 60, 40], false],
    ['red of 96', [96, 60, 40], true],
    ['green of 40', [150, 40, 30], false],
    ['green of 41', [150, 41, 30], true],
    ['blue of 20', [150, 100, 20], false],
    ['blue of 21', [150, 100, 21], true],
    ['a range of 15', [115, 100, 100], false],
    ['red 15 above green', [115, 100, 90], false],
    ['red 16 above green', [116, 100, 90], true],
    ['green above red', [100, 130, 60], false],
    ['blue above red', [120, 60, 130], false],
  ] as [string, Color, boolean][])('classifies skin: %s', (_, color, skin) => {
    expect(skinRule(picture(PIXELS, color, GRAY)).share).toBe(skin ? 1 : 0);
  });
});
