import { LONG_DARK_MS } from '@invigil/core/domain/violation-types';
import type { CannotTell, FaceReport } from '../detectors/sensor-reports.ts';
import { Episode } from './episode.ts';
import { type Finding, finding } from './finding.ts';
import { type FacesInView, StillFaces } from './still-faces.ts';

export interface FaceRules {
  /** Milliseconds between two checks. */
  everyMs: number;
  /** Consecutive misses that make a violation. */
  misses: number;
  cooldownMs: number;
  /** The person's face may be partly covered, an accommodation: an absence is noted and never counts. */
  faceCovered?: boolean;
}

type FaceFlag =
  | 'multiple_faces'
  | 'looking_away'
  | 'camera_dark'
  | 'camera_covered'
  | 'frozen_camera'
  | 'still_face';

/** Where this person looks when they look at the screen, in degrees. */
export interface Pose {
  yaw: number;
  pitch: number;
}

/** What the status box says. */
export type FaceShown = 'starting' | 'ok' | 'not-detected' | 'cannot-tell';

/** Cameras need a moment for light and focus: nothing is said about faces in these milliseconds. */
const WARM_UP_MS = 3_000;
/** Without a check for so long nothing that was seen before is continued. */
const GAP_MS = 5_000;
/** The screen says what is seen from this miss on: a warning before anything counts (product 11). */
const WARN_AT_MISSES = 2;
/** One absence is one violation, and one more after each so many milliseconds of it. */
const AGAIN_MS = 60_000;
/** Of a face that may be covered, found now and then, at most so often one is noted. */
const COVERED_COOLDOWN_MS = 60_000;
/** A hair beyond the server's cool-down, which measures by its own clock. */
const COOLDOWN_MARGIN_MS = 250;
/**
 * A miss more than so many looks after the last one begins a new row. In looks, not in time: on a slow machine
 * each may take seconds.
 */
const STALE_LOOKS = 3;
/** Looking away: degrees from the baseline that frontal faces do not reach, for this long. */
const AWAY_YAW_DEGREES = 10;
const AWAY_PITCH_DEGREES = 8;
const AWAY_MS = 5_000;
/** A live picture always rustles; one that does not for these checks is a still. */
const FROZEN_BELOW = 0.2;
const FROZEN_CHECKS = 5;
const UNUSABLE_CHECKS = 5;
/** Nothing to judge for so long is no hiccup: a dark room, no picture, detectors that do not come. */
const BLIND_MS = LONG_DARK_MS;
/** What it is when no one can tell for so long; a cover has a flag of its own that comes at once. */
const BLIND_TYPES: Partial<Record<CannotTell, 'camera_dark' | 'camera_lost'>> = {
  dark: 'camera_dark',
  'no-frame': 'camera_lost',
  'not-loaded': 'camera_lost',
  slow: 'camera_lost',
  blurred: 'camera_lost',
  unsure: 'camera_lost',
};
/** The baseline is the middle of the first poses, where the device check left none. */
const BASELINE_LOOKS = 5;

/**
 * Turns looks at the picture into findings. Time comes in with each look; it has no clock. What
 * cannot be told is never a miss, and ends no row of misses unless the row has gone stale.
 */
export class FaceDebouncer {
  readonly #rules: FaceRules;
  readonly #flags: Record<FaceFlag, Episode>;
  readonly #missCooldownMs: number;
  readonly #stillFaces = new StillFaces();
  #baseline: Pose | null;
  #poses: Pose[] = [];
  #beganAt: number | null = null;
  #lastAt: number | null = null;
  #misses = 0;
  #missingSince = 0;
  /** The absence that continues has counted; it ends when someone is seen. */
  #hasCounted = false;
  #looksSinceMiss = 0;
  #raisedAt = Number.NEGATIVE_INFINITY;
  #awaySince: number | null = null;
  #blind: { type: 'camera_dark' | 'camera_lost'; since: number; told: boolean } | null = null;
  #shown: FaceShown = 'starting';

