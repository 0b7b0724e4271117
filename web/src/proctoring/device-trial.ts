import { attemptEngines, attemptMonitor } from './attempt-monitor.ts';
import { middlePose, type Pose } from './detection/face-debouncer.ts';
import { shownLevel } from './detection/sound-level.ts';
import type { FaceReport, SoundReport } from './detectors/sensor-reports.ts';
import { storedPose } from './stored-pose.ts';
import { watchStream } from './stream-watch.ts';

/** What the device check has found so far. */
export interface TrialFindings {
  /** A face was seen in some looks in a row. */
  faceFound: boolean;
  /** Why nothing can be told of the last picture; `null` where it can. */
  cannotTell: FaceReport['reason'];
  /** More than one person was seen in the last look. */
  crowd: boolean;
  /** Someone spoke: found by the model, or by the level where no model listens. */
  spoken: boolean;
  /** The level of what was spoken, on the scale of the status box. */
  spokenLevel: number | null;
}

const NOTHING_FOUND: TrialFindings = {
  faceFound: false,
  cannotTell: null,
  crowd: false,
  spoken: false,
  spokenLevel: null,
};

const LOOK_EVERY_MS = 1_000;
const LOOKS_WITH_FACE = 2;
const POSES = 5;
/** A third of a second of speech, or a level that is twice what turns red, is a sentence begun. */
const SPEECH_INTERVALS = 2;
const SPEECH_SHARE = 0.5;
const SPOKEN_LEVEL = 20;

/** The device check as it continues; pure, fed with looks and sounds. */
export class Trial {
  #findings = NOTHING_FOUND;
  #looks = 0;
  #speech = 0;
  readonly #poses: Pose[] = [];
  #lastLook: FaceReport | null = null;
  #lastSound: SoundReport | null = null;

  get findings(): TrialFindings {
    return this.#findings;
  }

  /** Where the person looks, once it is known. */
  get pose(): Pose | null {
    return this.#poses.length < POSES ? null : middlePose(this.#poses);
  }

  look(report: FaceReport): void {
    this.#lastLook = report;
    this.#looks = report.verdict === 'yes' ? this.#looks + 1 : 0;
    const { yaw, pitch, faces } = report;
    if (yaw !== null && pitch !== null && this.#poses.length < POSES) {
      this.#poses.push({ yaw, pitch });
    }
    this.#findings = {
      ...this.#findings,
      faceFound: this.#findings.faceFound || this.#looks >= LOOKS_WITH_FACE,
      cannotTell: report.reason,
      crowd: faces !== null && faces > 1,
    };
  }

  hear(report: SoundReport, floorDb: number | null): void {
    this.#lastSound = report;
    if (floorDb === null) return;
    const level = shownLevel(report.levelDb, floorDb);
    const spoke =
      report.speech === null ? level >= SPOKEN_LEVEL : report.speech >= SPEECH_SHARE && level > 0;
    this.#speech = spoke ? this.#speech + 1 : 0;
    if (this.#speech < SPEECH_INTERVALS) return;
    const spokenLevel = Math.max(level, this.#findings.spokenLevel ?? 0);
    this.#findings = { ...this.#findings, spoken: true, spokenLevel };
  }

  /** For the record of the attempt. */
  report(): Record<string, string | number | boolean | null> {
    const { faceFound, spoken, spokenLevel } = this.#findings;
    const look = this.#lastLook;
    return {
      faceFound,
      faces: look?.faces ?? null,
      faceEngine: look?.engine ?? null,
      faceMs: look === null ? null : Math.round(look.tookMs),
      brightness: look?.brightness == null ? null : Math.round(look.brightness),
      baselineYaw: this.pose === null ? null : Math.round(this.pose.yaw),
      baselinePitch: this.pose === null ? null : Math.round(this.pose.pitch),
      spoken,
      spokenLevel,
      soundEngine: this.#lastSound?.engine ?? null,
    };
  }
}

/** Runs the check on the monitor's devices until the signal aborts; `onChange` after each finding. */
export function runTrial(onChange: (findings: TrialFindings) => void, signal: AbortSignal): Trial {
  const trial = new Trial();
  let known = trial.findings;
  const tell = () => {
    if (trial.findings === known) return;
    known = trial.findings;
    onChange(known);
  };
  const stopHearing = attemptMonitor.hearSound((report, floorDb) => {
    trial.hear(report, floorDb);
    tell();
  });
  let stream: MediaStream | null = null;
  let looking = new AbortController();
  const follow = () => {
    const { camera } = attemptMonitor.getSnapshot();
    const now = camera.kind === 'granted' ? camera.stream : null;
    if (now === stream || signal.aborted) return;
    stream = now;
    looking.abort();
    if (now === null) return;
    looking = new AbortController();
    watchStream(
      now,
      {
        sensor: () => attemptEngines.here?.face ?? null,
        onPicture: () => undefined,
        onReport: (report) => {
          trial.look(report);
          if (trial.pose !== null) storedPose.write(trial.pose);
          // One look is not yet a face: the box says nothing else than the list beside it.
          const isSure = trial.findings.faceFound || report.verdict !== 'yes';
          attemptMonitor.sayFace(isSure ? faceWord(report) : 'starting');
          tell();
        },
      },
      LOOK_EVERY_MS,
      AbortSignal.any([signal, looking.signal]),
    );
  };
  const stopFollowing = attemptMonitor.subscribe(follow);
  signal.addEventListener('abort', () => {
    stopHearing();
    stopFollowing();
  });
  follow();
  return trial;
}

function faceWord({ verdict, reason }: FaceReport) {
  if (verdict === 'yes') return 'ok';
  if (verdict === 'no') return 'not-detected';
  return reason === 'not-loaded' ? 'starting' : 'cannot-tell';
}
