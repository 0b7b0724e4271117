import { cannotTell, whyUnseen } from '../detectors/face-verdict.ts';
import {
  EDGE_HEIGHT,
  EDGE_WIDTH,
  edgeFigures,
  GRAY_HEIGHT,
  GRAY_WIDTH,
  grayFigures,
  grayOf,
} from '../detectors/gray-picture.ts';
import { readsBack } from '../detectors/read-back.ts';
import type { FaceReport, FaceSensor } from '../detectors/sensor-reports.ts';

/** A face counts when more than this share of the pixels is skin (specification 9). */
const SKIN_SHARE = 0.01;
/** ... and the picture is brighter than this on average, 0 to 255 (specification 9). */
const SKIN_BRIGHTNESS = 30;

/** The result of the specification's rule for a picture. */
interface SkinVerdict {
  face: boolean;
  /** Share of the pixels that are skin, 0 to 1. */
  share: number;
  /** Mean of the three channels, 0 to 255. */
  brightness: number;
}

/**
 * The specification's face check: skin-pixel ratio above 1% and mean brightness above 30. It detects
 * warm colors, not faces (error rates: docs/proctoring.md), so it is only the fallback where the model
 * cannot run. The specification does not define a skin pixel; this is the usual rule for RGB in daylight
 * (Kovač, Peer, Solina 2003).
 */
export function skinRule({ data }: Pick<ImageData, 'data'>): SkinVerdict {
  const pixels = Math.max(1, data.length / 4);
  let skin = 0;
  let sum = 0;
  for (let at = 0; at < data.length; at += 4) {
    const red = data[at] ?? 0;
    const green = data[at + 1] ?? 0;
    const blue = data[at + 2] ?? 0;
    sum += red + green + blue;
    if (isSkin(red, green, blue)) skin += 1;
  }
  const share = skin / pixels;
  const brightness = sum / (3 * pixels);
  return { face: share > SKIN_SHARE && brightness > SKIN_BRIGHTNESS, share, brightness };
}

function isSkin(red: number, green: number, blue: number): boolean {
  return (
    red > 95 &&
    green > 40 &&
    blue > 20 &&
    red > green &&
    red > blue &&
    Math.max(red, green, blue) - Math.min(red, green, blue) > 15 &&
    Math.abs(red - green) > 15
  );
}

/** A sensor that may fail to run in this browser. */
export interface ModelSensor extends FaceSensor {
  open(): Promise<void>;
  readonly givenUp: boolean;
}

/**
 * The model, and permanently the specification's rule once the model is given up: results that alternate
 * between engines could not be reviewed. Every report names its engine.
 */
export class FaceSensorWithFallback implements FaceSensor {
  readonly #model: ModelSensor;
  readonly #makeBasic: () => FaceSensor;
  #basic: FaceSensor | null = null;

  constructor(model: ModelSensor, makeBasic: () => FaceSensor) {
    this.#model = model;
    this.#makeBasic = makeBasic;
  }

  get engine() {
    return this.#model.givenUp ? 'basic' : 'model';
  }

  check(frame: ImageBitmap): Promise<FaceReport> {
    if (!this.#model.givenUp) return this.#model.check(frame);
    this.#basic ??= this.#makeBasic();
    return this.#basic.check(frame);
  }

  close(): void {
    this.#model.close();
    this.#basic?.close();
  }
}

/** Reads a frame at the given size, or says why it cannot. */
export type ReadPixels = (
  frame: ImageBitmap,
  width: number,
  height: number,
) => ImageData | 'no-frame' | 'falsified';

/**
 * Detects faces by the specification's skin rule, where the model cannot run. It cannot count faces. As with
 * the model, a picture too dark or too plain to show a face is inconclusive.
 */
export class BasicFace implements FaceSensor {
  readonly engine = 'basic';
  readonly #read: ReadPixels;
  #before: Uint8Array | null = null;

  constructor(read: ReadPixels = canvasReader()) {
    this.#read = read;
  }

  async check(frame: ImageBitmap): Promise<FaceReport> {
    const from = performance.now();
    // The rule uses shares, which scaling preserves.
    const picture = this.#read(frame, EDGE_WIDTH, EDGE_HEIGHT);
    const small = this.#read(frame, GRAY_WIDTH, GRAY_HEIGHT);
    frame.close();
    if (typeof picture === 'string') return cannotTell(picture, 'basic', performance.now() - from);
    if (typeof small === 'string') return cannotTell(small, 'basic', performance.now() - from);
    const { face } = skinRule(picture);
    const gray = grayOf(small.data);
    const { brightness, contrast, motion } = grayFigures(gray, this.#before);
    this.#before = gray;
    const edges = edgeFigures(grayOf(picture.data));
    const reason = face ? null : whyUnseen({ brightness, contrast }, edges);
    return {
      verdict: face ? 'yes' : reason === null ? 'no' : 'cannot-tell',
      reason,
      faces: null,
      boxes: [],
      yaw: null,
      pitch: null,
      brightness,
      motion,
      engine: 'basic',
      tookMs: performance.now() - from,
    };
  }

  close(): void {
    this.#before = null;
  }
}

function canvasReader(): ReadPixels {
  const canvas = document.createElement('canvas');
  return (frame, width, height) => {
    canvas.width = width;
    canvas.height = height;
    const pencil = canvas.getContext('2d', { willReadFrequently: true });
    if (pencil === null) return 'no-frame';
    try {
      if (!readsBack(pencil)) return 'falsified';
      pencil.drawImage(frame, 0, 0, width, height);
      return pencil.getImageData(0, 0, width, height);
    } catch {
      // The browser or an add-on refuses to read a canvas.
      return 'falsified';
    }
  };
}
