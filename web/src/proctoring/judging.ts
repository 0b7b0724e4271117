import type { ViolationPolicy } from '@invigil/core/domain/violation-policy';
import { FaceDebouncer, type Pose } from './face-debouncer.ts';
import { type Finding, finding } from './finding.ts';
import type { Device } from './media-failure.ts';
import type { DeviceStatus, Monitor } from './monitor.ts';
import { type PageParts, watchPageSignals } from './page-signals.ts';
import type { FaceReport } from './sensor-reports.ts';
import { SoundDebouncer } from './sound-debouncer.ts';
import { isVirtualCamera } from './virtual-camera.ts';

export interface JudgingPlan {
  policy: Pick<ViolationPolicy, 'face' | 'sound' | 'tabHiddenMs' | 'cooldownMs'>;
  /** The devices that this attempt asks for here. */
  devices: readonly Device[];
  /** Whether leaving fullscreen means anything here. */
  fullscreen: boolean;
  soundEveryMs: number;
  /** Where the person looks, by the device check. */
  baseline: Pose | null;
}

export interface JudgingDeps {
  monitor: Pick<Monitor, 'subscribe' | 'getSnapshot' | 'hearSound' | 'sayFace'>;
  page: PageParts;
  /** Starts looking at a stream; every look is told. */
  watchCamera(
    stream: MediaStream,
    onReport: (report: FaceReport, at: number) => void,
    signal: AbortSignal,
  ): void;
  onFound(found: Finding): void;
}

/**
 * Judges an attempt: what the devices deliver and what the page notices, until the signal aborts. It
 * asks for no device and opens none; it follows the one monitor of the attempt.
 */
export function judge(deps: JudgingDeps, plan: JudgingPlan, signal: AbortSignal): void {
  const { monitor, page, onFound } = deps;
  const { tabHiddenMs, cooldownMs } = plan.policy;
  const { fullscreen } = plan;
  watchPageSignals(page, { tabHiddenMs, cooldownMs, fullscreen }, onFound, signal);
  if (plan.devices.includes('camera')) judgeFace(deps, plan, signal);
  if (plan.devices.includes('microphone')) judgeSound(deps, plan, signal);
  for (const device of plan.devices) {
    onChange(monitor, device, signal, (status) => {
      if (status.kind !== 'failed') return;
      const type = device === 'camera' ? 'camera_lost' : 'microphone_lost';
      onFound(finding(type, page.now().monotonic, { notes: status.failure.cause }));
    });
  }
}

function judgeFace(
  { monitor, watchCamera, onFound, page }: JudgingDeps,
  plan: JudgingPlan,
  signal: AbortSignal,
): void {
  const { face, cooldownMs } = plan.policy;
  const debouncer = new FaceDebouncer({ ...face, cooldownMs }, plan.baseline);
  onStream(monitor, 'camera', signal, (stream, live) => {
    debouncer.restart();
    const label = stream.getVideoTracks()[0]?.label ?? '';
    if (isVirtualCamera(label)) {
      onFound(finding('virtual_camera', page.now().monotonic, { notes: label.slice(0, 200) }));
    }
    watchCamera(
      stream,
      (report, at) => {
        for (const one of debouncer.check(report, at)) onFound(one);
        monitor.sayFace(debouncer.shown);
      },
      live,
    );
  });
}

function judgeSound(
  { monitor, onFound, page }: JudgingDeps,
  plan: JudgingPlan,
  signal: AbortSignal,
): void {
  const { sound, cooldownMs } = plan.policy;
  const debouncer = new SoundDebouncer({ ...sound, everyMs: plan.soundEveryMs, cooldownMs });
  const stop = monitor.hearSound(({ levelDb, speech, engine }, floorDb) => {
    const level = floorDb === null ? null : 2 * (levelDb - floorDb);
    for (const one of debouncer.hear({ level, speech, engine }, page.now().monotonic)) onFound(one);
  });
  signal.addEventListener('abort', stop);
  onStream(monitor, 'microphone', signal, () => debouncer.restart());
}

/** Tells each stream of a device once, with a signal that aborts when it is there no more. */
function onStream(
  monitor: JudgingDeps['monitor'],
  device: Device,
  signal: AbortSignal,
  begin: (stream: MediaStream, live: AbortSignal) => void,
): void {
  let ended = new AbortController();
  onChange(monitor, device, signal, (status) => {
    ended.abort();
    if (status.kind !== 'granted') return;
    ended = new AbortController();
    begin(status.stream, AbortSignal.any([signal, ended.signal]));
  });
}

/** Tells the state of a device now and after each change. */
function onChange(
  monitor: JudgingDeps['monitor'],
  device: Device,
  signal: AbortSignal,
  tell: (status: DeviceStatus) => void,
): void {
  let known: DeviceStatus | null = null;
  const look = () => {
    const status = monitor.getSnapshot()[device];
    if (status === known || signal.aborted) return;
    known = status;
    tell(status);
  };
  signal.addEventListener('abort', monitor.subscribe(look));
  look();
}
