import { t } from '@invigil/core/texts/i18n';

/** A device the assessment asks for. */
export type Device = 'camera' | 'microphone';

/** Why a device cannot be used, in the specification's words, and what the candidate can do about it. */
export interface MediaFailure {
  cause: 'refused' | 'missing' | 'busy' | 'unsuitable' | 'insecure' | 'lost' | 'unknown';
  message: string;
  advice: string;
}

const required = (device: Device) =>
  device === 'camera'
    ? t('device.cameraRequired', 'Camera access is required for this assessment')
    : t('device.microphoneRequired', 'Microphone access is required for this assessment');

/** Names of errors are those of the Media Capture specification, with the variants of older Firefox and WebKit. */
const CAUSES: Record<string, MediaFailure['cause']> = {
  NotAllowedError: 'refused',
  PermissionDeniedError: 'refused',
  NotFoundError: 'missing',
  DevicesNotFoundError: 'missing',
  NotReadableError: 'busy',
  TrackStartError: 'busy',
  AbortError: 'busy',
  OverconstrainedError: 'unsuitable',
  ConstraintNotSatisfiedError: 'unsuitable',
  SecurityError: 'insecure',
  TypeError: 'insecure',
};

const ADVICE: Record<MediaFailure['cause'], (device: Device) => string> = {
  refused: (device) => unblockAdvice(device, navigator.userAgent),
  missing: (device) =>
    t(
      'device.missing',
      '{device, select, camera {No camera was found. Connect one, then try again.} other {No microphone was found. Connect one, then try again.}}',
      { device },
    ),
  busy: (device) =>
    t(
      'device.busy',
      '{device, select, camera {Another program is using the camera. Close it, then try again.} other {Another program is using the microphone. Close it, then try again.}}',
      { device },
    ),
  unsuitable: (device) =>
    t(
      'device.unsuitable',
      '{device, select, camera {This camera does not offer what is needed. Connect another one, then try again.} other {This microphone does not offer what is needed. Connect another one, then try again.}}',
      { device },
    ),
  insecure: (device) =>
    t(
      'device.insecure',
      '{device, select, camera {This browser does not allow camera access at this address. Open the address with https, or contact the person who invited you.} other {This browser does not allow microphone access at this address. Open the address with https, or contact the person who invited you.}}',
      { device },
    ),
  unknown: (device) =>
    t(
      'device.unknown',
      '{device, select, camera {The camera could not be started. Reload the page and try again.} other {The microphone could not be started. Reload the page and try again.}}',
      { device },
    ),
  lost: (device) =>
    t(
      'device.stopped',
      '{device, select, camera {The camera stopped working. Check its cable and close other programs that use it.} other {The microphone stopped working. Check its cable and close other programs that use it.}}',
      { device },
    ),
};

/** The words are made when they are read: a failure lasts, and the language may change. */
const failureOf = (device: Device, cause: MediaFailure['cause']): MediaFailure => ({
  cause,
  get message() {
    return cause === 'lost'
      ? t('device.lost', 'Camera or microphone connection lost. Please refresh and try again.')
      : required(device);
  },
  get advice() {
    return ADVICE[cause](device);
  },
});

/** Converts an error of `getUserMedia`. */
export function mediaFailure(device: Device, error: unknown): MediaFailure {
  const name = error instanceof Error || error instanceof DOMException ? error.name : '';
  return failureOf(device, CAUSES[name] ?? 'unknown');
}

/** A device that worked has stopped (specification 8). */
export const lostDevice = (device: Device): MediaFailure => failureOf(device, 'lost');

/**
 * The sentence beside the button while something is missing (specification 8).
 *
 * @param failed a device was refused or does not work; otherwise the prompt is still open
 */
export function permissionsSentence(needed: readonly Device[], failed: boolean): string {
  if (!needed.includes('camera')) {
    return t('device.microphonePermission', 'Microphone permission is required to continue');
  }
  if (!needed.includes('microphone')) return required('camera');
  return failed
    ? t('device.bothPermissions', 'Both camera and microphone permissions are required to continue')
    : t('device.grantBoth', 'Please ensure camera and microphone permissions are granted');
}

/**
 * How to allow a blocked device in this browser, by its user agent. Only advice depends on it, so a
 * wrong guess is harmless.
 */
export function unblockAdvice(device: Device, userAgent: string): string {
  if (/iPhone|iPad|iPod/.test(userAgent)) {
    return t(
      /* Website Settings: as Safari on phones calls it */
      'device.unblock.ios',
      '{device, select, camera {Select the page menu beside the address, open Website Settings, allow the camera, then try again.} other {Select the page menu beside the address, open Website Settings, allow the microphone, then try again.}}',
      { device },
    );
  }
  if (/Firefox\//.test(userAgent)) {
    return t(
      'device.unblock.firefox',
      '{device, select, camera {Select the crossed-out camera beside the address, clear the block, then try again.} other {Select the crossed-out microphone beside the address, clear the block, then try again.}}',
      { device },
    );
  }
  if (/Android/.test(userAgent)) {
    return t(
      /* Permissions: as Chrome on phones calls it */
      'device.unblock.android',
      '{device, select, camera {Select the icon beside the address, open Permissions, allow the camera, then try again.} other {Select the icon beside the address, open Permissions, allow the microphone, then try again.}}',
      { device },
    );
  }
  if (/Chrome\//.test(userAgent)) {
    return t(
      'device.unblock.chrome',
      '{device, select, camera {Select the icon beside the address, allow the camera, then try again.} other {Select the icon beside the address, allow the microphone, then try again.}}',
      { device },
    );
  }
  if (/Macintosh.*Safari\//.test(userAgent)) {
    return t(
      /* Settings for This Website: as Safari calls it */
      'device.unblock.safari',
      '{device, select, camera {Open Safari in the menu bar, select Settings for This Website, allow the camera, then try again.} other {Open Safari in the menu bar, select Settings for This Website, allow the microphone, then try again.}}',
      { device },
    );
  }
  return t(
    'device.unblock.other',
    '{device, select, camera {Open the site settings beside the address, allow the camera, then try again.} other {Open the site settings beside the address, allow the microphone, then try again.}}',
    { device },
  );
}
