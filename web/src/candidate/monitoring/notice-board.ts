import type { ViolationAnswer } from '@invigil/core/contract/violations';
import { SCREEN_LIMITS } from '@invigil/core/domain/limits';
import type { ViolationPolicy } from '@invigil/core/domain/violation-policy';
import { type CountingType, isCountingType, levelOf } from '@invigil/core/domain/violation-types';
import type { Finding } from '../../proctoring/detection/finding.ts';
import { detectedText, fullscreenWarning } from './notice-words.ts';
import { type RuledDevice, tabSwitchEnds } from './policy-words.ts';

type NoticeType = Finding['type'];

/** A violation that the server has counted; shown until the person has read it. */
export interface CountedNotice {
  id: string;
  type: CountingType;
  /** Of the limit that the pips show; both are the server's. */
  count: number;
  /** `null`: nothing ends by itself. */
  limit: number | null;
  /** How many more before the attempt ends; 0: it ends now. */
  remaining: number | null;
}

export interface DetectedItem {
  id: string;
  type: NoticeType;
  at: Date;
  /** How long it lasted, where that is known; milliseconds. */
  durationMs: number | null;
  /** Of which limit it used up how many, by the server; `null`: it did not count. */
  counted: Pick<CountedNotice, 'count' | 'limit'> | null;
  /** The person has said something about it. */
  noted: boolean;
}

/** What the screens say about monitoring. A new object after every change. */
export interface Notices {
  /** Shown for 3 s, while the server has not answered. */
  popup: { id: string; type: CountingType } | null;
  counted: CountedNotice | null;
  /** The fullscreen warning, by the server's count, or none yet for those who are back in time. */
  fullscreen: { n: number; limit: number } | { returnMs: number } | null;
  /** The page was left under a rule that ends the attempt by that; the server has the last word. */
  leftFor: { durationMs: number | null } | null;
  /** What was detected, newest first; the strip shows it quietly. */
  detected: readonly DetectedItem[];
  /** What a screen reader says of it, once and politely. */
  spoken: { id: string; text: string } | null;
}

export const NO_NOTICES: Notices = {
  popup: null,
  counted: null,
  fullscreen: null,
  leftFor: null,
  detected: [],
  spoken: null,
};

type NoticePolicy = Pick<ViolationPolicy, 'limits' | 'combinedTypes' | 'tabHidden' | 'faceCovered'>;

const DETECTED_KEPT = 20;

/** What pops up at once; the others have a panel of their own, or the strip. */
const POPS_UP: readonly NoticeType[] = ['face_not_detected', 'voice_detected'];

type BoardDevice = Pick<RuledDevice, 'mobile' | 'computerUsed'>;

/**
 * What is shown of findings and of the server's answers to them. It counts nothing: every number is
 * the server's.
 */
export class NoticeBoard {
  readonly #policy: NoticePolicy;
  readonly #device: BoardDevice;
  readonly #isCovered: () => boolean;
  readonly #listeners = new Set<() => void>();
  /** When each was detected, and how long it lasted: the strip comes after the dialog was read. */
  readonly #foundAt = new Map<string, { at: Date; durationMs: number | null }>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #notices = NO_NOTICES;

