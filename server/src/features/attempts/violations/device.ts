import type { Tx } from '../../../db/database.ts';
import type { ParticipantView } from '../../../db/queries/attempts/attempts.ts';
import { setDevice } from '../../../db/queries/attempts/changes.ts';
import { insertRepeatedEvent } from '../../../db/queries/attempts/events.ts';
import { type Device, deviceOf, type RequestOrigin } from '../../../security/request-device.ts';
import { isPhone } from './is-phone.ts';
import { flagMoveToPhone } from './refuse-phone.ts';

/** What a page detects of its device besides its kind. */
export interface SeenDevice {
  /** `navigator.platform` */
  platform: string;
  touchPoints: number;
  coarsePointer: boolean;
}

const ASPECTS = ['kind', 'browser', 'ipv4', 'ipv6'] as const;

/** What is known of the device now, and which aspects have changed. */
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
export async function noteDevice<A extends ParticipantView>(
  tx: Tx,
  attempt: A,
  seen: Device,
  now: Date,
): Promise<A> {
  const before = storedDevice(attempt);
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

/** The stored device; for an attempt begun by an earlier version only the kind is known. */
function storedDevice({ device, isPhone }: Pick<ParticipantView, 'device' | 'isPhone'>): Device {
  if (typeof device !== 'object' || device === null)
    return { kind: isPhone ? 'phone' : 'computer' };
  const known = new Map(Object.entries(device).filter(([, value]) => typeof value === 'string'));
  const kind = known.get('kind');
  return {
    ...(kind === 'phone' || kind === 'computer' ? { kind } : {}),
    ...Object.fromEntries([...known].filter(([aspect]) => aspect !== 'kind')),
  };
}

/** The device of a start; the page's report completes what the request leaves open. */
export function startingDevice(request: RequestOrigin, pageSaysMobile?: boolean): Device {
  const kind = isPhone(request.headers, pageSaysMobile) ? 'phone' : 'computer';
  return { ...deviceOf(request), kind };
}

/**
 * What is contradictory in a device's claims, as a text for the reviewer; `null` when nothing is. Phone
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
}): string | null {
  const isPhone = device.kind === 'phone';
  if (saysMobile && !isPhone) return 'The page claims a phone or tablet, its requests a computer.';
  if (!isPhone || sees === null) return null;
  const { platform, touchPoints, coarsePointer } = sees;
  if (!coarsePointer || touchPoints === 0) {
    return 'It claims to be a phone or tablet, but has no touch screen.';
  }
  const isComputer =
    /^(Win|Linux (x86_64|i\d86))/.test(platform) || (/^Mac/.test(platform) && touchPoints < 2);
  return isComputer ? `It claims to be a phone or tablet, but runs on ${platform}.` : null;
}
