import type { FaceReport, SoundReport } from '../proctoring/detectors/sensor-reports.ts';

/** A report of one face that looks into the camera. */
export const FACE: FaceReport = {
  verdict: 'yes',
  reason: null,
  faces: 1,
  boxes: [],
  yaw: 0,
  pitch: 0,
  brightness: 120,
  motion: 3,
  engine: 'model',
  tookMs: 40,
};
export const NO_FACE: FaceReport = { ...FACE, verdict: 'no', faces: 0, yaw: null, pitch: null };
export const DARK: FaceReport = { ...NO_FACE, verdict: 'cannot-tell', reason: 'dark', faces: null };

/** A report of this level, with a share of speech where there is a model. */
export const sound = (levelDb: number | null, speech: number | null): SoundReport => ({
  levelDb,
  speech,
  engine: speech === null ? 'level' : 'model',
  reason: null,
});
