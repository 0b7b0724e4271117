/**
 * Everything that a sensor or the page can report (product 6). Only these types count, and only as far
 * as the attempt's own policy says so.
 */
export const COUNTING_TYPES = [
  'face_not_detected',
  'voice_detected',
  'fullscreen_exit',
  'tab_hidden',
] as const;

/** Shown to reviewers; never counted. */
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
  'microphone_unjudged',
  'virtual_camera',
  'second_screen',
  'tab_hidden_briefly',
  'fullscreen_left_briefly',
  'device_slept',
  'page_failed',
  'window_blur',
  'clipboard',
  'context_menu',
  'print',
  'monitor_silent',
  'camera_unjudged',
  'stills_missing',
  'repeated_still',
  'device_contradiction',
  // Not detected: the candidate's note on the end belongs to it.
  'ended_by_person',
] as const;

/** The client's reports about its lifecycle in the specification; stored as events. */
export const LIFECYCLE_TYPES = [
  'time_expired',
  'manual_submit',
  'manual_submit_violations',
  'assessment_dismissed',
] as const;

export type CountingType = (typeof COUNTING_TYPES)[number];
export type FlagType = (typeof FLAG_TYPES)[number];
export type LifecycleType = (typeof LIFECYCLE_TYPES)[number];

export function isCountingType(type: string): type is CountingType {
  return (COUNTING_TYPES as readonly string[]).includes(type);
}

export function isLifecycleType(type: string): type is LifecycleType {
  return (LIFECYCLE_TYPES as readonly string[]).includes(type);
}

/** Begins the notes of a detection that did not count, because the page could not show a warning. */
export const UNSEEN = 'unseen; ';

/** The sensor that must be on for a type to be raised; `page` always is. */
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
  'microphone_unjudged',
]);

/** The sensor that raises a type: one that is off for a person cannot raise anything. */
export function sensorOf(type: string): Sensor {
  if (CAMERA_TYPES.has(type)) return 'camera';
  return MICROPHONE_TYPES.has(type) ? 'microphone' : 'page';
}

/** How urgent a report is for a reviewer. `info` alone does not bring an attempt to review. */
export type SignalLevel = 'high' | 'low' | 'info';

/**
 * Flags that are `info` until they lasted this long, in milliseconds: a glance, a dark moment, and a slow
 * computer that leaves a minute unjudged say nothing about a person.
 */
export const LONG_MS = {
  camera_dark: 60_000,
  /** All that was longer than a glance within `LOOKING_AWAY.withinMs`. */
  looking_away: 60_000,
  camera_unjudged: 180_000,
  microphone_unjudged: 180_000,
} as const satisfies Partial<Record<FlagType, number>>;

/** From when on a turned head is looking away. Degrees from the pose of the device check. */
export const LOOKING_AWAY = {
  sideDegrees: 10,
  upOrDownDegrees: 8,
  /** Shorter is not even noted. */
  afterMs: 5_000,
  withinMs: 300_000,
} as const;

const FLAG_LEVELS: Record<FlagType, SignalLevel> = {
  multiple_faces: 'high',
  looking_away: 'low',
  camera_dark: 'low',
  camera_covered: 'low',
  frozen_camera: 'high',
  camera_lost: 'low',
  still_face: 'low',
  short_speech: 'low',
  microphone_lost: 'low',
  microphone_unjudged: 'low',
  virtual_camera: 'low',
  second_screen: 'low',
  tab_hidden_briefly: 'info',
  fullscreen_left_briefly: 'info',
  device_slept: 'info',
  // The candidate can do nothing about it.
  page_failed: 'info',
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
  ended_by_person: 'info',
};

/**
 * The level of a report; a counting type is `high`, whether or not this report counted.
 *
 * @param durationMs how long it lasted, if known
 */
export function levelOf(
  type: CountingType | FlagType,
  durationMs: number | null = null,
): SignalLevel {
  if (isCountingType(type)) return 'high';
  const long = type in LONG_MS ? LONG_MS[type as keyof typeof LONG_MS] : 0;
  return (durationMs ?? 0) < long ? 'info' : FLAG_LEVELS[type];
}

/**
 * Reports are limited per group: a flood of harmless reports must not keep violations from counting or
 * flags from being raised.
 */
export type ReportGroup = 'counting' | 'flag' | 'recorded';

/** The group that a report belongs to; `durationMs` as in levelOf. */
export function reportGroupOf(
  type: CountingType | FlagType | LifecycleType,
  durationMs: number | null,
): ReportGroup {
  if (isCountingType(type)) return 'counting';
  return isLifecycleType(type) || levelOf(type, durationMs) === 'info' ? 'recorded' : 'flag';
}
