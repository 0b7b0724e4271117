import { attemptEngines, attemptMonitor, storedPose } from './attempt-monitor.ts';
import { type FaceShown, middlePose, type Pose, shownFor } from './detection/face-debouncer.ts';
import type { FaceReport, NoSound, SoundReport } from './detectors/sensor-reports.ts';
import { SILENCE_DB, shownLevel } from './detectors/sound-level.ts';
import { watchCamera } from './face-watch.ts';
import { onStream } from './follow-device.ts';

export interface TrialResult {
  /** A face was seen in enough samples in a row. */
  faceFound: boolean;
  /** Why the last picture is inconclusive; `null` where it is not. */
  cannotTell: FaceReport['reason'];
  /** The last sample shows more than one person. */
  severalPeople: boolean;
  /** Why the sound cannot be measured; `silent` for nothing but digital silence. */
  noSound: NoSound | 'silent' | null;
  /** Someone spoke: detected by the model, or by the level where no model runs. */
  spoken: boolean;
  /** The level of the speech, on the scale of the status box. */
  spokenLevel: number | null;
}

const NOTHING_FOUND: TrialResult = {
  faceFound: false,
  cannotTell: null,
  severalPeople: false,
  noSound: null,
  spoken: false,
  spokenLevel: null,
};

const SAMPLE_EVERY_MS = 1_000;
const SAMPLES_WITH_FACE = 2;
const POSES = 5;
/** A third of a second of speech, or twice the level that turns red, counts as a spoken sentence. */
const SPEECH_INTERVALS = 2;
const SPEECH_SHARE = 0.5;
const SPOKEN_LEVEL = 20;
/** Digital silence for this many intervals, about six seconds: most microphones never deliver it. */
const SILENT_INTERVALS = 20;

/** Samples in which a camera may be without a picture after it was switched on. */
const SAMPLES_TO_START = 5;

/** State of the device check: pure, fed with face and sound reports. */
export class Trial {
  #result = NOTHING_FOUND;
  #samplesWithFace = 0;
  /** Counted until there is a picture. */
  #samplesWithout = 0;
  #hasPicture = false;
  #speech = 0;
  #silent = 0;
  readonly #poses: Pose[] = [];
  #lastFace: FaceReport | null = null;
  #lastSound: SoundReport | null = null;

  get result(): TrialResult {
    return this.#result;
  }

  /** The head pose, once enough samples are in. */
  get pose(): Pose | null {
    return this.#poses.length < POSES ? null : middlePose(this.#poses);
  }

  /** The status box, which must agree with the list beside it. */
  get shown(): FaceShown {
    const face = this.#lastFace;
    const isStarting = !this.#hasPicture && this.#samplesWithout <= SAMPLES_TO_START;
    // One sample is not yet a face.
    if (face === null || isStarting) return 'starting';
    return face.verdict === 'yes' && !this.#result.faceFound ? 'starting' : shownFor(face);
  }

  addFace(report: FaceReport): void {
    this.#lastFace = report;
    if (report.reason !== 'no-frame') this.#hasPicture = true;
    else if (!this.#hasPicture) this.#samplesWithout += 1;
    this.#samplesWithFace = report.verdict === 'yes' ? this.#samplesWithFace + 1 : 0;
    const { yaw, pitch, faces } = report;
    if (yaw !== null && pitch !== null && this.#poses.length < POSES) {
      this.#poses.push({ yaw, pitch });
    }
    this.#result = {
      ...this.#result,
      faceFound: this.#result.faceFound || this.#samplesWithFace >= SAMPLES_WITH_FACE,
      cannotTell: report.reason,
      severalPeople: faces !== null && faces > 1,
    };
  }

  addSound(report: SoundReport, floorDb: number | null): void {
    this.#lastSound = report;
    const { levelDb, reason } = report;
    this.#silent = levelDb === SILENCE_DB ? this.#silent + 1 : 0;
    const noSound = reason ?? (this.#silent >= SILENT_INTERVALS ? 'silent' : null);
    if (noSound !== this.#result.noSound) this.#result = { ...this.#result, noSound };
    if (levelDb === null || floorDb === null) return;
    const level = shownLevel(levelDb, floorDb);
    const spoke =
      report.speech === null ? level >= SPOKEN_LEVEL : report.speech >= SPEECH_SHARE && level > 0;
    this.#speech = spoke ? this.#speech + 1 : 0;
    if (this.#speech < SPEECH_INTERVALS) return;
    const spokenLevel = Math.max(level, this.#result.spokenLevel ?? 0);
    this.#result = { ...this.#result, spoken: true, spokenLevel };
  }

  report(): Record<string, string | number | boolean | null> {
    const { faceFound, spoken, spokenLevel } = this.#result;
    const face = this.#lastFace;
    return {
      faceFound,
      faces: face?.faces ?? null,
      faceEngine: face?.engine ?? null,
      faceCannotTell: this.#result.cannotTell,
      faceMs: face === null ? null : Math.round(face.tookMs),
      brightness: face?.brightness == null ? null : Math.round(face.brightness),
      baselineYaw: this.pose === null ? null : Math.round(this.pose.yaw),
      baselinePitch: this.pose === null ? null : Math.round(this.pose.pitch),
      spoken,
      spokenLevel,
      soundEngine: this.#lastSound?.engine ?? null,
      soundCannotTell: this.#result.noSound,
    };
  }
}

/** Runs the check on the monitor's devices until the signal aborts; `onChange` after each change. */
export function runTrial(onChange: (result: TrialResult) => void, signal: AbortSignal): Trial {
  const trial = new Trial();
  let known = trial.result;
  const report = () => {
    if (trial.result === known) return;
    known = trial.result;
    onChange(known);
  };
  const stopSound = attemptMonitor.onSound((sound, floorDb) => {
    trial.addSound(sound, floorDb);
    report();
  });
  onStream(attemptMonitor, 'camera', signal, (stream, live) => {
    watchCamera(
      stream,
      {
        sensor: () => attemptEngines.face,
        onPicture: () => undefined,
        onReport: (face) => {
          trial.addFace(face);
          if (trial.pose !== null) storedPose.write(trial.pose);
          attemptMonitor.showFace(trial.shown);
          report();
        },
      },
      SAMPLE_EVERY_MS,
      live,
    );
  });
  signal.addEventListener('abort', stopSound);
  return trial;
}
