import type { OwnParticipant } from '@invigil/core/contract/attempts/own-participant';
import { SCREEN_LIMITS } from '@invigil/core/domain/limits';
import { needsCamera } from '@invigil/core/domain/violations/violation-policy';
import type { DeviceKind } from '../../proctoring/device/device-kind.ts';
import type { Device } from '../../proctoring/device/media-failure.ts';

type Policy = Pick<OwnParticipant['policy'], 'camera' | 'microphone' | 'fullscreen' | 'sound'>;

/** The devices that a policy needs on this device. Phones have no camera card (specification 2). */
export function neededDevices(
  policy: Pick<Policy, 'camera' | 'microphone'>,
  { mobile }: Pick<DeviceKind, 'mobile'>,
): Device[] {
  return [
    ...(policy.camera && !mobile ? (['camera'] as const) : []),
    ...(policy.microphone ? (['microphone'] as const) : []),
  ];
}

/** Whether this device is refused before the start; a running attempt continues anywhere. */
export function needsComputer(
  policy: Pick<OwnParticipant['policy'], 'camera' | 'cameraRequired'>,
  { mobile }: Pick<DeviceKind, 'mobile'>,
): boolean {
  return mobile && needsCamera(policy);
}

/** Whether the fullscreen rule applies: iPhones have no fullscreen for pages. */
export function needsFullscreen(
  policy: Pick<Policy, 'fullscreen'>,
  { iphone }: Pick<DeviceKind, 'iphone'>,
  possible: boolean,
): boolean {
  return policy.fullscreen && possible && !iphone;
}

/** Sampling interval of the sound level, milliseconds (specification 9). */
export function levelEveryMs({ sound }: Pick<Policy, 'sound'>, { ios }: Pick<DeviceKind, 'ios'>) {
  return ios ? sound.everyMsIos : sound.everyMs;
}

/** How long after the screen opens monitoring begins (specification 4). */
export function monitorDelayMs(screen: 'assessment' | 'review', { ios }: Pick<DeviceKind, 'ios'>) {
  if (screen === 'review') {
    return ios ? SCREEN_LIMITS.monitorReviewStartIosMs : SCREEN_LIMITS.monitorReviewStartMs;
  }
  return ios ? SCREEN_LIMITS.monitorStartIosMs : SCREEN_LIMITS.monitorStartMs;
}
