import { causeText, engineWords } from '../signal-lines.ts';

/** Labels of the device check's values; unknown ones are shown unchanged. */
const LABELS: Partial<Record<string, string>> = {
  mobile: 'Phone or tablet',
  camera: 'Camera',
  cameraLabel: 'Camera name',
  microphone: 'Microphone',
  microphoneLabel: 'Microphone name',
  roomFloorDb: 'Room level',
  fullscreen: 'Fullscreen possible',
  screen: 'Screen',
  connection: 'Connection',
  roundTripMs: 'Round trip',
  keepsAnswers: 'Keeps unsent answers',
  userAgent: 'Browser',
  secondScreen: 'Second screen',
  faceFound: 'Face found',
  faces: 'Faces in view',
  brightness: 'Brightness, 0 to 255',
  baselineYaw: 'Head turned',
  baselinePitch: 'Head tilted',
  spoken: 'Voice detected',
  spokenLevel: 'Level of the voice',
  faceEngine: 'Face detected by',
  faceMs: 'Time per picture',
  faceCannotTell: 'Face not checked',
  soundEngine: 'Voice detected by',
  soundCannotTell: 'Sound not checked',
  echoCancellation: 'Echo cancellation',
  noiseSuppression: 'Noise suppression',
  autoGainControl: 'Automatic gain',
};

const UNITS: Partial<Record<string, string>> = {
  roomFloorDb: ' dB',
  roundTripMs: ' ms',
  faceMs: ' ms',
  baselineYaw: '°',
  baselinePitch: '°',
  spokenLevel: ' dB',
};
const STATES = new Set(['camera', 'microphone', 'connection']);

export interface DeviceLine {
  label: string;
  value: string;
}

/** Omits unknown values. */
export function deviceLines(check: Readonly<Record<string, unknown>> | null): DeviceLine[] {
  if (check === null) return [];
  const known = Object.keys(LABELS).filter((key) => key in check);
  const others = Object.keys(check).filter((key) => LABELS[key] === undefined);
  return [...known, ...others].flatMap((key) => {
    const words = wordsFor(key, check[key]);
    return words === null ? [] : [{ label: LABELS[key] ?? key, value: words }];
  });
}

function wordsFor(key: string, value: unknown): string | null {
  // Some browsers report this setting as text.
  if (typeof value === 'boolean' || value === 'true' || value === 'false') {
    return String(value) === 'true' ? 'Yes' : 'No';
  }
  if (typeof value === 'number') return `${value}${UNITS[key] ?? ''}`;
  if (typeof value !== 'string' || value === '') return null;
  if (key.endsWith('Engine')) return engineWords(value);
  if (key.endsWith('CannotTell')) return causeText(value) ?? value;
  // Names and browser texts are shown unchanged; states have labels.
  if (!STATES.has(key)) return value;
  return value.charAt(0).toUpperCase() + value.slice(1);
}
