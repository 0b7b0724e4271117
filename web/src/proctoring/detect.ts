import type { ViolationPolicy } from '@invigil/core/domain/violations/violation-policy';
import { LONG_MS } from '@invigil/core/domain/violations/violation-types';
import { type DetectedEvent, detectedEvent } from './detection/detected-event.ts';
import { FaceDebouncer, type Pose } from './detection/face-debouncer.ts';
import { type PageParts, watchPageSignals } from './detection/page-signals.ts';
import { SoundDebouncer } from './detection/sound-debouncer.ts';
import type { FaceReport, FaceSensor, NoSound } from './detectors/sensor-reports.ts';
import type { Device } from './device/media-failure.ts';
import { isVirtualCamera } from './device/virtual-camera.ts';
import { watchCamera } from './face-watch.ts';
import { onDeviceChange, onStream } from './follow-device.ts';
import type { Monitor } from './monitor.ts';

export interface DetectionPlan {
  policy: Pick<
    ViolationPolicy,
    'face' | 'sound' | 'tabHidden' | 'tabHiddenMs' | 'cooldownMs' | 'faceCovered' | 'mayUsePaper'
  >;
  /** The devices that this attempt asks for here. */
  devices: readonly Device[];
  /** Whether leaving fullscreen means anything here. */
  fullscreen: boolean;
  soundEveryMs: number;
  /** Head pose measured at the device check. */
  baseline: Pose | null;
}

export interface DetectionDeps {
  monitor: Pick<Monitor, 'subscribe' | 'getSnapshot' | 'onSound' | 'showFace'>;
  page: PageParts;
  /** The face sensor; `null` while it is loading. */
  sensor(): FaceSensor | null;
  /** Gets each camera picture before the sensor, which closes it. */
  onPicture(picture: ImageBitmap): void;
  /** Samples a camera stream; tests replace it. */
  watchCamera?: typeof watchCamera;
  onFound(found: DetectedEvent): void;
  /** The cause of a detection has ended: the picture is fine again, the device is back. */
  onOver(type: DetectedEvent['type']): void;
  /** A voice is heard that counts if it goes on, or not any more. */
  onVoice(isHeard: boolean): void;
  /** A fullscreen exit is not reported yet: a candidate who returns in time is excused. */
  onExcused(excused: boolean): void;
}

const LOST = { camera: 'camera_lost', microphone: 'microphone_lost' } as const;
/** How long the browser's permission prompt may stay unanswered, milliseconds. */
const ANSWER_MS = 30_000;
const SOUND_TICK_MS = 5_000;
/** Ticks in a row in which a muted microphone is lost, and one that cannot be measured is flagged. */
const UNHEARD_TICKS = 12;
const LONG_UNJUDGED_TICKS = LONG_MS.microphone_unjudged / SOUND_TICK_MS;

/**
 * Detects violations in what the devices deliver and in page events, until the signal aborts. It
 * opens no device; it follows the attempt's monitor.
 *
 * @returns the number of face checks, and a callback for an absence that the server did not count
 */
export function detect(
  deps: DetectionDeps,
  plan: DetectionPlan,
  signal: AbortSignal,
): { readonly checks: number; faceNotCounted(): void } {
  const { monitor, page, onFound, onOver, onExcused } = deps;
  const { tabHidden, tabHiddenMs, cooldownMs } = plan.policy;
  const { fullscreen } = plan;
  const rules = { tabHiddenMs, tabHiddenCounts: tabHidden !== 'record', cooldownMs, fullscreen };
  watchPageSignals(page, rules, { onFound, onOver, onExcused }, signal);
  const face = plan.devices.includes('camera') ? detectFace(deps, plan, signal) : null;
  if (plan.devices.includes('microphone')) detectSound(deps, plan, signal);
  for (const device of plan.devices) {
    const lost = (notes: string) =>
      onFound(detectedEvent(LOST[device], page.now().monotonic, { notes }));
    let waiting: ReturnType<typeof setTimeout> | undefined;
    onDeviceChange(monitor, device, signal, (status) => {
      clearTimeout(waiting);
      if (status.kind === 'failed') lost(status.failure.cause);
      if (status.kind === 'granted') onOver(LOST[device]);
      if (status.kind === 'asking') waiting = setTimeout(() => lost('not answered'), ANSWER_MS);
    });
    signal.addEventListener('abort', () => clearTimeout(waiting));
  }
  return {
    get checks() {
      return face?.checks ?? 0;
    },
    faceNotCounted: () => face?.notCounted(),
  };
}

