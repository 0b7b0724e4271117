import type { IncomingHttpHeaders } from 'node:http';
import { ATTEMPT_LIMITS } from '@invigil/core/domain/limits';
import { needsCamera } from '@invigil/core/domain/violations/violation-policy';
import type { FlagNote } from '@invigil/core/texts/flag-notes';
import type { Tx } from '../../db/database.ts';
import type { ParticipantView } from '../../db/queries/attempts/attempts.ts';
import { setDevice } from '../../db/queries/attempts/changes.ts';
import { insertRepeatedEvent } from '../../db/queries/attempts/events.ts';
import { countViolations } from '../../db/queries/attempts/violations.ts';
import {
  type Device,
  deviceKindOf,
  deviceOf,
  type RequestOrigin,
} from '../../security/request-device.ts';
import { policyFor } from './present.ts';
import { raiseFlag } from './store-violation.ts';

/** Features of its device that a page detects, besides the kind. */
export interface SeenDevice {
  /** `navigator.platform` */
  platform: string;
  touchPoints: number;
  coarsePointer: boolean;
}

const ASPECTS = ['kind', 'browser', 'ipv4', 'ipv6'] as const;

/** The device as known now, and the aspects that have changed. */
export function mergeDevices(before: Device, seen: Device) {
  const changed = ASPECTS.filter(
    (aspect) =>
      before[aspect] !== undefined && seen[aspect] !== undefined && before[aspect] !== seen[aspect],
  );
  return { device: { ...before, ...seen }, changed };
}

/**
 * Records the device that a request of an attempt came from; this transaction has locked the attempt. A
 * change is an event, and the tab rule of computers applies for good once one was used (product 11).
 */
export async function recordDevice<A extends ParticipantView>(
  tx: Tx,
  attempt: A,
  seen: Device,
  now: Date,
): Promise<A> {
  const before = (attempt.device ?? {}) as Device;
  const { device, changed } = mergeDevices(before, seen);
  const isPhone = device.kind === undefined ? attempt.isPhone : device.kind === 'phone';
  const usedComputer = attempt.usedComputer || !attempt.isPhone || !isPhone;
  const isNew = ASPECTS.some((aspect) => device[aspect] !== before[aspect]);
  if (!isNew && usedComputer === attempt.usedComputer) return attempt;
  await setDevice(tx, attempt.id, { device, isPhone, usedComputer });
  const after = { ...attempt, device, isPhone, usedComputer };
  if (changed.length === 0) return after;
  const of = (one: Device) => Object.fromEntries(changed.map((aspect) => [aspect, one[aspect]]));
  await insertRepeatedEvent(tx, 'devices', {
    participantId: attempt.id,
    kind: 'device_changed',
    at: now,
    details: { from: of(before), to: of(device) },
  });
  if (isPhone && !attempt.isPhone) await flagMoveToPhone(tx, attempt, now);
  return after;
}

/** The device of a start; the page's report completes what the request leaves open. */
export function startingDevice(request: RequestOrigin, pageSaysMobile?: boolean): Device {
  const kind = isPhone(request.headers, pageSaysMobile) ? 'phone' : 'computer';
  return { ...deviceOf(request), kind };
}

/**
 * The contradictions in a device's claims, as a note for the reviewer; `null` when there are none. Phone
 * emulation in developer tools changes the user agent, its hints and the touch screen, but not
 * `navigator.platform`. An iPad claims to be a Macintosh, which has no touch screen.
 */
export function contradictionOf({
  device,
  saysMobile,
  sees,
}: {
  device: Device;
  saysMobile: boolean;
  sees: SeenDevice | null;
}): FlagNote | null {
  const isPhone = device.kind === 'phone';
  if (saysMobile && !isPhone) return 'claims_phone';
  if (!isPhone || sees === null) return null;
  const { platform, touchPoints, coarsePointer } = sees;
  if (!coarsePointer || touchPoints === 0) return 'no_touch_screen';
  const isComputer =
    /^(Win|Linux (x86_64|i\d86))/.test(platform) || (/^Mac/.test(platform) && touchPoints < 2);
  return isComputer ? `runs_on: ${platform}` : null;
}

/**
 * Whether a request comes from a phone or tablet, by the client hint where the browser sends it, else by
 * the user agent (product 7). For a Macintosh only the page can detect an iPad, by its touch points.
 * Anyone can claim this; its only effect is that hiding the page counts with the fullscreen warnings
 * instead of ending the attempt, unless a computer was used in it.
 */
export function isPhone(headers: IncomingHttpHeaders, pageSaysMobile = false): boolean {
  const kind = deviceKindOf(headers);
  if (kind !== undefined) return kind === 'phone';
  return pageSaysMobile && /Macintosh/.test(headers['user-agent'] ?? '');
}

/** Whether a start on a phone is refused: where the policy requires a camera (product 7). */
export function isPhoneRefused(
  policySettings: unknown,
  enabled: { cameraEnabled: boolean; microphoneEnabled: boolean },
): boolean {
  return needsCamera(policyFor({ policySettings, ...enabled }));
}

/**
 * A running attempt continues on any device (product 4.2). One that began with a camera and moves to a
 * phone, where none is required, is flagged for the reviewer and never dismissed for it.
 */
async function flagMoveToPhone(tx: Tx, attempt: ParticipantView, now: Date): Promise<void> {
  if (!policyFor(attempt).camera) return;
  // More flags would say nothing new, and moving back and forth must not fill the record.
  const before = await countViolations(tx, attempt.id, 'camera_lost');
  if (before >= ATTEMPT_LIMITS.deviceChangesRecordedMax) return;
  await raiseFlag(tx, attempt, { type: 'camera_lost', at: now, notes: 'moved_to_phone' }, now);
}
