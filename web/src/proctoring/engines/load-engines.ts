import { cannotTell, faceVerdict } from '../detectors/face-verdict.ts';
import type { FaceReport, FaceSensor, SoundReport } from '../detectors/sensor-reports.ts';
import { type SampleSource, type SpeechListener, watchSound } from '../sensors/sound.ts';
import { BasicFace, FaceSensorWithFallback } from './basic-face.ts';
import { detectorFiles } from './detector-files.ts';
import type { FaceAnswer, FaceCall } from './face-worker.ts';
import type { VoiceAnswer, VoiceCall } from './voice-worker.ts';
import { type WorkerLike, WorkerLine } from './worker-line.ts';

export interface LoadOptions {
  face: boolean;
  voice: boolean;
  /** Share of the bytes loaded, 0 to 1; 1 shortly before the engines are ready. */
  onProgress(share: number): void;
}

export interface Engines {
  /** Resolves when the requested engines are loaded or given up; never rejects. */
  readonly ready: Promise<void>;
  readonly face: FaceSensor;
  /** Reports level and speech of a stream every `everyMs` until the signal aborts; one at a time. */
  listen(
    stream: MediaStream,
    everyMs: number,
    onSound: (report: SoundReport) => void,
    signal: AbortSignal,
  ): void;
  close(): void;
}

/** Starts loading the engines, from our own server only, and returns them at once; each exposes its own state. */
export function loadEngines({ face, voice, onProgress }: LoadOptions): Engines {
  const { faceModel, voiceModel } = models(onProgress, { face, voice });
  const sensor = new FaceSensorWithFallback(faceModel, () => new BasicFace());
  return {
    ready: Promise.all([
      ...(face ? [faceModel.open()] : []),
      ...(voice ? [voiceModel.open()] : []),
    ]).then(() => onProgress(1)),
    face: sensor,
    listen: (stream, everyMs, onSound, signal) =>
      watchSound(stream, everyMs, voice ? voiceModel : null, onSound, signal),
    close() {
      sensor.close();
      voiceModel.close();
    },
  };
}

function models(onProgress: (share: number) => void, wanted: { face: boolean; voice: boolean }) {
  const { face, voice } = detectorFiles;
  const bytes = (wanted.face ? face.bytes : 0) + (wanted.voice ? voice.bytes : 0);
  const arrived = { face: 0, voice: 0 };
  const count = (which: keyof typeof arrived) => (loadedBytes: number) => {
    // A restarted worker loads its files again, from the browser's cache.
    arrived[which] = Math.max(arrived[which], loadedBytes);
    onProgress(Math.min(1, (arrived.face + arrived.voice) / bytes));
  };
  return {
    faceModel: new FaceModel({ folder: face.folder, onLoaded: count('face') }),
    voiceModel: new VoiceModel({ folder: voice.folder, onLoaded: count('voice') }),
  };
}

interface ModelOptions {
  folder: string;
  spawn?: () => WorkerLike;
  onLoaded?: (bytes: number) => void;
}

/** Runs the face model in a worker, off the main thread. */
export class FaceModel implements FaceSensor {
  readonly engine = 'model';
  readonly #line: WorkerLine<FaceCall, FaceAnswer>;
  #looking = false;

  constructor({ folder, spawn = faceWorker, onLoaded }: ModelOptions) {
    this.#line = new WorkerLine({
      spawn,
      begin: { kind: 'begin', folder },
      ...(onLoaded ? { onLoaded } : {}),
    });
  }

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

/** Runs the speech model in a worker. One stream at a time. */
export class VoiceModel implements SpeechListener {
  readonly #line: WorkerLine<VoiceCall, VoiceAnswer>;
  #source: SampleSource | null = null;
  #asking = false;

  constructor({ folder, spawn = voiceWorker, onLoaded }: ModelOptions) {
    this.#line = new WorkerLine({
      spawn,
      begin: { kind: 'begin', folder },
      ...(onLoaded ? { onLoaded } : {}),
      onReady: () => this.#listen(),
    });
  }

  open(): Promise<void> {
    return this.#line.open();
  }

  listen(source: SampleSource): void {
    this.#source = source;
    if (this.#line.state === 'ready') this.#listen();
  }

  /**
   * The share of speech frames since the last call; `null` while the model is not running.
   */
  async speechShare(): Promise<number | null> {
    if (this.#line.state !== 'ready' || this.#asking || this.#source === null) return null;
    this.#asking = true;
    try {
      const counts = await this.#line.call({ kind: 'counts' });
      return counts === null || counts.frames === 0 ? null : counts.speech / counts.frames;
    } catch {
      return null;
    } finally {
      this.#asking = false;
    }
  }

  close(): void {
    this.#line.close();
  }

  #listen(): void {
    if (this.#source === null) return;
    const samples = this.#source.connect();
    const call: VoiceCall = { kind: 'listen', samples, rateHz: this.#source.rateHz };
    void this.#line.call(call, [samples]).catch(() => undefined);
  }
}

function voiceWorker(): WorkerLike {
  return new Worker(new URL('./voice-worker.ts', import.meta.url), {
    type: 'module',
    name: 'voice',
  });
}
