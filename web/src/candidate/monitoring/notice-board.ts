import type { ViolationAnswer } from '@invigil/core/contract/attempts/violations';
import { SCREEN_LIMITS } from '@invigil/core/domain/limits';
import {
  type RuledDevice,
  tabSwitchesUntilEnd,
} from '@invigil/core/domain/violations/applied-limits';
import type { ViolationPolicy } from '@invigil/core/domain/violations/violation-policy';
import {
  type CountingType,
  isCountingType,
  levelOf,
} from '@invigil/core/domain/violations/violation-types';
import { detectedText } from '@invigil/core/texts/detected';
import { fullscreenWarning, voiceWarning } from '@invigil/core/texts/notices';
import { SnapshotStore } from '../../lib/snapshot.ts';
import type { DetectedEvent } from '../../proctoring/detection/detected-event.ts';

type NoticeType = DetectedEvent['type'];

/** A violation counted by the server; shown until acknowledged. */
export interface CountedNotice {
  id: string;
  type: CountingType;
  /** The server's count for the limit shown. */
  count: number;
  /** `null`: no limit. */
  limit: number | null;
  /** Violations left before the attempt ends; 0: it ends now. */
  remaining: number | null;
}

export interface DetectedItem {
  id: string;
  type: NoticeType;
  at: Date;
  /** Duration, if known; milliseconds. */
  durationMs: number | null;
  /** The server's count and limit; `null`: it did not count. */
  counted: Pick<CountedNotice, 'count' | 'limit'> | null;
  noted: boolean;
  /** The cause has ended, or the notice is from before a reload, after which what goes on is detected again. */
  past?: 'over' | 'reloaded';
  /** The text of the note, once the attempt has ended. */
  note?: string;
}

/** Monitoring notices for the screens. A new object after every change. */
export interface Notices {
  /** Shown for 3 s, before the server's response. */
  popup: { id: string; type: CountingType } | null;
  counted: CountedNotice | null;
  /** The fullscreen warning with the server's count, or the time to return of an excused exit. */
  fullscreen: { n: number; limit: number } | { returnMs: number } | null;
  /** A voice is heard that counts if it goes on. */
  voice: boolean;
  /** The page was left under a rule that ends the attempt; the server decides. */
  leftFor: { durationMs: number | null } | null;
  /** Detections, newest first, for the strip. */
  detected: readonly DetectedItem[];
  /** Announced once, politely. */
  spoken: { id: string; text: string } | null;
}

export const NO_NOTICES: Notices = {
  popup: null,
  counted: null,
  fullscreen: null,
  voice: false,
  leftFor: null,
  detected: [],
  spoken: null,
};

type NoticePolicy = Pick<ViolationPolicy, 'limits' | 'combinedTypes' | 'tabHidden' | 'faceCovered'>;

const MAX_DETECTED = 20;

/** Types with an immediate popup; others have a panel or appear in the strip. */
const POPS_UP: readonly NoticeType[] = ['face_not_detected', 'voice_detected'];

type BoardDevice = Pick<RuledDevice, 'mobile' | 'computerUsed'>;

/**
 * Notices about detected events and the server's responses. It counts nothing: every number is the server's.
 */
export class NoticeBoard extends SnapshotStore<Notices> {
  readonly #policy: NoticePolicy;
  readonly #device: BoardDevice;
  readonly #isCovered: () => boolean;
  /** Time and duration of each detected event: the strip shows them after the dialog. */
  readonly #foundAt = new Map<string, { at: Date; durationMs: number | null }>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param isCovered whether the fullscreen panel covers the questions */
  constructor(
    policy: NoticePolicy,
    { isCovered, ...device }: BoardDevice & { isCovered(): boolean },
  ) {
    super(NO_NOTICES);
    this.#policy = policy;
    this.#device = device;
    this.#isCovered = isCovered;
  }