  /** @param isCovered whether the panel that asks for fullscreen stands in the place of the questions */
  constructor(
    policy: NoticePolicy,
    { isCovered, ...device }: BoardDevice & { isCovered(): boolean },
  ) {
    this.#policy = policy;
    this.#device = device;
    this.#isCovered = isCovered;
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  getSnapshot = (): Notices => this.#notices;

  /** Something was detected; the server has not yet heard of it. */
  found(id: string, { type, durationMs }: Finding): void {
    this.#foundAt.set(id, { at: new Date(), durationMs });
    if (type === 'tab_hidden' && tabSwitchEnds(this.#policy, this.#device)) {
      // What was not read yet goes to the strip: no warning stands over what was the end.
      this.acknowledge();
      this.#set({ leftFor: { durationMs }, fullscreen: null, popup: null });
    }
    // One that is expected of a covered face waits for the strip.
    if (type === 'face_not_detected' && this.#policy.faceCovered) return;
    if (POPS_UP.includes(type) && isCountingType(type)) {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#set({ popup: null }), SCREEN_LIMITS.warningPopupMs);
      this.#set({ popup: { id, type } });
    } else if (!isCountingType(type)) {
      this.#notice(id, type);
      // What brings no one to the reviewer does not interrupt anyone either.
      if (levelOf(type) !== 'info') this.#speak(id, type);
    }
  }

  /** What an earlier page of this attempt has shown; it was spoken there. */
  restore(detected: readonly DetectedItem[]): void {
    this.#set({ detected: [...this.#notices.detected, ...detected].slice(0, DETECTED_KEPT) });
  }

  /** All that may still take a note, newest first: the dialog that was not read yet among it. */
  get noteworthy(): readonly DetectedItem[] {
    const { counted, detected } = this.#notices;
    if (counted === null || detected.some(({ id }) => id === counted.id)) return detected;
    return [this.#item(counted.id, counted.type, counted), ...detected];
  }

  /** The server's word on it. `at`: when it was detected, perhaps by an earlier page. */
  answered(id: string, type: NoticeType, answer: ViolationAnswer, at = new Date()): void {
    if (!isCountingType(type)) return;
    this.#foundAt.set(id, this.#foundAt.get(id) ?? { at, durationMs: null });
    if (type === 'tab_hidden' && answer.remaining !== 0) this.#set({ leftFor: null });
    if (!answer.counted) return this.#notice(id, type);
    const { limit, count } = this.#limitOf(type, answer);
    const { remaining } = answer;
    if (type === 'fullscreen_exit') {
      const warning = limit === null ? null : { n: count, limit };
      if (this.#notices.leftFor === null) this.#set({ fullscreen: warning });
      this.#notice(id, type, { count, limit });
      // The panel that covers the questions shows it, where someone is not back already.
      const isShown = this.#isCovered() || warning === null;
      if (warning !== null) this.#say(id, fullscreenWarning(warning));
      if (remaining !== 0 && isShown) return;
    }
    // The panel in the place of the questions says that this was the end.
    const isSaid = this.#notices.leftFor !== null;
    if (type === 'tab_hidden' && (remaining === null || isSaid)) {
      this.#notice(id, type, { count, limit });
      return isSaid ? undefined : this.#speak(id, type);
    }
    // One dialog at a time: what was not read yet is not lost.
    const { counted: unread } = this.#notices;
    if (unread !== null) this.#notice(unread.id, unread.type, unread);
    const popup = this.#notices.popup?.id === id ? null : this.#notices.popup;
    this.#set({ popup, counted: { id, type, count, limit, remaining } });
  }

  /** An exit from fullscreen waits so long for the person to come back, or no more. */
  excuse(returnMs: number | null): void {
    this.#set({ fullscreen: returnMs === null ? null : { returnMs } });
  }

  /** Fullscreen was left or entered: what the panel said was of the time before. */
  fullscreenChanged(): void {
    if (this.#notices.fullscreen !== null) this.#set({ fullscreen: null });
  }

  /** The person has read the dialog. */
  acknowledge(): void {
    const { counted } = this.#notices;
    if (counted === null) return;
    this.#set({ counted: null });
    this.#notice(counted.id, counted.type, counted);
  }

  noted(id: string): void {
    const detected = this.#notices.detected.map((one) =>
      one.id === id ? { ...one, noted: true } : one,
    );
    this.#set({ detected });
  }

  /** The strip was closed. */
  clearDetected(): void {
    this.#set({ detected: [] });
  }

  /** The attempt has ended: nothing is left to say. */
  end(): void {
    clearTimeout(this.#timer);
    this.#set(NO_NOTICES);
  }

  /** The limit of which `remaining` is what is left, and how much of it is used up. */
  #limitOf(type: CountingType, { violationCount, remaining }: ViolationAnswer) {
    const { limits, combinedTypes, tabHidden } = this.#policy;
    if (remaining === null) return { limit: null, count: violationCount };
    const used = (limit: number) => ({ limit, count: Math.max(0, limit - remaining) });
    const endsAtOnce = tabSwitchEnds({ tabHidden }, this.#device);
    if (type === 'tab_hidden' && endsAtOnce) return used(1);
    if (type === 'fullscreen_exit' || type === 'tab_hidden') return used(limits.fullscreen ?? 1);
    const own = type === 'face_not_detected' ? limits.face : limits.voice;
    const combined = combinedTypes.includes(type) ? limits.combined : null;
    // The nearer of two: face alone may be closer to its end than both together. The count that is
    // shown can be ahead of what counts (product 6), and so tell less of the combined one than is left.
    const isCombined =
      combined !== null && (own === null || combined - violationCount <= remaining);
    return used((isCombined ? combined : own) ?? remaining);
  }

  #notice(id: string, type: NoticeType, counted: DetectedItem['counted'] = null): void {
    if (this.#notices.detected.some((one) => one.id === id)) return;
    const item = this.#item(id, type, counted);
    this.#foundAt.delete(id);
    this.#set({ detected: [item, ...this.#notices.detected].slice(0, DETECTED_KEPT) });
  }

  #item(id: string, type: NoticeType, counted: DetectedItem['counted']): DetectedItem {
    const kept = counted && { count: counted.count, limit: counted.limit };
    const { at = new Date(), durationMs = null } = this.#foundAt.get(id) ?? {};
    return { id, type, at, durationMs, counted: kept, noted: false };
  }

  #speak(id: string, type: NoticeType): void {
    this.#say(id, detectedText(type));
  }

  #say(id: string, text: string): void {
    this.#set({ spoken: { id, text } });
  }

  #set(change: Partial<Notices>): void {
    this.#notices = { ...this.#notices, ...change };
    for (const listener of this.#listeners) listener();
  }
}
