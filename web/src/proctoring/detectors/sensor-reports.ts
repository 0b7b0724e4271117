/**
 * Reports of the sensors to the monitor. Usage:
 *
 *     const { loadEngines } = await import('../engines/load-engines.ts');   // never statically: size
 *     const engines = loadEngines({ face: true, voice: true, onProgress }); // returns at once
 *     await engines.ready;                                                  // never rejects
 *     const frame = await grab();                    // frameGrabber(video) of sensors/frame-grabber.ts
 *     if (frame) await engines.face.check(frame);
 *     engines.listen(stream, everyMs, (report: SoundReport) => …, signal);  // may be called at once
 *     engines.close();                                                      // at the end
 *
 * Until `ready` a face check reports `not-loaded` and sound reports have the engine `level`. A model
 * that cannot be loaded is replaced by `basic` or `level` for good. `check` takes ownership of the frame
 * and closes it.
 */

/** The engine that ran; shown to reviewers with every violation. */
export type FaceEngine = 'model' | 'basic';
export type SoundEngine = 'model' | 'level';

/** Why a face check is inconclusive. */
export type CannotTell =
  | 'dark'
  | 'covered'
  | 'blurred'
  /** Only the second pass found a face: at the edge, tilted, or in poor light. */
  | 'unsure'
  | 'no-frame'
  | 'not-loaded'
  | 'slow'
  /** A drawn picture does not come back: the browser or an add-on changes pictures. */
  | 'falsified';

/** Why an interval of sound has no level. */
export type NoSound =
  /** The browser's audio stands still, as on a machine without a sound output. */
  | 'no-clock'
  /** A known signal does not come back, or levels are no numbers. */
  | 'falsified'
  /** The same level to the last digit, which no microphone delivers. */
  | 'constant';

export type FaceBox = readonly [left: number, top: number, width: number, height: number];

export interface FaceReport {
  verdict: 'yes' | 'no' | 'cannot-tell';
  /** Set where the verdict is `cannot-tell`. */
  reason: CannotTell | null;
  /** How many faces; `null` where the engine cannot count them. */
  faces: number | null;
  /** Left, top, width and height of each face in the picture, pixels; empty where none is known. */
  boxes: readonly FaceBox[];
  /** Degrees, positive to the person's left and up; `null` without exactly one face or a model. */
  yaw: number | null;
  pitch: number | null;
  /** Mean of the gray picture, 0 to 255. */
  brightness: number | null;
  /** Mean gray difference from the previous picture, 0 to 255; 0 for a frozen picture. */
  motion: number | null;
  engine: FaceEngine;
  /** Duration of the check, milliseconds. */
  tookMs: number;
}

/** Detects faces. One check at a time; never rejects: errors are a reason in the report. */
export interface FaceSensor {
  readonly engine: FaceEngine;
  check(frame: ImageBitmap): Promise<FaceReport>;
  close(): void;
}

export interface SoundReport {
  /**
   * Decibels, full scale is 0: root mean square over every sample of the interval; `null` if it cannot be
   * measured.
   */
  levelDb: number | null;
  /**
   * Share of the frames that are speech, 0 to 1, one interval late; `null` without a model.
   */
  speech: number | null;
  engine: SoundEngine;
  /** Set where there is no level. */
  reason: NoSound | null;
}