  constructor(rules: FaceRules, baseline: Pose | null = null) {
    this.#rules = rules;
    this.#baseline = baseline;
    const { cooldownMs } = rules;
    this.#missCooldownMs = rules.faceCovered
      ? Math.max(cooldownMs, COVERED_COOLDOWN_MS)
      : cooldownMs;
    const steady = { needs: UNUSABLE_CHECKS, of: UNUSABLE_CHECKS, cooldownMs };
    this.#flags = {
      multiple_faces: new Episode({ needs: 2, of: 3, cooldownMs }),
      looking_away: new Episode({ needs: 1, of: 3, cooldownMs }),
      camera_dark: new Episode(steady),
      camera_covered: new Episode(steady),
      frozen_camera: new Episode({ needs: FROZEN_CHECKS, of: FROZEN_CHECKS, cooldownMs }),
      still_face: new Episode({ needs: 1, of: 3, cooldownMs }),
    };
  }

  get shown(): FaceShown {
    return this.#shown;
  }

  /** Another stream: the camera warms up again. Cool-downs and the baseline stay. */
  restart(): void {
    this.#beganAt = null;
    this.#forget();
    this.#shown = 'starting';
  }

  /**
   * The server did not count what was raised, because of a cool-down that this page knows nothing of:
   * the absence may still count, once our own is over.
   */
  notCounted(): void {
    // Of a face that may be covered none ever counts: one note for each absence is enough.
    if (!this.#rules.faceCovered) this.#hasCounted = false;
  }

  /** One look; `at` in milliseconds, growing. */
  check(given: FaceReport, at: number): Finding[] {
    const report = this.#rules.faceCovered ? withoutUnsure(given) : given;
    if (this.#lastAt !== null && at - this.#lastAt > Math.max(GAP_MS, 3 * this.#rules.everyMs)) {
      this.#forget();
    }
    this.#lastAt = at;
    this.#beganAt ??= at;
    this.#learn(report);
    if (at - this.#beganAt < WARM_UP_MS) {
      if (report.verdict !== 'no') this.#shown = shownFor(report);
      return [];
    }
    const found = [...this.#blindness(report, at), ...this.#miss(report, at)];
    const seen = sightOf(report);
    for (const [type, is] of this.#seen(report, at)) {
      if (this.#flags[type].look(is, at)) found.push(finding(type, at, seen));
    }
    return found;
  }

  #miss(report: FaceReport, at: number): Finding[] {
    const { everyMs, misses, faceCovered } = this.#rules;
    this.#looksSinceMiss += 1;
    if (report.verdict === 'cannot-tell') {
      this.#shown = shownFor(report);
      return [];
    }
    if (report.verdict === 'yes') {
      this.#misses = 0;
      this.#hasCounted = false;
      this.#shown = 'ok';
      return [];
    }
    const stale = this.#looksSinceMiss > STALE_LOOKS;
    this.#looksSinceMiss = 0;
    // In the cool-down misses are seen, and none is saved up for its end.
    if (!this.#hasCounted && at - this.#raisedAt < this.#missCooldownMs + COOLDOWN_MARGIN_MS) {
      this.#misses = 0;
      this.#shown = 'not-detected';
      return [];
    }
    if (this.#hasCounted && faceCovered) {
      this.#shown = 'not-detected';
      return [];
    }
    this.#misses = stale ? 1 : this.#misses + 1;
    if (this.#misses === 1 && !this.#hasCounted) this.#missingSince = at;
    const counts = this.#hasCounted ? Math.max(misses, Math.ceil(AGAIN_MS / everyMs)) : misses;
    if (this.#hasCounted || this.#misses >= Math.min(WARN_AT_MISSES, misses)) {
      this.#shown = 'not-detected';
    }
    if (this.#misses < counts) return [];
    this.#misses = 0;
    this.#hasCounted = true;
    this.#raisedAt = at;
    const durationMs = at - this.#missingSince;
    return [finding('face_not_detected', at, { ...sightOf(report), durationMs })];
  }

  /** That no one can tell accuses of nothing, but it is recorded, once each time (product 6). */
  #blindness({ reason }: FaceReport, at: number): Finding[] {
    const type = reason === null ? null : (BLIND_TYPES[reason] ?? null);
    if (type !== this.#blind?.type) this.#blind = type && { type, since: at, told: false };
    if (this.#blind === null || this.#blind.told || at - this.#blind.since < BLIND_MS) return [];
    this.#blind.told = true;
    const durationMs = at - this.#blind.since;
    return [finding(this.#blind.type, at, { notes: reason, durationMs })];
  }

  #seen(report: FaceReport, at: number): [FaceFlag, boolean | null][] {
    const { verdict, reason, faces, boxes, motion } = report;
    // Black stands still as well: a light that goes out is no film played again and again.
    const isUnlit = reason === 'dark' || reason === 'covered';
    const frozen = motion === null || isUnlit ? null : motion < FROZEN_BELOW;
    // Looking at one still picture again confirms nothing that was seen in it.
    const again = frozen === true;
    const view = faces === null || again ? null : this.#stillFaces.look(boxes);
    return [
      ['multiple_faces', view && severalPeople(view)],
      ['still_face', view && view.still > 0 && view.moving + view.unknown === 0],
      ['looking_away', this.#away(again ? null : report, at)],
      ['camera_dark', verdict === 'cannot-tell' ? reason === 'dark' : false],
      ['camera_covered', verdict === 'cannot-tell' ? reason === 'covered' : false],
      ['frozen_camera', frozen],
    ];
  }

  #away(report: FaceReport | null, at: number): boolean | null {
    const { yaw, pitch } = report ?? { yaw: null, pitch: null };
    if (yaw === null || pitch === null || this.#baseline === null) {
      // A turned head is lost to the detector sooner or later: that is the miss, not this.
      this.#awaySince = null;
      return null;
    }
    const away =
      Math.abs(yaw - this.#baseline.yaw) > AWAY_YAW_DEGREES ||
      Math.abs(pitch - this.#baseline.pitch) > AWAY_PITCH_DEGREES;
    if (!away) {
      this.#awaySince = null;
      return false;
    }
    this.#awaySince ??= at;
    return at - this.#awaySince >= AWAY_MS;
  }

  #learn({ yaw, pitch }: FaceReport): void {
    if (this.#baseline !== null || yaw === null || pitch === null) return;
    this.#poses.push({ yaw, pitch });
    if (this.#poses.length === BASELINE_LOOKS) this.#baseline = middlePose(this.#poses);
  }

  #forget(): void {
    this.#misses = 0;
    this.#awaySince = null;
    this.#blind = null;
    this.#stillFaces.forget();
    for (const flag of Object.values(this.#flags)) flag.forget();
  }
}

/** A picture on the wall is no one; of a face that has just come no one can tell yet. */
function severalPeople({ moving, unknown }: FacesInView): boolean | null {
  if (moving > 1) return true;
  return moving + unknown > 1 ? null : false;
}

/** The pose in the middle, each direction for itself: one odd look does not move it. */
export function middlePose(poses: readonly Pose[]): Pose | null {
  const middle = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1];
  const yaw = middle(poses.map((pose) => pose.yaw));
  const pitch = middle(poses.map((pose) => pose.pitch));
  return yaw === undefined || pitch === undefined ? null : { yaw, pitch };
}

/** A covered face is often somebody of whom the detector is not sure: that is no blindness. */
function withoutUnsure(report: FaceReport): FaceReport {
  return report.reason === 'unsure' ? { ...report, reason: null } : report;
}

function shownFor({ verdict, reason }: FaceReport): FaceShown {
  if (verdict === 'yes') return 'ok';
  if (verdict === 'no') return 'not-detected';
  return reason === 'not-loaded' ? 'starting' : 'cannot-tell';
}

/** The look in numbers, and whose look it was. */
function sightOf({ engine, faces, brightness, yaw, pitch }: FaceReport) {
  const parts: string[] = [];
  if (faces !== null) parts.push(`faces: ${faces}`);
  if (brightness !== null) parts.push(`brightness: ${Math.round(brightness)}`);
  if (yaw !== null && pitch !== null) {
    parts.push(`yaw: ${Math.round(yaw)}`, `pitch: ${Math.round(pitch)}`);
  }
  return { engine, notes: parts.length === 0 ? null : parts.join(', ') };
}
