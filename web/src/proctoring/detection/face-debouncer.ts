import { LOWERED_MS } from '@invigil/core/domain/violations/violation-policy';
import { LONG_MS, LOOKING_AWAY } from '@invigil/core/domain/violations/violation-types';
import type { CannotTell, FaceReport } from '../detectors/sensor-reports.ts';
import { type DetectedEvent, detectedEvent } from './detected-event.ts';
import { type FacesInView, StillFaces } from './still-faces.ts';

export interface FaceRules {
  everyMs: number;
  /** Consecutive misses that make a violation. */
  misses: number;
  cooldownMs: number;
  /** Accommodation for a covered face: an absence is recorded and never counts. */
  faceCovered?: boolean | undefined;
  /** Pen and paper are allowed: a lowered head is expected. */
  mayUsePaper?: boolean | undefined;
}

type FaceFlag =
  | 'multiple_faces'
  | 'camera_unjudged'
  | 'looking_away'
  | 'camera_dark'
  | 'camera_covered'
  | 'frozen_camera'
  | 'still_face';

export interface Pose {
  yaw: number;
  pitch: number;
}

/** `lowered`: not in view, because the head is down to write. */
export type FaceShown = 'starting' | 'ok' | 'lowered' | 'not-detected' | 'cannot-tell';

/** Cameras adjust light and focus first: samples in these milliseconds are ignored. */
const WARM_UP_MS = 3_000;
/** After a gap this long between samples, earlier samples are dropped. */
const GAP_MS = 5_000;
/** The screen shows a missing face from this miss on: a warning before anything counts (product 11). */
const WARN_AT_MISSES = 2;
/** One absence is one violation, plus one per further interval of this length. */
const AGAIN_MS = 60_000;
/** At most one absence per interval is recorded for a face that may be covered. */
const COVERED_COOLDOWN_MS = 60_000;
/** Margin over the server's cool-down, which the server measures by its own clock. */
const COOLDOWN_MARGIN_MS = 250;
/**
 * A miss more than this many samples after the last one starts a new sequence. In samples, not in
 * time: on a slow machine each may take seconds.
 */
const STALE_SAMPLES = 3;
/** The poses and boxes before an absence that tell whether the face was lost downwards. */
const LAST_FACES = 3;
/** A head is on its way down from this much below the baseline … */
const LOWERING_DEGREES = 4;
/** … or where its box has sunk by this share of its height. */
const LOWERING_SHARE = 0.25;
/** A face lost downwards is shown as missing only this long before it can count. */
const LOWERED_WARNING_MS = 10_000;
/** A live picture always has noise; without any for these checks it is frozen. */
const FROZEN_BELOW = 0.2;
const FROZEN_CHECKS = 5;
const UNUSABLE_CHECKS = 5;
/** Inconclusive for this long is not transient: no picture, detectors not loaded, a slow computer. */
const BLIND_MS = 60_000;
type BlindFlag = 'camera_dark' | 'camera_lost' | 'camera_unjudged';
const UNJUDGED = { type: 'camera_unjudged', afterMs: [BLIND_MS, LONG_MS.camera_unjudged] } as const;
/** The flag by reason, and when it is reported; a covered camera has its own flag, raised at once. */
const BLIND: Partial<Record<CannotTell, { type: BlindFlag; afterMs: readonly number[] }>> = {
  dark: { type: 'camera_dark', afterMs: [LONG_MS.camera_dark] },
  'no-frame': { type: 'camera_lost', afterMs: [BLIND_MS] },
  'not-loaded': UNJUDGED,
  slow: UNJUDGED,
  blurred: UNJUDGED,
  unsure: UNJUDGED,
  falsified: { type: 'camera_unjudged', afterMs: [LONG_MS.camera_unjudged] },
};
/** The baseline is the median of this many poses, if the device check gave no pose. */
const BASELINE_POSES = 5;

