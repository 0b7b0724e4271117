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
  'camera_frozen',
  'camera_lost',
  'microphone_lost',
  'virtual_camera',
  'second_screen',
  'tab_hidden_briefly',
  'device_slept',
  'window_blur',
  'clipboard',
  'context_menu',
  'print',
  'monitor_silent',
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

export function isCountingType(type: string): type is CountingType {
  return (COUNTING_TYPES as readonly string[]).includes(type);
}

export function isLifecycleType(type: string): type is LifecycleType {
  return (LIFECYCLE_TYPES as readonly string[]).includes(type);
}
