import type { CountingType, FlagType } from '@invigil/core/domain/violations/violation-types';
import { t } from '@invigil/core/texts/i18n';

/** Labels of detections for administrators: what was detected, not what it may mean. */
const WORDS: Record<CountingType | FlagType, () => string> = {
  face_not_detected: () => t('signal.faceNotDetected', 'Face not detected'),
  voice_detected: () => t('signal.voiceDetected', 'Voice detected'),
  fullscreen_exit: () => t('signal.fullscreenExit', 'Left fullscreen'),
  tab_hidden: () => t('signal.tabHidden', 'Another tab or app'),
  multiple_faces: () => t('signal.multipleFaces', 'More than one person in view'),
  looking_away: () => t('signal.lookingAway', 'Looking away'),
  camera_dark: () => t(/* whether there is a face */ 'signal.cameraDark', 'Cannot tell: too dark'),
  camera_covered: () => t('signal.cameraCovered', 'Camera covered'),
  frozen_camera: () => t('signal.frozenCamera', 'Camera picture frozen'),
  camera_lost: () => t('signal.cameraLost', 'Camera lost'),
  still_face: () => t('signal.stillFace', 'Face that does not move'),
  short_speech: () => t('signal.shortSpeech', 'Short words, repeated'),
  microphone_lost: () => t('signal.microphoneLost', 'Microphone lost'),
  microphone_unjudged: () => t('signal.microphoneUnjudged', 'Microphone not checked'),
  virtual_camera: () => t('signal.virtualCamera', 'Virtual camera'),
  second_screen: () => t('signal.secondScreen', 'Second screen'),
  tab_hidden_briefly: () => t('signal.tabHiddenBriefly', 'Page hidden briefly'),
  fullscreen_left_briefly: () => t('signal.fullscreenLeftBriefly', 'Fullscreen left briefly'),
  device_slept: () =>
    t(/* the page of the assessment */ 'signal.deviceSlept', 'Page slow or paused'),
  page_failed: () => t('signal.pageFailed', 'Part of the page failed'),
  window_blur: () => t('signal.windowBlur', 'Another window in front'),
  clipboard: () => t(/* someone used it */ 'signal.clipboard', 'Copy or paste'),
  context_menu: () => t(/* someone opened it */ 'signal.contextMenu', 'Context menu'),
  print: () => t(/* someone tried to print the page */ 'signal.print', 'Print'),
  monitor_silent: () => t('signal.monitorSilent', 'No monitoring data'),
  camera_unjudged: () => t('signal.cameraUnjudged', 'Camera not checked'),
  stills_missing: () =>
    t(/* photos of the camera did not arrive */ 'signal.stillsMissing', 'Stills missing'),
  repeated_still: () =>
    t(/* the camera sent the same photo again */ 'signal.repeatedStill', 'Same still again'),
  device_contradiction: () =>
    t(
      /* the device reported conflicting details about itself */ 'signal.deviceContradiction',
      'Device claims do not match',
    ),
  ended_by_person: () => t(/* the attempt */ 'signal.endedByPerson', 'Ended by an administrator'),
};

const isKnown = (type: string): type is keyof typeof WORDS => Object.hasOwn(WORDS, type);

/** The label of a type, or its name if it has none. */
export function signalText(type: string): string {
  if (isKnown(type)) return WORDS[type]();
  const words = type.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
