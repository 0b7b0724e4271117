import type { FaceSensor, SoundReport } from '../detectors/sensor-reports.ts';
import { watchSound } from '../sensors/sound.ts';
import { BasicFace, FaceSensorWithFallback } from './basic-face.ts';
import { detectorFiles } from './detector-files.ts';
import { FaceModel } from './face-model.ts';
import { VoiceModel } from './voice-model.ts';

/** Which engines are needed. */
export interface LoadOptions {
  face: boolean;
  voice: boolean;
  /** Share of the bytes loaded, 0 to 1; 1 shortly before the engines are ready. */
  onProgress?: (share: number) => void;
}

/** The page's engines. */
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

let loaded: { options: Pick<LoadOptions, 'face' | 'voice'>; engines: Engines } | null = null;

/**
 * Starts loading the engines, from our own server only, and returns them at once; each exposes its
 * own state. A second call with the same options returns the same engines.
 */
export function loadEngines({ face, voice, onProgress }: LoadOptions): Engines {
  if (loaded !== null) {
    if (loaded.options.face === face && loaded.options.voice === voice) {
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
  loaded = { options: { face, voice }, engines };
  return engines;
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
