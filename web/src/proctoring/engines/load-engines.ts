import type { FaceSensor, SoundReport } from '../detectors/sensor-reports.ts';
import { watchSound } from '../sensors/sound.ts';
import { BasicFace } from './basic-face.ts';
import { detectorFiles } from './detector-files.ts';
import { FaceModel } from './face-model.ts';
import { FaceSensorWithFallback } from './face-sensor.ts';
import { VoiceModel } from './voice-model.ts';

/** Which engines are needed. */
export interface LoadWishes {
  face: boolean;
  voice: boolean;
  /** Share of the bytes that have arrived, 0 to 1; 1 a moment before the engines are ready. */
  onProgress?: (share: number) => void;
}

/** The engines of this page. */
export interface Engines {
  /** When what was asked for is loaded or given up; never rejects. */
  readonly ready: Promise<void>;
  readonly face: FaceSensor;
  /** Tells level and speech of a stream every `everyMs` until the signal aborts; one at a time. */
  listen(
    stream: MediaStream,
    everyMs: number,
    onSound: (report: SoundReport) => void,
    signal: AbortSignal,
  ): void;
  close(): void;
}

let loaded: { wishes: Pick<LoadWishes, 'face' | 'voice'>; engines: Engines } | null = null;

/**
 * Starts loading the engines, from our own server only, and gives them at once: each tells by itself
 * whether it is ready. A second call with the same wishes gives the same engines.
 */
export function loadEngines({ face, voice, onProgress }: LoadWishes): Engines {
  if (loaded !== null) {
    if (loaded.wishes.face === face && loaded.wishes.voice === voice) {
      void loaded.engines.ready.then(() => onProgress?.(1));
      return loaded.engines;
    }
    loaded.engines.close();
  }
  const { faceModel, voiceModel } = models(onProgress ?? (() => undefined), { face, voice });
  const sensor = new FaceSensorWithFallback(faceModel, () => new BasicFace());
  const engines: Engines = {
    ready: Promise.all([
      ...(face ? [faceModel.open()] : []),
      ...(voice ? [voiceModel.open()] : []),
    ]).then(() => onProgress?.(1)),
    face: sensor,
    listen: (stream, everyMs, onSound, signal) =>
      watchSound(stream, everyMs, voice ? voiceModel : null, onSound, signal),
    close() {
      sensor.close();
      voiceModel.close();
      if (loaded?.engines === engines) loaded = null;
    },
  };
  loaded = { wishes: { face, voice }, engines };
  return engines;
}

function models(onProgress: (share: number) => void, wanted: { face: boolean; voice: boolean }) {
  const { face, voice } = detectorFiles;
  const bytes = (wanted.face ? face.bytes : 0) + (wanted.voice ? voice.bytes : 0);
  const arrived = { face: 0, voice: 0 };
  const count = (which: keyof typeof arrived) => (loadedBytes: number) => {
    // A worker that is begun again loads again, from the browser's cache.
    arrived[which] = Math.max(arrived[which], loadedBytes);
    onProgress(Math.min(1, (arrived.face + arrived.voice) / bytes));
  };
  return {
    faceModel: new FaceModel({ folder: face.folder, onLoaded: count('face') }),
    voiceModel: new VoiceModel({ folder: voice.folder, onLoaded: count('voice') }),
  };
}
