import { Human } from '@vladmandic/human';
import { type FoundFace, whyUnseen } from '../detectors/face-verdict.ts';
import {
  EDGE_HEIGHT,
  EDGE_WIDTH,
  edgeFigures,
  GRAY_HEIGHT,
  GRAY_WIDTH,
  type GrayFigures,
  grayFigures,
  grayOf,
} from '../detectors/gray-picture.ts';
import { readsBack } from '../detectors/read-back.ts';
import type { CannotTell } from '../detectors/sensor-reports.ts';
import { answerCalls, countLoadedBytes } from './answer-calls.ts';

export type FaceCall = { kind: 'begin'; folder: string } | { kind: 'check'; frame: ImageBitmap };

/** The result of one check, with the reason if it is inconclusive; `null` for `begin`. */
export type FaceAnswer =
  | { faces: FoundFace[]; figures: GrayFigures; reason: CannotTell | null }
  | 'falsified'
  | null;

const OFF = { enabled: false };

let human: Human | null = null;
let before: Uint8Array | null = null;
const small = new OffscreenCanvas(GRAY_WIDTH, GRAY_HEIGHT);
const pencil = small.getContext('2d', { willReadFrequently: true });

// The library logs a greeting whatever its options.
Object.assign(globalThis.console, { log: () => undefined });
countLoadedBytes();
answerCalls<FaceCall, FaceAnswer>(async (call) => {
  if (call.kind === 'check') return check(call.frame);
  await begin(call.folder);
  return null;
});

async function begin(folder: string): Promise<void> {
  human = new Human({
    backend: 'wasm',
    wasmPath: folder,
    modelBasePath: folder,
    debug: false,
    warmup: 'none',
    // No cached results: someone who left would still be detected.
    cacheModels: false,
    cacheSensitivity: 0,
    skipAllowed: false,
    filter: OFF,
    gesture: OFF,
    body: OFF,
    hand: OFF,
    object: OFF,
    segmentation: OFF,
    face: {
      enabled: true,
      detector: {
        enabled: true,
        modelPath: 'blazeface.json',
        rotation: false,
        maxDetected: 5,
        minConfidence: 0.3,
        skipFrames: 0,
        skipTime: 0,
        return: false,
      },
      mesh: { enabled: true, modelPath: 'facemesh.json' },
      attention: OFF,
      iris: OFF,
      // Off on principle; emotion recognition in education is also illegal in the EU.
      emotion: OFF,
      description: OFF,
      antispoof: OFF,
      liveness: OFF,
    },
  });
  await human.load();
  // The library only logs a missing file, but without the mesh no face is ever confirmed.
  const missing = human.models.stats().modelStats.filter(({ loaded }) => !loaded);
  if (missing.length > 0) throw new Error('a model could not be loaded');
  await human.init();
  // The library silently falls back to another backend if there is no WebAssembly, and takes seconds per
  // check.
  const backend = human.tf.getBackend();
  if (backend !== 'wasm') throw new Error(`the model would run on ${backend}`);
  // Warm-up: the first detection compiles.
  await human.detect(new ImageData(GRAY_WIDTH, GRAY_HEIGHT));
}

async function check(frame: ImageBitmap): Promise<FaceAnswer> {
  try {
    if (pencil !== null && !readsBack(pencil)) return 'falsified';
    const gray = grayAt(frame, GRAY_WIDTH, GRAY_HEIGHT);
    const figures = grayFigures(gray, before);
    before = gray;
    const faces = await facesIn(frame);
    if (faces.length > 0) return { faces, figures, reason: null };
    const reason = whyUnseen(figures, edgeFigures(grayAt(frame, EDGE_WIDTH, EDGE_HEIGHT)));
    return { faces, figures, reason: reason ?? (await secondPass(frame, figures)) };
  } finally {
    frame.close();
  }
}

async function facesIn(picture: ImageBitmap | OffscreenCanvas) {
  if (human === null) throw new Error('not begun');
  const { face, error } = await human.detect(picture);
  if (error) throw new Error(error);
  return face.map(({ box, rotation, boxScore, faceScore }) => ({
    box,
    yaw: rotation?.angle.yaw ?? 0,
    pitch: rotation?.angle.pitch ?? 0,
    boxScore,
    faceScore,
  }));
}

function grayAt(frame: ImageBitmap, width: number, height: number): Uint8Array {
  if (pencil === null) throw new Error('no drawing context');
  small.width = width;
  small.height = height;
  pencil.imageSmoothingQuality = 'high';
  pencil.drawImage(frame, 0, 0, width, height);
  return grayOf(pencil.getImageData(0, 0, width, height).data);
}

/** A picture darker than this (mean, 0 to 255) is brightened for the second pass. */
const POOR_LIGHT = 70;

interface SecondPass {
  scale: number;
  turnDegrees: number;
  /** Minimum scores, measured: heads are above, a cat, coins and smoke below. */
  leastBoxScore: number;
  leastFaceScore: number;
}
const TURNED = { scale: 1, leastBoxScore: 0.6, leastFaceScore: 0.8 };
const SECOND_PASSES: SecondPass[] = [
  { scale: 2 / 3, turnDegrees: 0, leastBoxScore: 0.4, leastFaceScore: 0 },
  { ...TURNED, turnDegrees: 50 },
  { ...TURNED, turnDegrees: -50 },
];

/**
 * Checks variants before a miss counts: a padded picture finds faces cut off by the edge, a rotated
 * one tilted heads, a brighter one masks in poor light. Such a face is too uncertain for a "yes".
 */
async function secondPass(
  frame: ImageBitmap,
  { brightness }: GrayFigures,
): Promise<CannotTell | null> {
  const { width, height } = frame;
  const isPoorlyLit = brightness < POOR_LIGHT;
  const passes = isPoorlyLit ? [...SECOND_PASSES, { ...TURNED, turnDegrees: 0 }] : SECOND_PASSES;
  for (const { scale, turnDegrees, leastBoxScore, leastFaceScore } of passes) {
    const canvas = new OffscreenCanvas(width, height);
    const paint = canvas.getContext('2d');
    if (paint === null) return null;
    paint.fillStyle = 'rgb(120 120 120)';
    paint.fillRect(0, 0, width, height);
    paint.translate(width / 2, height / 2);
    paint.scale(scale, scale);
    paint.rotate((turnDegrees * Math.PI) / 180);
    paint.drawImage(frame, -width / 2, -height / 2);
    if (isPoorlyLit) {
      paint.globalCompositeOperation = 'lighter';
      paint.drawImage(frame, -width / 2, -height / 2);
    }
    const found = await facesIn(canvas);
    const isSeen = found.some(
      ({ boxScore, faceScore }) => boxScore >= leastBoxScore && faceScore >= leastFaceScore,
    );
    if (isSeen) return 'unsure';
  }
  return null;
}