function detectFace(
  {
    monitor,
    sensor,
    onPicture,
    onFound,
    onOver,
    page,
    watchCamera: watch = watchCamera,
  }: DetectionDeps,
  plan: DetectionPlan,
  signal: AbortSignal,
): FaceDebouncer {
  const { face, cooldownMs, faceCovered, mayUsePaper } = plan.policy;
  const debouncer = new FaceDebouncer(
    { ...face, cooldownMs, faceCovered, mayUsePaper },
    plan.baseline,
  );
  onStream(monitor, 'camera', signal, (stream, live) => {
    debouncer.restart();
    const label = stream.getVideoTracks()[0]?.label ?? '';
    if (isVirtualCamera(label)) {
      onFound(
        detectedEvent('virtual_camera', page.now().monotonic, { notes: label.slice(0, 200) }),
      );
    }
    const onReport = (report: FaceReport, at: number) => {
      const before = debouncer.lasting;
      for (const one of debouncer.check(report, at)) onFound(one);
      const { lasting, shown, countsInMs } = debouncer;
      for (const type of before) if (!lasting.includes(type)) onOver(type);
      monitor.showFace(shown, countsInMs);
    };
    watch(stream, { sensor, onPicture, onReport }, face.everyMs, live);
  });
  return debouncer;
}

function detectSound(
  { monitor, onFound, onOver, onVoice, page }: DetectionDeps,
  plan: DetectionPlan,
  signal: AbortSignal,
): void {
  const { sound, cooldownMs } = plan.policy;
  const unheard = (type: 'microphone_lost' | 'microphone_unjudged', notes: string, ticks: number) =>
    onFound(
      detectedEvent(type, page.now().monotonic, { notes, durationMs: ticks * SOUND_TICK_MS }),
    );
  const debouncer = new SoundDebouncer({ ...sound, everyMs: plan.soundEveryMs, cooldownMs });
  let unjudged: NoSound | 'no-sound' = 'no-sound';
  let unjudgedTicks = 0;
  const stop = monitor.onSound(({ levelDb, speech, engine, reason }, floorDb) => {
    if (reason === null && unjudgedTicks >= UNHEARD_TICKS) onOver('microphone_unjudged');
    if (reason === null) unjudgedTicks = 0;
    unjudged = reason ?? 'no-sound';
    const level = levelDb === null || floorDb === null ? null : 2 * (levelDb - floorDb);
    for (const one of debouncer.check({ level, speech, engine }, page.now().monotonic))
      onFound(one);
    onVoice(debouncer.isWarning);
  });
  signal.addEventListener('abort', stop);
  onStream(monitor, 'microphone', signal, (stream, live) => {
    debouncer.restart();
    unjudgedTicks = 0;
    let mutedTicks = 0;
    // Counts ticks, which pause while the device sleeps.
    const timer = setInterval(() => {
      unjudgedTicks += 1;
      const isMuted = stream.getAudioTracks().some((track) => track.muted);
      if (!isMuted && mutedTicks >= UNHEARD_TICKS) onOver('microphone_lost');
      mutedTicks = isMuted ? mutedTicks + 1 : 0;
      if (mutedTicks === UNHEARD_TICKS) unheard('microphone_lost', 'muted', mutedTicks);
      else if (unjudgedTicks === UNHEARD_TICKS || unjudgedTicks === LONG_UNJUDGED_TICKS) {
        unheard('microphone_unjudged', unjudged, unjudgedTicks);
      }
    }, SOUND_TICK_MS);
    live.addEventListener('abort', () => {
      clearInterval(timer);
      onVoice(false);
    });
  });
}
