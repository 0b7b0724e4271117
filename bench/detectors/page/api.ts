import type { FaceReport } from '../../../web/src/proctoring/detectors/sensor-reports.ts';

/** How a picture is changed before the detectors see it. */
export interface Variation {
  name: string;
  /** Every channel is multiplied by this. */
  light: number;
  /** The picture is drawn this large ... */
  scale: number;
  /** ... and moved to the right by this many pixels, on an even grey. */
  shift: number;
  /** Standard deviation of the noise, of 255. */
  noise: number;
  /** Dark specks of 6 × 6 pixels, as a poor line leaves them. */
  specks: number;
  /** Moved up by this many pixels. */
  up?: number;
  /** Turned by this many degrees. */
  roll?: number;
  /** Out of focus: standard deviation of the blur, pixels. */
  blur?: number;
  /** A surgical mask over the lower half of the face, as far as a drawing is one. */
  mask?: boolean;
  /** A sheet of paper before the lens, of this brightness, instead of everything else. */
  sheet?: number;
  /** The picture hangs on the wall behind another picture (base64) and is this high, pixels. */
  hung?: { room: string; height: number };
  /** Another seed makes other noise. */
  seed?: number;
}

/** What both judges said about one picture. */
export interface Look {
  report: FaceReport;
  seed: boolean;
}

/** One part of a sound. */
export interface Part {
  /** A file of the media, base64; or what is made here. */
  wav?: string;
  made?: 'white' | 'pink' | 'chord';
  gainDb: number;
}

/** One interval of a sound, as the shipped sensor told it, and the seed's number for it. */
export interface Heard {
  levelDb: number;
  speech: number | null;
  /** Mean of the analyser's bytes, 0 to 255. */
  seedLevel: number;
}

/** What the page offers to the benchmark. */
export interface DetectorsPage {
  /** Loads both engines; how long that took. */
  load(): Promise<{ ms: number; engine: string; lastProgress: number }>;
  look(jpeg: string, variation: Variation): Promise<Look>;
  hear(parts: Part[], ms: number): Promise<Heard[]>;
  /** Looks at the same picture so often: milliseconds of each, and how many took too long. */
  lookOften(jpeg: string, times: number): Promise<{ took: number[]; failed: number }>;
  /** Monitors camera and microphone as an attempt does; how many checks and sound reports came. */
  monitor(ms: number): Promise<{ checks: number; sounds: number; model: number }>;
}

declare global {
  interface Window {
    detectors: DetectorsPage;
  }
}
