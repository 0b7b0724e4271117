import type { FaceReport } from '../../../web/src/proctoring/detectors/sensor-reports.ts';

/** Changes to a picture before the detectors get it. */
export interface Variation {
  name: string;
  /** Factor for every channel. */
  light: number;
  /** Scale of the picture ... */
  scale: number;
  /** ... moved to the right by this many pixels, on a plain gray background. */
  shift: number;
  /** Standard deviation of the noise, out of 255. */
  noise: number;
  /** Dark specks of 6 × 6 pixels, like compression artifacts. */
  specks: number;
  /** Moved up by this many pixels. */
  up?: number;
  /** Turned by this many degrees. */
  roll?: number;
  /** Out of focus: standard deviation of the blur, pixels. */
  blur?: number;
  /** A drawn surgical mask over the lower half of the face. */
  mask?: boolean;
  /** A sheet of paper of this brightness in front of the lens. */
  sheet?: number;
  /** The picture hangs on the wall of another picture (base64), this many pixels high. */
  hung?: { room: string; height: number };
  seed?: number;
}

export interface PictureResult {
  report: FaceReport;
  specification: boolean;
}

export interface Part {
  /** A media file, base64; or a generated sound. */
  wav?: string;
  made?: 'white' | 'pink' | 'chord';
  gainDb: number;
}

/** One interval of a sound: the report of the shipped sensor, and the specification's level. */
export interface SoundReport {
  levelDb: number;
  speech: number | null;
  /** Mean of the analyser's bytes, 0 to 255. */
  specificationLevel: number;
}

export interface DetectorsPage {
  /** Loads both engines; returns how long that took. */
  load(): Promise<{ ms: number; engine: string }>;
  check(jpeg: string, variation: Variation): Promise<PictureResult>;
  listen(parts: Part[], ms: number): Promise<SoundReport[]>;
  /** Checks the same picture repeatedly; returns the milliseconds of each. */
  checkOften(jpeg: string, times: number): Promise<number[]>;
  /** Monitors camera and microphone as an attempt does; returns the number of checks, and of those by the model. */
  monitor(ms: number): Promise<{ checks: number; model: number }>;
}

declare global {
  interface Window {
    detectors: DetectorsPage;
  }
}
