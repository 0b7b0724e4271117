/** A device the assessment asks for. */
export type Device = 'camera' | 'microphone';

/** Why a device cannot be used, in the specification's words, and what the candidate can do about it. */
export interface MediaFailure {
  cause: 'refused' | 'missing' | 'busy' | 'unsuitable' | 'insecure' | 'lost' | 'unknown';
  message: string;
  advice: string;
}

const REQUIRED: Record<Device, string> = {
  camera: 'Camera access is required for this assessment',
  microphone: 'Microphone access is required for this assessment',
};

/** Shown when a working device is lost (specification 8). */
const CONNECTION_LOST = 'Camera or microphone connection lost. Please refresh and try again.';

/**
 * Converts an error of `getUserMedia`. Names are those of the Media Capture specification, with the
 * variants of older Firefox and WebKit.
 */
export function mediaFailure(device: Device, error: unknown): MediaFailure {
  const message = REQUIRED[device];
  const name = error instanceof Error || error instanceof DOMException ? error.name : '';
  switch (name) {
    case 'NotAllowedError':
    case 'PermissionDeniedError':
      return {
        cause: 'refused',
        message,
        advice: unblockAdvice(device, navigator.userAgent),
      };
    case 'NotFoundError':
    case 'DevicesNotFoundError':
      return {
        cause: 'missing',
        message,
        advice: `No ${device} was found. Connect one, then try again.`,
      };
    case 'NotReadableError':
    case 'TrackStartError':
    case 'AbortError':
      return {
        cause: 'busy',
        message,
        advice: `Another program is using the ${device}. Close it, then try again.`,
      };
    case 'OverconstrainedError':
    case 'ConstraintNotSatisfiedError':
      return {
        cause: 'unsuitable',
        message,
        advice: `This ${device} does not offer what is needed. Connect another one, then try again.`,
      };
    case 'SecurityError':
    case 'TypeError':
      return {
        cause: 'insecure',
        message,
        advice: `This browser does not allow ${device} access at this address. Open the address with https, or contact the person who invited you.`,
      };
    default:
      return {
        cause: 'unknown',
        message,
        advice: `The ${device} could not be started. Reload the page and try again.`,
      };
  }
}

/** A device that worked has stopped. */
export function lostDevice(device: Device): MediaFailure {
  return {
    cause: 'lost',
    message: CONNECTION_LOST,
    advice: `The ${device} stopped working. Check its cable and close other programs that use it.`,
  };
}

/**
 * The sentence beside the button while something is missing (specification 8).
 *
 * @param failed a device was refused or does not work; otherwise the prompt is still open
 */
export function permissionsSentence(needed: readonly Device[], failed: boolean): string {
  if (!needed.includes('camera')) return 'Microphone permission is required to continue';
  if (!needed.includes('microphone')) return REQUIRED.camera;
  return failed
    ? 'Both camera and microphone permissions are required to continue'
    : 'Please ensure camera and microphone permissions are granted';
}

/**
 * How to allow a blocked device in this browser, by its user agent. Only advice depends on it, so a
 * wrong guess is harmless.
 *
 * @param device name of the device within a sentence
 */
export function unblockAdvice(device: string, userAgent: string): string {
  if (/iPhone|iPad|iPod/.test(userAgent)) {
    return `Select the page menu beside the address, open Website Settings, allow the ${device}, then try again.`;
  }
  if (/Firefox\//.test(userAgent)) {
    return `Select the crossed-out ${device} beside the address, clear the block, then try again.`;
  }
  if (/Android/.test(userAgent)) {
    return `Select the icon beside the address, open Permissions, allow the ${device}, then try again.`;
  }
  if (/Chrome\//.test(userAgent)) {
    return `Select the icon beside the address, allow the ${device}, then try again.`;
  }
  if (/Macintosh.*Safari\//.test(userAgent)) {
    return `Open Safari in the menu bar, select Settings for This Website, allow the ${device}, then try again.`;
  }
  return `Open the site settings beside the address, allow the ${device}, then try again.`;
}
