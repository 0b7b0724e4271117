import { cannotTell, faceVerdict } from '../detectors/face-verdict.ts';
import type { FaceReport, FaceSensor } from '../detectors/sensor-reports.ts';
import type { FaceAnswer, FaceCall } from './face-worker.ts';
import type { WorkerLike } from './worker-line.ts';
import { WorkerLine } from './worker-line.ts';

export interface FaceModelOptions {
  folder: string;
  /** Starts the worker; the real one is `faceWorker`. */
  spawn?: () => WorkerLike;
  onLoaded?: (bytes: number) => void;
}

/** Runs the face model in a worker, off the main thread. */
export class FaceModel implements FaceSensor {
  readonly engine = 'model';
  readonly #line: WorkerLine<FaceCall, FaceAnswer>;
  #looking = false;

  constructor({ folder, spawn = faceWorker, onLoaded }: FaceModelOptions) {
    this.#line = new WorkerLine({
      spawn,
      begin: { kind: 'begin', folder },
      ...(onLoaded ? { onLoaded } : {}),
    });
  }

  /** Resolves when the model is ready or given up. */
  open(): Promise<void> {
    return this.#line.open();
  }

  /** The model cannot run here. */
  get givenUp(): boolean {
    return this.#line.state === 'given-up';
  }

  async check(frame: ImageBitmap): Promise<FaceReport> {
    const from = performance.now();
    const took = () => performance.now() - from;
    if (this.#line.state !== 'ready' || this.#looking) {
      frame.close();
      return cannotTell(this.#looking ? 'slow' : 'not-loaded', 'model', took());
    }
    this.#looking = true;
    try {
      const found = await this.#line.call({ kind: 'check', frame }, [frame]);
      if (found === null) return cannotTell('not-loaded', 'model', took());
      if (found === 'falsified') return cannotTell('falsified', 'model', took());
      return faceVerdict(found.faces, found.figures, found.reason, took());
    } catch {
      return cannotTell('slow', 'model', took());
    } finally {
      this.#looking = false;
    }
  }

  close(): void {
    this.#line.close();
  }
}

function faceWorker(): WorkerLike {
  return new Worker(new URL('./face-worker.ts', import.meta.url), { type: 'module', name: 'face' });
}
