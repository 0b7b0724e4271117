import type { ViolationAnswer } from '@invigil/core/contract/violations';
import { SCREEN_LIMITS } from '@invigil/core/domain/limits';
import type { ViolationPolicy } from '@invigil/core/domain/violation-policy';
import { type CountingType, isCountingType } from '@invigil/core/domain/violation-types';
import type { Finding } from '../../proctoring/finding.ts';

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

export interface NoticedItem {
  id: string;
  type: NoticeType;
  at: Date;
  /** The person has said something about it. */
  noted: boolean;
}

/** What the screens say about monitoring. A new object after every change. */
export interface Notices {
  /** Shown for 3 s, while the server has not answered. */
  popup: { id: string; type: CountingType } | null;
  counted: CountedNotice | null;
  /** The fullscreen warning, by the server's count. */
  fullscreen: { n: number; limit: number } | null;
  /** What was noticed, newest first; the strip shows it quietly. */
  noticed: readonly NoticedItem[];
}

export const NO_NOTICES: Notices = { popup: null, counted: null, fullscreen: null, noticed: [] };

type NoticePolicy = Pick<ViolationPolicy, 'limits' | 'combinedTypes' | 'tabHidden'>;

const NOTICED_KEPT = 20;

/** What pops up at once; the others have a panel of their own, or the strip. */
const POPS_UP: readonly NoticeType[] = ['face_not_detected', 'voice_detected'];

/**
 * What is shown of findings and of the server's answers to them. It counts nothing: every number is
 * the server's.
 */
export class NoticeBoard {
  readonly #policy: NoticePolicy;
  readonly #mobile: boolean;
  readonly #listeners = new Set<() => void>();
  /** When each was noticed: the strip comes later, after the dialog was read. */
  readonly #foundAt = new Map<string, Date>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #notices = NO_NOTICES;

  constructor(policy: NoticePolicy, { mobile }: { mobile: boolean }) {
    this.#policy = policy;
    this.#mobile = mobile;
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  getSnapshot = (): Notices => this.#notices;

  /** Something was noticed; the server has not yet heard of it. */
  found(id: string, { type }: Finding): void {
    this.#foundAt.set(id, new Date());
    if (POPS_UP.includes(type) && isCountingType(type)) {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#set({ popup: null }), SCREEN_LIMITS.warningPopupMs);
      this.#set({ popup: { id, type } });
    } else if (!isCountingType(type)) this.#notice(id, type);
  }

  /** The server's word on it. */
  answered(id: string, type: NoticeType, answer: ViolationAnswer): void {
    if (!isCountingType(type)) return;
    if (!answer.counted) return this.#notice(id, type);
    const { limit, count } = this.#limitOf(type, answer);
    const { remaining } = answer;
    if (type === 'fullscreen_exit') {
      const warning = limit === null ? null : { n: count, limit };
      this.#set({ fullscreen: warning });
      this.#notice(id, type);
    }
    // The panel that covers the questions has said it; the end is said by the dialog.
    if (type === 'fullscreen_exit' && remaining !== 0) return;
    if (type === 'tab_hidden' && remaining === null) return this.#notice(id, type);
    const popup = this.#notices.popup?.id === id ? null : this.#notices.popup;
    this.#set({ popup, counted: { id, type, count, limit, remaining } });
  }

  /** The person has read the dialog. */
  acknowledge(): void {
    const { counted } = this.#notices;
    if (counted === null) return;
    this.#set({ counted: null });
    this.#notice(counted.id, counted.type);
  }

  noted(id: string): void {
    const noticed = this.#notices.noticed.map((one) =>
      one.id === id ? { ...one, noted: true } : one,
    );
    this.#set({ noticed });
  }

  /** The strip was closed. */
  clearNoticed(): void {
    this.#set({ noticed: [] });
  }

  /** The attempt has ended: nothing is left to say. */
  end(): void {
    clearTimeout(this.#timer);
    this.#set(NO_NOTICES);
  }

  /** The limit that is nearest for this type, and how much of it is used up. */
  #limitOf(type: CountingType, { violationCount, remaining }: ViolationAnswer) {
    const { limits, combinedTypes, tabHidden } = this.#policy;
    if (remaining === null) return { limit: null, count: violationCount };
    const endsAtOnce = tabHidden === 'dismiss' && !this.#mobile;
    if (type === 'tab_hidden' && endsAtOnce) return { limit: 1, count: 1 };
    if (type === 'fullscreen_exit' || type === 'tab_hidden') {
      const limit = limits.fullscreen ?? 1;
      return { limit, count: Math.max(0, limit - remaining) };
    }
    const { combined } = limits;
    const together = combined !== null && combinedTypes.includes(type);
    if (together) return { limit: combined, count: violationCount };
    const limit = type === 'face_not_detected' ? limits.face : limits.voice;
    return { limit, count: Math.max(0, (limit ?? remaining) - remaining) };
  }

  #notice(id: string, type: NoticeType): void {
    if (this.#notices.noticed.some((one) => one.id === id)) return;
    const at = this.#foundAt.get(id) ?? new Date();
    this.#foundAt.delete(id);
    const item = { id, type, at, noted: false };
    this.#set({ noticed: [item, ...this.#notices.noticed].slice(0, NOTICED_KEPT) });
  }

  #set(change: Partial<Notices>): void {
    this.#notices = { ...this.#notices, ...change };
    for (const listener of this.#listeners) listener();
  }
}
