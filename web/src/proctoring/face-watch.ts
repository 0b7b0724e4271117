import { cannotTell } from './detectors/face-verdict.ts';
import type { FaceReport, FaceSensor } from './detectors/sensor-reports.ts';
import { frameGrabber } from './sensors/frame-grabber.ts';

export interface FaceWatchDeps {
  /** The camera's current picture; `null` while it has none. */
  grab(): Promise<ImageBitmap | null>;
  /** The face sensor; `null` while it is loading. */
  sensor(): FaceSensor | null;
  /** Gets each picture before the sensor, which closes it. */
  onPicture(picture: ImageBitmap): void;
  onReport(report: FaceReport, at: number): void;
  /** A hidden page's pictures are frozen, so none is sampled. */
  isHidden(): boolean;
  now(): number;
}

/** Evidence pictures are a second apart, however rarely faces are checked. */
const PICTURE_MS = 1_000;
/** Tolerance for timers that fire early. */
const EARLY_MS = 100;

/**
 * Samples the camera's picture, one sample at a time, until the signal aborts: runs the face sensor
 * every `everyMs` and passes a picture to `onPicture` at least once a second.
 */
export function watchFace(deps: FaceWatchDeps, everyMs: number, signal: AbortSignal): void {
  let sampling = false;
  let checkedAt = Number.NEGATIVE_INFINITY;
  const sample = async () => {
    if (sampling || signal.aborted || deps.isHidden()) return;
    sampling = true;
    try {
      const at = deps.now();
      if (at - checkedAt < everyMs - EARLY_MS) return await passOnce(deps);
      checkedAt = at;
      const report = await checkOnce(deps);
      if (!signal.aborted && !deps.isHidden()) deps.onReport(report, deps.now());
    } finally {
      sampling = false;
    }
  };
  // A whole number of pictures per face check.
  const pictures = Math.ceil(everyMs / PICTURE_MS);
  const timer = setInterval(() => void sample(), everyMs / pictures);
  signal.addEventListener('abort', () => clearInterval(timer));
  void sample();
}

async function checkOnce({ grab, sensor, onPicture }: FaceWatchDeps): Promise<FaceReport> {
  const picture = await grab();
  if (picture === null) return cannotTell('no-frame');
  onPicture(picture);
  const faces = sensor();
  if (faces !== null) return faces.check(picture);
  picture.close();
  return cannotTell('not-loaded');
}

async function passOnce({ grab, onPicture }: FaceWatchDeps): Promise<void> {
  const picture = await grab();
  if (picture === null) return;
  onPicture(picture);
  picture.close();
}

/** Samples a camera stream every `everyMs` until the signal aborts, through its own video element. */
export function watchCamera(
  stream: MediaStream,
  deps: Pick<FaceWatchDeps, 'sensor' | 'onPicture' | 'onReport'>,
  everyMs: number,
  signal: AbortSignal,
): void {
  const video = document.createElement('video');
  video.muted = true;
  video.playsInline = true;
  video.srcObject = stream;
  // A browser may refuse while the page is hidden; each sample tries again.
  const play = () => void video.play().catch(() => undefined);
  play();
  signal.addEventListener('abort', () => {
    video.srcObject = null;
  });
  const grab = frameGrabber(video);
  watchFace(
    {
      ...deps,
      grab: () => {
        if (video.paused) play();
        return grab();
      },
      isHidden: () => document.visibilityState === 'hidden',
      now: () => performance.now(),
    },
    everyMs,
    signal,
  );
}
