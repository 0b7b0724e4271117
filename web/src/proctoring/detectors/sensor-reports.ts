/**
 * What the sensors tell the monitor. How it uses them:
 *
 *     const { loadEngines } = await import('../engines/load-engines.ts');   // never statically: size
 *     const engines = loadEngines({ face: true, voice: true, onProgress }); // at once, loads beside
 *     await engines.ready;                                                  // never rejects
 *     const frame = await grab();                    // frameGrabber(video) of sensors/frame-grabber.ts
 *     if (frame) await engines.face.check(frame);
 *     engines.listen(stream, everyMs, (report: SoundReport) => …, signal);  // may be called at once
 *     engines.close();                                                      // at the end
 *
 * Until `ready` a face check says `not-loaded` and sound reports have the engine `level`. What could
 * not be loaded judges as `basic` or `level` for good. A second `loadEngines` gives the same engines.
 * Without loadEngines (the module itself could not be fetched) `watchSound` of sensors/sound.ts with
 * `null` for the model gives the level. `check` takes the frame over and closes it.
 */

/** Which engine judged; a reviewer sees it beside every violation. */
export type FaceEngine = 'model' | 'basic';
export type SoundEngine = 'model' | 'level';

/** Why no one can tell whether a face is there. */
export type CannotTell =
  | 'dark'
  | 'covered'
  | 'blurred'
  /** A second look saw someone: at the edge, with the head on one side, or in too little light. */
  | 'unsure'
  | 'no-frame'
  | 'not-loaded'
  | 'slow';

export type FaceBox = readonly [left: number, top: number, width: number, height: number];

/** What one look at the camera's picture found. */
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
  /** Mean of the grey picture, 0 to 255. */
  brightness: number | null;
  /** Mean difference to the picture before, 0 to 255 of grey; 0 for a still picture. */
  motion: number | null;
  engine: FaceEngine;
  /** Milliseconds that the look took. */
  tookMs: number;
}

/** Judges pictures. One check at a time; never rejects: what went wrong is a reason in the report. */
export interface FaceSensor {
  readonly engine: FaceEngine;
  check(frame: ImageBitmap): Promise<FaceReport>;
  close(): void;
}

/** What one interval of sound was. */
export interface SoundReport {
  /** Decibels, full scale is 0: root mean square over every sample of the interval. */
  levelDb: number;
  /**
   * Share of the frames that are speech, 0 to 1, one interval late; `null` where no model listened.
   */
  speech: number | null;
  engine: SoundEngine;
}
