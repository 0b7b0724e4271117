import type { CountingType, FlagType } from '@invigil/core/domain/violations/violation-types';

/** Labels of detections for administrators: what was detected, not what it may mean. */
const WORDS: Record<CountingType | FlagType, string> = {
  face_not_detected: 'Face not detected',
  voice_detected: 'Voice detected',
  fullscreen_exit: 'Left fullscreen',
  tab_hidden: 'Another tab or app',
  multiple_faces: 'More than one person in view',
  looking_away: 'Looking away',
  camera_dark: 'Cannot tell: too dark',
  camera_covered: 'Camera covered',
  frozen_camera: 'Camera picture frozen',
  camera_lost: 'Camera lost',
  still_face: 'Face that does not move',
  short_speech: 'Short words, repeated',
  microphone_lost: 'Microphone lost',
  microphone_unjudged: 'Microphone not checked',
  virtual_camera: 'Virtual camera',
  second_screen: 'Second screen',
  tab_hidden_briefly: 'Page hidden briefly',
  fullscreen_left_briefly: 'Fullscreen left briefly',
  device_slept: 'Page slow or paused',
  page_failed: 'Part of the page failed',
  window_blur: 'Another window in front',
  clipboard: 'Copy or paste',
  context_menu: 'Context menu',
  print: 'Print',
  monitor_silent: 'No monitoring data',
  camera_unjudged: 'Camera not checked',
  stills_missing: 'Stills missing',
  repeated_still: 'Same still again',
  device_contradiction: 'Device claims do not match',
  ended_by_person: 'Ended by an administrator',
};

const isKnown = (type: string): type is keyof typeof WORDS => Object.hasOwn(WORDS, type);

/** The label of a type, or its name if it has none. */
export function signalText(type: string): string {
  if (isKnown(type)) return WORDS[type];
  const words = type.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
