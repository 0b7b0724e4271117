import { Human } from '@vladmandic/human';
import type { FoundFace } from '../detectors/face-verdict.ts';
import {
  GREY_HEIGHT,
  GREY_WIDTH,
  type GreyFigures,
  greyFigures,
  greyOf,
} from '../detectors/grey-picture.ts';
import { answerCalls, countLoadedBytes } from './answer-calls.ts';

export type FaceCall = { kind: 'begin'; folder: string } | { kind: 'look'; frame: ImageBitmap };

/** What one look found; `null` for the call that loads. */
export type FaceAnswer = { faces: FoundFace[]; figures: GreyFigures } | null;

const OFF = { enabled: false };

let human: Human | null = null;
let before: Uint8Array | null = null;
const small = new OffscreenCanvas(GREY_WIDTH, GREY_HEIGHT);
const pencil = small.getContext('2d', { willReadFrequently: true });

// The library greets in the console of every page, whatever it is told.
Object.assign(globalThis.console, { log: () => undefined });
countLoadedBytes();
answerCalls<FaceCall, FaceAnswer>(async (call) => {
  if (call.kind === 'look') return look(call.frame);
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
    // Never a result of an earlier picture: whoever left would still be there.
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
      // What somebody feels is nobody's business, and in the EU against the law in education.
      emotion: OFF,
      description: OFF,
      antispoof: OFF,
      liveness: OFF,
    },
  });
  await human.load();
  // A file that did not arrive is only logged: without the mesh no face would ever be confirmed.
  const missing = human.models.stats().modelStats.filter(({ loaded }) => !loaded);
  if (missing.length > 0) throw new Error('a model did not arrive');
  await human.init();
  // Without WebAssembly it changes to another backend without a word and takes seconds for a look.
  const backend = human.tf.getBackend();
  if (backend !== 'wasm') throw new Error(`the model would run on ${backend}`);
  // The first look compiles; it must not be a candidate's.
  await human.detect(new ImageData(GREY_WIDTH, GREY_HEIGHT));
}

async function look(frame: ImageBitmap): Promise<FaceAnswer> {
  try {
    if (human === null || pencil === null) throw new Error('not begun');
    pencil.drawImage(frame, 0, 0, GREY_WIDTH, GREY_HEIGHT);
    const grey = greyOf(pencil.getImageData(0, 0, GREY_WIDTH, GREY_HEIGHT).data);
    const figures = greyFigures(grey, before);
    before = grey;
    const { face, error } = await human.detect(frame);
    if (error) throw new Error(error);
    const faces = face.map(({ box, rotation }) => ({
      box,
      yaw: rotation?.angle.yaw ?? 0,
      pitch: rotation?.angle.pitch ?? 0,
    }));
    return { faces, figures };
  } finally {
    frame.close();
  }
}