/**
 * Turns face reports into detected events. Time is a parameter; there is no clock. An inconclusive sample
 * is never a miss, and does not end a sequence of misses until the sequence is stale.
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
  /** The current absence has counted; it ends when a face is seen. */
  #hasCounted = false;
  #samplesSinceMiss = 0;
  #raisedAt = Number.NEGATIVE_INFINITY;
  #awaySince: number | null = null;
  /** Time of looking away beyond glances: at each check, how much was added, milliseconds. */
  #away: { at: number; ms: number }[] = [];
  #blind: { type: BlindFlag; since: number; reportedMs: number } | null = null;
  /** The last faces seen, and whether the head was on its way down in them. */
  #faces: { pitch: number | null; top: number; height: number }[] = [];
  #isLowered = false;
  #loweredSince: number | null = null;
  #shown: FaceShown = 'starting';
  #countsInMs: number | null = null;
  /** Between the last two checks, which a slow computer makes longer; milliseconds. */
  #intervalMs = 0;
  #checks = 0;

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
      camera_unjudged: new Episode(steady),
      frozen_camera: new Episode({ needs: FROZEN_CHECKS, of: FROZEN_CHECKS, cooldownMs }),
      still_face: new Episode({ needs: 1, of: 3, cooldownMs }),
    };
  }

  get shown(): FaceShown {
    return this.#shown;
  }

  /** While a face is shown as missing: how long until it counts, milliseconds; `null`: it does not. */
  get countsInMs(): number | null {
    return this.#shown === 'not-detected' ? this.#countsInMs : null;
  }

  /** The flags that were raised and whose cause has not ended. */
  get lasting(): readonly (FaceFlag | BlindFlag)[] {
    const flags = Object.keys(this.#flags) as FaceFlag[];
    const lasting = flags.filter((type) => this.#flags[type].isActive);
    return this.#blind?.reportedMs ? [...lasting, this.#blind.type] : lasting;
  }

  get checks(): number {
    return this.#checks;
  }

  /** A new stream: the camera warms up again. Cool-downs and the baseline are preserved. */
  restart(): void {
    this.#beganAt = null;
    this.#forget();
    this.#shown = 'starting';
  }

  /**
   * The server did not count the last absence, because of a cool-down unknown to this page: the
   * absence may still count after this page's own cool-down.
   */
  notCounted(): void {
    // No absence counts under this accommodation: one record per absence is enough.
    if (!this.#rules.faceCovered) this.#hasCounted = false;
  }

  /** Adds one sample; `at` in increasing milliseconds. */
  check(given: FaceReport, at: number): DetectedEvent[] {
    this.#checks += 1;
    const sinceLastMs = this.#lastAt === null ? 0 : at - this.#lastAt;
    if (sinceLastMs > Math.max(GAP_MS, 3 * this.#rules.everyMs)) this.#forget();
    this.#lastAt = at;
    this.#intervalMs = Math.max(this.#rules.everyMs, sinceLastMs);
    this.#beganAt ??= at;
    const isExpected = this.#rules.faceCovered || this.#loweredMs(given, at) > 0;
    const report = isExpected ? withoutUnsure(given) : given;
    this.#learn(report);
    if (at - this.#beganAt < WARM_UP_MS) {
      if (report.verdict !== 'no') this.#shown = shownFor(report);
      return [];
    }
    const details = detailsOf(report);
    const found = [...this.#blindness(report, at), ...this.#miss(report, at)];
    for (const [type, is] of this.#seen(report, at)) {
      if (!this.#flags[type].add(is, at)) continue;
      const notes = type === 'camera_unjudged' ? report.reason : details.notes;
      found.push(detectedEvent(type, at, { ...details, notes }));
    }
    const durationMs = this.#addAway(at, sinceLastMs);
    if (durationMs !== null)
      found.push(detectedEvent('looking_away', at, { ...details, durationMs }));
    return found;
  }

  #miss(report: FaceReport, at: number): DetectedEvent[] {
    const { everyMs, misses, faceCovered } = this.#rules;
    this.#samplesSinceMiss += 1;
    this.#countsInMs = null;
    if (report.verdict === 'yes') {
      this.#misses = 0;
      this.#hasCounted = false;
      this.#loweredSince = null;
      this.#shown = 'ok';
      this.#see(report);
      return [];
    }
    // Somebody who writes is reminded only when it is time to look up.
    const loweredMs = this.#loweredMs(report, at);
    const missing = loweredMs > LOWERED_WARNING_MS ? 'lowered' : 'not-detected';
    if (report.verdict === 'cannot-tell' || isRepeatedMiss(report)) {
      // An expected absence is shown as one, so that the server knows that pictures are checked.
      const isExpected = report.verdict === 'cannot-tell' && report.reason === null;
      this.#shown = isExpected ? missing : shownFor({ ...report, verdict: 'cannot-tell' });
      return [];
    }
    const stale = this.#samplesSinceMiss > STALE_SAMPLES;
    this.#samplesSinceMiss = 0;
    const coolMs = this.#raisedAt + this.#missCooldownMs + COOLDOWN_MARGIN_MS - at;
    const waitMs = this.#hasCounted ? 0 : Math.max(coolMs, loweredMs);
    // Misses during the cool-down are shown, but do not carry over to its end.
    if (waitMs > 0) {
      this.#misses = 0;
      const samples = Math.ceil(waitMs / this.#intervalMs) + misses - 1;
      if (!faceCovered) this.#countsInMs = samples * this.#intervalMs;
      this.#shown = missing;
      return [];
    }
    if (this.#hasCounted && faceCovered) {
      this.#shown = 'not-detected';
      return [];
    }
    this.#misses = stale ? 1 : this.#misses + 1;
    if (this.#misses === 1 && !this.#hasCounted) this.#missingSince = this.#loweredSince ?? at;
    const counts = this.#hasCounted ? Math.max(misses, Math.ceil(AGAIN_MS / everyMs)) : misses;
    if (this.#hasCounted || this.#misses >= Math.min(WARN_AT_MISSES, misses)) {
      this.#shown = 'not-detected';
    }
    if (!faceCovered) this.#countsInMs = (counts - this.#misses) * this.#intervalMs;
    if (this.#misses < counts) return [];
    this.#misses = 0;
    this.#countsInMs = null;
    this.#hasCounted = true;
    this.#raisedAt = at;
    // The duration begins at the check before the first miss, as the rule counts.
    const durationMs = at - this.#missingSince + everyMs;
    return [detectedEvent('face_not_detected', at, { ...detailsOf(report), durationMs })];
  }

  /** A long inconclusive period accuses of nothing, but is recorded (product 6). */
  #blindness({ reason }: FaceReport, at: number): DetectedEvent[] {
    const rule = reason === null ? undefined : BLIND[reason];
    if (rule?.type !== this.#blind?.type) {
      this.#blind = rule === undefined ? null : { type: rule.type, since: at, reportedMs: 0 };
    }
    if (this.#blind === null || rule === undefined) return [];
    const { type, since, reportedMs } = this.#blind;
    const durationMs = at - since;
    if (!rule.afterMs.some((ms) => ms > reportedMs && ms <= durationMs)) return [];
    this.#blind.reportedMs = durationMs;
    return [detectedEvent(type, at, { notes: reason, durationMs })];
  }

  #seen(report: FaceReport, at: number): [FaceFlag, boolean | null][] {
    const { verdict, reason, faces, boxes, motion } = report;
    // A black picture has no noise either: darkness is not a frozen camera.
    const isUnlit = reason === 'dark' || reason === 'covered';
    const frozen = motion === null || isUnlit ? null : motion < FROZEN_BELOW;
    // A repeat of the same picture confirms nothing.
    const again = frozen === true;
    const view = faces === null || again ? null : this.#stillFaces.add(boxes);
    return [
      ['multiple_faces', view && severalPeople(view)],
      ['still_face', view && view.still > 0 && view.moving + view.unknown === 0],
      ['looking_away', this.#isAway(again ? null : report, at)],
      ['camera_dark', verdict === 'cannot-tell' ? reason === 'dark' : false],
      ['camera_covered', verdict === 'cannot-tell' ? reason === 'covered' : false],
      ['camera_unjudged', reason === 'falsified'],
      ['frozen_camera', frozen],
    ];
  }

  #isAway(report: FaceReport | null, at: number): boolean | null {
    const { yaw, pitch } = report ?? { yaw: null, pitch: null };
    if (yaw === null || pitch === null || this.#baseline === null) {
      // The detector eventually loses a turned head: that counts as a miss, not as looking away.
      this.#awaySince = null;
      return null;
    }
    const { sideDegrees, upOrDownDegrees, afterMs } = LOOKING_AWAY;
    const up = pitch - this.#baseline.pitch;
    // Paper lies in front of a person or beside them.
    const writes = this.#rules.mayUsePaper === true && up < -upOrDownDegrees;
    const isTurned =
      Math.abs(yaw - this.#baseline.yaw) > sideDegrees || Math.abs(up) > upOrDownDegrees;
    if (!isTurned || writes) {
      this.#awaySince = null;
      return false;
    }
    this.#awaySince ??= at;
    return at - this.#awaySince >= afterMs;
  }

  /**
   * Adds up what was longer than a glance.
   *
   * @returns the sum once it is for a reviewer, milliseconds; then it begins again
   */
  #addAway(at: number, sinceLastMs: number): number | null {
    const { afterMs, withinMs } = LOOKING_AWAY;
    const lastedMs = this.#awaySince === null ? 0 : at - this.#awaySince;
    if (lastedMs < afterMs) return null;
    const isFirst = lastedMs - sinceLastMs < afterMs;
    this.#away.push({ at, ms: isFirst ? lastedMs : sinceLastMs });
    this.#away = this.#away.filter((one) => at - one.at < withinMs);
    const sum = this.#away.reduce((ms, one) => ms + one.ms, 0);
    if (sum < LONG_MS.looking_away) return null;
    this.#away = [];
    return sum;
  }

  /** How long a face that was lost downwards may still be away, milliseconds; 0: no longer. */
  #loweredMs({ verdict, reason }: FaceReport, at: number): number {
    const isUnseen = verdict === 'no' || reason === 'unsure';
    if (isUnseen && this.#isLowered && !this.#hasCounted) this.#loweredSince ??= at;
    return this.#loweredSince === null ? 0 : Math.max(0, this.#loweredSince + LOWERED_MS - at);
  }

  /** Keeps where the face is, so that it is known where it was lost. */
  #see({ pitch, boxes }: FaceReport): void {
    const [, top = 0, , height = 0] = boxes[0] ?? [];
    this.#faces = [...this.#faces, { pitch, top, height }].slice(-LAST_FACES);
    if (this.#rules.mayUsePaper !== true) return;
    const highest = Math.min(...this.#faces.map((face) => face.top));
    this.#isLowered =
      top - highest > LOWERING_SHARE * height ||
      this.#faces.some((face) => this.#isBelow(face.pitch, LOWERING_DEGREES));
  }

  #isBelow(pitch: number | null, degrees: number): boolean {
    return pitch !== null && this.#baseline !== null && pitch < this.#baseline.pitch - degrees;
  }

  #learn({ yaw, pitch }: FaceReport): void {
    if (this.#baseline !== null || yaw === null || pitch === null) return;
    this.#poses.push({ yaw, pitch });
    if (this.#poses.length === BASELINE_POSES) this.#baseline = middlePose(this.#poses);
  }

  #forget(): void {
    this.#misses = 0;
    this.#awaySince = null;
    this.#blind = null;
    this.#faces = [];
    this.#isLowered = false;
    this.#loweredSince = null;
    this.#stillFaces.forget();
    for (const flag of Object.values(this.#flags)) flag.forget();
  }
}

/** A still face is a picture, not a person; a new face is undecided. */
function severalPeople({ moving, unknown }: FacesInView): boolean | null {
  if (moving > 1) return true;
  return moving + unknown > 1 ? null : false;
}

/** The median pose, per angle: one outlier does not move it. */
export function middlePose(poses: readonly Pose[]): Pose | null {
  const middle = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1];
  const yaw = middle(poses.map((pose) => pose.yaw));
  const pitch = middle(poses.map((pose) => pose.pitch));
  return yaw === undefined || pitch === undefined ? null : { yaw, pitch };
}

/** The detector is often unsure of a covered face: that does not make the camera unusable. */
function withoutUnsure(report: FaceReport): FaceReport {
  return report.reason === 'unsure' ? { ...report, reason: null } : report;
}

/** Not one pixel has changed: the camera shows nothing new, so nobody is known to be missing. */
function isRepeatedMiss({ verdict, motion }: FaceReport): boolean {
  return verdict === 'no' && motion === 0;
}

/** The state that the screen shows for one report. */
export function shownFor({ verdict, reason }: FaceReport): FaceShown {
  if (verdict === 'yes') return 'ok';
  if (verdict === 'no') return 'not-detected';
  return reason === 'not-loaded' ? 'starting' : 'cannot-tell';
}

function detailsOf({ engine, faces, brightness, yaw, pitch }: FaceReport) {
  const parts: string[] = [];
  if (faces !== null) parts.push(`faces: ${faces}`);
  if (brightness !== null) parts.push(`brightness: ${Math.round(brightness)}`);
  if (yaw !== null && pitch !== null) {
    parts.push(`yaw: ${Math.round(yaw)}`, `pitch: ${Math.round(pitch)}`);
  }
  return { engine, notes: parts.length === 0 ? null : parts.join(', ') };
}

/**
 * Debounces samples: an episode begins when `needs` of the last `of` samples are positive, and ends
 * after `of` negative samples in a row; only then, and after the cool-down, can the next one begin.
 * An inconclusive sample changes nothing.
 */
class Episode {
  readonly #rule: { needs: number; of: number; cooldownMs: number };
  #samples: boolean[] = [];
  #active = false;
  #beganAt = Number.NEGATIVE_INFINITY;

  constructor(rule: { needs: number; of: number; cooldownMs: number }) {
    this.#rule = rule;
  }

  get isActive(): boolean {
    return this.#active;
  }

  /** Whether an episode begins with this sample. `at` in milliseconds. */
  add(seen: boolean | null, at: number): boolean {
    if (seen === null) return false;
    const { needs, of, cooldownMs } = this.#rule;
    this.#samples = [...this.#samples, seen].slice(-of);
    const count = this.#samples.filter(Boolean).length;
    if (this.#active && count === 0 && this.#samples.length === of) this.#active = false;
    if (this.#active || count < needs || at - this.#beganAt < cooldownMs) return false;
    this.#active = true;
    this.#beganAt = at;
    return true;
  }

  forget(): void {
    this.#samples = [];
  }
}