  found(id: string, { type, durationMs }: DetectedEvent): void {
    this.#foundAt.set(id, { at: new Date(), durationMs });
    if (type === 'tab_hidden' && tabSwitchesUntilEnd(this.#policy, this.#device) === 1) {
      // Move an unread warning to the strip: it must not cover the panel about the end.
      this.acknowledge();
      this.update({ leftFor: { durationMs }, fullscreen: null, popup: null });
    }
    // Expected with a covered face: strip only.
    if (type === 'face_not_detected' && this.#policy.faceCovered) return;
    if (POPS_UP.includes(type) && isCountingType(type)) {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.update({ popup: null }), SCREEN_LIMITS.warningPopupMs);
      this.update({ popup: { id, type } });
    } else if (!isCountingType(type)) {
      this.#notice(id, type);
      // Level "info" does not interrupt.
      if (levelOf(type, durationMs) !== 'info') this.#speak(id, type, durationMs);
    }
  }

  /** A voice is heard, or not any more. Announced once each time. */
  warnOfVoice(isHeard: boolean): void {
    if (isHeard === this.snapshot.voice) return;
    this.update({ voice: isHeard });
    if (isHeard) this.#say(`voice ${performance.now()}`, voiceWarning());
  }

  restore(detected: readonly DetectedItem[]): void {
    const before = detected.map((item) => ({ ...item, past: 'reloaded' as const }));
    this.update({ detected: [...this.snapshot.detected, ...before].slice(0, MAX_DETECTED) });
  }

  /** The cause of this type's notices has ended: the candidate has done what they ask for. */
  over(type: NoticeType): void {
    const goesOn = (one: DetectedItem) => one.type === type && one.past === undefined;
    const { detected } = this.snapshot;
    if (!detected.some(goesOn)) return;
    const past = 'over';
    this.update({ detected: detected.map((one) => (goesOn(one) ? { ...one, past } : one)) });
  }

  /** Everything that can take a note, newest first, including the open dialog. */
  get noteworthy(): readonly DetectedItem[] {
    const { counted, detected } = this.snapshot;
    if (counted === null || detected.some(({ id }) => id === counted.id)) return detected;
    return [this.#item(counted.id, counted.type, counted), ...detected];
  }

  /** Applies the server's response. `at`: time of detection, perhaps before a reload. */
  answered(id: string, type: NoticeType, answer: ViolationAnswer, at = new Date()): void {
    if (!isCountingType(type)) return;
    this.#foundAt.set(id, this.#foundAt.get(id) ?? { at, durationMs: null });
    if (type === 'tab_hidden' && answer.remaining !== 0) this.update({ leftFor: null });
    if (!answer.counted) return this.#notice(id, type);
    const { limit, count } = this.#limitOf(type, answer);
    const { remaining } = answer;
    if (type === 'fullscreen_exit') {
      const warning = limit === null ? null : { n: count, limit };
      if (this.snapshot.leftFor === null) this.update({ fullscreen: warning });
      this.#notice(id, type, { count, limit });
      // The panel over the questions shows it, unless fullscreen has returned.
      const isShown = this.#isCovered() || warning === null;
      if (warning !== null) this.#say(id, fullscreenWarning(warning));
      if (remaining !== 0 && isShown) return;
    }
    // The panel over the questions already shows the end.
    const isSaid = this.snapshot.leftFor !== null;
    if (type === 'tab_hidden' && (remaining === null || isSaid)) {
      this.#notice(id, type, { count, limit });
      return isSaid ? undefined : this.#speak(id, type);
    }
    // One dialog at a time: move an unread one to the strip.
    const { counted: unread } = this.snapshot;
    if (unread !== null) this.#notice(unread.id, unread.type, unread);
    const popup = this.snapshot.popup?.id === id ? null : this.snapshot.popup;
    this.update({ popup, counted: { id, type, count, limit, remaining } });
  }

  /** Sets or clears the time to return after an excused fullscreen exit. */
  excuse(returnMs: number | null): void {
    this.update({ fullscreen: returnMs === null ? null : { returnMs } });
  }

  /** Fullscreen was left or entered: clears the panel's previous warning. */
  fullscreenChanged(): void {
    if (this.snapshot.fullscreen !== null) this.update({ fullscreen: null });
  }

  acknowledge(): void {
    const { counted } = this.snapshot;
    if (counted === null) return;
    this.update({ counted: null });
    this.#notice(counted.id, counted.type, counted);
  }

  noted(id: string): void {
    const detected = this.snapshot.detected.map((one) =>
      one.id === id ? { ...one, noted: true } : one,
    );
    this.update({ detected });
  }

  clearDetected(): void {
    this.update({ detected: [] });
  }

  end(): void {
    clearTimeout(this.#timer);
    this.update(NO_NOTICES);
  }

  /** The limit that `remaining` refers to, and how much of it is used up. */
  #limitOf(type: CountingType, { violationCount, remaining }: ViolationAnswer) {
    const { limits, combinedTypes, tabHidden } = this.#policy;
    if (remaining === null) return { limit: null, count: violationCount };
    const used = (limit: number) => ({ limit, count: Math.max(0, limit - remaining) });
    const most = tabSwitchesUntilEnd({ tabHidden }, this.#device);
    if (type === 'tab_hidden' && most !== null) return used(most);
    if (type === 'fullscreen_exit' || type === 'tab_hidden') return used(limits.fullscreen ?? 1);
    const own = type === 'face_not_detected' ? limits.face : limits.voice;
    const combined = combinedTypes.includes(type) ? limits.combined : null;
    // The nearer of the two limits: one type may be closer to its own than to the combined one. The count
    // shown can exceed what counts (product 6), and then understates the rest of the combined limit.
    const isCombined =
      combined !== null && (own === null || combined - violationCount <= remaining);
    return used((isCombined ? combined : own) ?? remaining);
  }

  #notice(id: string, type: NoticeType, counted: DetectedItem['counted'] = null): void {
    if (this.snapshot.detected.some((one) => one.id === id)) return;
    const item = this.#item(id, type, counted);
    this.#foundAt.delete(id);
    this.update({ detected: [item, ...this.snapshot.detected].slice(0, MAX_DETECTED) });
  }

  #item(id: string, type: NoticeType, counted: DetectedItem['counted']): DetectedItem {
    const kept = counted && { count: counted.count, limit: counted.limit };
    const { at = new Date(), durationMs = null } = this.#foundAt.get(id) ?? {};
    return { id, type, at, durationMs, counted: kept, noted: false };
  }

  #speak(id: string, type: NoticeType, durationMs: number | null = null): void {
    this.#say(id, detectedText(type, durationMs));
  }

  #say(id: string, text: string): void {
    this.update({ spoken: { id, text } });
  }
}
