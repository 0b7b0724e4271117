/**
 * Everything that a sensor or the page can report (product 6). Only the first kind counts, and only
 * as far as the attempt's own policy says so.
 */
export const COUNTING_TYPES = [
  'face_not_detected',
  'voice_detected',
  'fullscreen_exit',
  'tab_hidden',
] as const;

/** Shown to a person who judges; never counted. */
export const FLAG_TYPES = [
  'multiple_faces',
  'looking_away',
  'camera_dark',
  'camera_covered',
  'frozen_camera',
  'camera_lost',
  'still_face',
  'short_speech',
  'microphone_lost',
  'virtual_camera',
  'second_screen',
  'tab_hidden_briefly',
  'fullscreen_left_briefly',
  'device_slept',
  'window_blur',
  'clipboard',
  'context_menu',
  'print',
  'monitor_silent',
  'camera_unjudged',
  'stills_missing',
  'repeated_still',
  'device_contradiction',
] as const;

/** What the seed's client tells about its own life; kept as events. */
export const LIFECYCLE_TYPES = [
  'time_expired',
  'manual_submit',
  'manual_submit_violations',
  'assessment_dismissed',
] as const;

export type CountingType = (typeof COUNTING_TYPES)[number];
export type FlagType = (typeof FLAG_TYPES)[number];
export type LifecycleType = (typeof LIFECYCLE_TYPES)[number];

/** Names under which earlier versions stored what has another name today. */
const FORMER_NAMES: Readonly<Record<string, FlagType>> = { camera_frozen: 'frozen_camera' };

/** The type of a stored row as it is called today. */
export function typeStoredAs(name: string): string {
  return FORMER_NAMES[name] ?? name;
}

export function isCountingType(type: string): type is CountingType {
  return (COUNTING_TYPES as readonly string[]).includes(type);
}

export function isLifecycleType(type: string): type is LifecycleType {
  return (LIFECYCLE_TYPES as readonly string[]).includes(type);
}

/** What has to be switched on for a type to be raised; `page` is always. */
export type Sensor = 'camera' | 'microphone' | 'page';

const CAMERA_TYPES: ReadonlySet<string> = new Set([
  'face_not_detected',
  'multiple_faces',
  'looking_away',
  'camera_dark',
  'camera_covered',
  'frozen_camera',
  'camera_lost',
  'still_face',
  'virtual_camera',
  'camera_unjudged',
  'stills_missing',
  'repeated_still',
]);
const MICROPHONE_TYPES: ReadonlySet<string> = new Set([
  'voice_detected',
  'short_speech',
  'microphone_lost',
]);

/** Which sensor raises a type: one that is switched off for a person can raise nothing. */
export function sensorOf(type: string): Sensor {
  if (CAMERA_TYPES.has(type)) return 'camera';
  return MICROPHONE_TYPES.has(type) ? 'microphone' : 'page';
}

/** How much a report asks for a person's eye. `info` alone brings no one to the reviewer. */
export type SignalLevel = 'high' | 'low' | 'info';

const FLAG_LEVELS: Record<FlagType, SignalLevel> = {
  multiple_faces: 'high',
  looking_away: 'low',
  // No one can tell what a dark picture shows; one that stays dark is another matter, see levelOf.
  camera_dark: 'info',
  camera_covered: 'low',
  frozen_camera: 'high',
  camera_lost: 'low',
  still_face: 'low',
  short_speech: 'low',
  microphone_lost: 'low',
  virtual_camera: 'low',
  second_screen: 'low',
  tab_hidden_briefly: 'info',
  fullscreen_left_briefly: 'info',
  device_slept: 'info',
  // Notifications and password managers take the focus too.
  window_blur: 'info',
  clipboard: 'low',
  context_menu: 'info',
  print: 'low',
  monitor_silent: 'high',
  camera_unjudged: 'low',
  stills_missing: 'low',
  repeated_still: 'high',
  device_contradiction: 'low',
};

/** A picture that is dark for so long, in milliseconds, asks for a person's eye. */
export const LONG_DARK_MS = 60_000;

/**
 * The level of what was detected; what counts is high, whether or not this one did.
 *
 * @param durationMs how long it lasted, where that is known
 */
export function levelOf(
  type: CountingType | FlagType,
  durationMs: number | null = null,
): SignalLevel {
  if (isCountingType(type)) return 'high';
  return type === 'camera_dark' && (durationMs ?? 0) >= LONG_DARK_MS ? 'low' : FLAG_LEVELS[type];
}

/**
 * What is limited for itself: harmless things without end must neither keep those from counting that
 * can end an attempt, nor flags from being raised.
 */
export type ReportGroup = 'counting' | 'flag' | 'recorded';

/** The group that a report belongs to. */
export function reportGroupOf(type: CountingType | FlagType | LifecycleType): ReportGroup {
  if (isCountingType(type)) return 'counting';
  return isLifecycleType(type) || levelOf(type) === 'info' ? 'recorded' : 'flag';
}
