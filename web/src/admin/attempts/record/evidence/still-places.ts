import type { Evidence } from '@invigil/core/contract/attempts/evidence-views';
import { isRightToLeft } from '@invigil/core/domain/locale';
import { clockText } from '../../../../lib/format.ts';
import { secondsText } from '../../../../lib/portal-times.ts';

export interface PlacedStill {
  /** Offset from the violation, milliseconds; negative: before it. */
  offsetMs: number;
  jpeg: string;
  /** The still nearest to the violation. */
  isMoment: boolean;
}

/** The stills of a violation in order, from up to two uploads with their own reference times. */
export function stillsOf(evidence: readonly Evidence[], momentAt: string): PlacedStill[] {
  const byOffset = new Map<number, string>();
  for (const { at, stills } of evidence) {
    const shift = Date.parse(at) - Date.parse(momentAt);
    for (const { offsetMs, jpeg } of stills) byOffset.set(offsetMs + shift, jpeg);
  }
  const offsets = [...byOffset.keys()].sort((a, b) => a - b);
  const nearest = [...offsets].sort((a, b) => Math.abs(a) - Math.abs(b))[0];
  return offsets.map((offsetMs) => ({
    offsetMs,
    jpeg: byOffset.get(offsetMs) ?? '',
    isMoment: offsetMs === nearest,
  }));
}

/** `−3 s`, `0 s`, `+4 s`; a mark keeps the sign before its figure in a line from right to left. */
export function offsetText(offsetMs: number): string {
  const seconds = Math.round(offsetMs / 1_000);
  const text = secondsText(Math.abs(seconds));
  const mark = isRightToLeft() ? '\u200e' : '';
  return `${mark}${seconds === 0 ? '' : seconds < 0 ? '−' : '+'}${text}`;
}

/** `12:04`, `1:00:30`: how long the attempt had run, to the nearest second. */
export const runningText = (offsetMs: number) => clockText(Math.round(offsetMs / 1_000) * 1_000);

export interface LevelBar {
  offsetMs: number;
  /** 0 to 120, as the participant saw it. */
  value: number;
}

/** The level curve of a violation in order, from all its uploads. */
export function levelsOf(evidence: readonly Evidence[], momentAt: string): LevelBar[] {
  const byOffset = new Map<number, number>();
  for (const { at, levels } of evidence) {
    if (levels === null) continue;
    const shift = Date.parse(at) - Date.parse(momentAt) + levels.offsetMs;
    levels.values.forEach((value, index) => {
      byOffset.set(shift + index * levels.everyMs, value);
    });
  }
  return [...byOffset]
    .map(([offsetMs, value]) => ({ offsetMs, value }))
    .sort((a, b) => a.offsetMs - b.offsetMs);
}
