import { fromWallTime } from '@invigil/core/domain/local-time';
import { zoneName } from './format.ts';

/** An instant as the value of a `datetime-local` field: local time, to the minute. */
export function localInputOf(iso: string): string {
  const at = new Date(iso);
  const two = (n: number) => String(n).padStart(2, '0');
  return `${String(at.getFullYear()).padStart(4, '0')}-${two(at.getMonth() + 1)}-${two(at.getDate())}T${two(at.getHours())}:${two(at.getMinutes())}`;
}

/** Whether the clocks leave the time of a `datetime-local` field out: they go forward over it. */
export function isSkippedTime(localInput: string, timeZone = zoneName()): boolean {
  const wallMs = Date.parse(`${localInput}Z`);
  // Earlier years are refused as such.
  return wallMs > 0 && fromWallTime(wallMs, timeZone).isSkipped;
}

/**
 * The value of a `datetime-local` field as an instant in UTC; `null` if invalid, or if no clock shows it. An hour
 * that clocks show twice is read as its first time.
 */
export function instantOf(localInput: string): string | null {
  if (!/^\d{4,6}-\d{2}-\d{2}T\d{2}:\d{2}/.test(localInput) || isSkippedTime(localInput))
    return null;
  const at = new Date(localInput);
  return Number.isNaN(at.getTime()) ? null : at.toISOString();
}

/**
 * A partly typed or impossible date in the place of its value, which is then empty and would mean that there is none.
 */
export const UNREADABLE_DATE = 'unreadable';

/**
 * Times as they are on the screen, with the controls of their fields. A partly typed date has an empty value and
 * fires no event; only the control's validity shows that it is not empty.
 */
export function asTyped<V extends { opensAt: string; endDate: string; startBy: string }>(
  values: V,
  fields: Partial<Record<string, { ref?: unknown }>> = {},
): V {
  const unreadable = (['opensAt', 'endDate', 'startBy'] as const).filter((name) => {
    const control = fields[name]?.ref;
    return control instanceof HTMLInputElement && control.validity.badInput;
  });
  return { ...values, ...Object.fromEntries(unreadable.map((name) => [name, UNREADABLE_DATE])) };
}
