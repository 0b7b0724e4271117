import type { FaceReport, FaceSensor } from './detectors/sensor-reports.ts';

export interface FaceWatchDeps {
  /** The picture that the camera shows now; `null` while it shows none. */
  grab(): Promise<ImageBitmap | null>;
  /** The one who judges; `null` while it is being loaded. */
  sensor(): FaceSensor | null;
  /** Sees each picture before it is judged: judging uses it up. */
  onPicture(picture: ImageBitmap): void;
  onReport(report: FaceReport, at: number): void;
  /** Pictures of a page that is hidden stand still: then nothing is looked at. */
  isHidden(): boolean;
  now(): number;
}

/** The pictures of the evidence are a second apart, however rarely someone judges. */
const PICTURE_MS = 1_000;
/** Timers come early and late. */
const EARLY_MS = 100;

/**
 * Looks at the camera's picture, one look at a time, until the signal aborts: judges it every
 * `everyMs`, and shows it to `onPicture` at least once a second.
 */
export function watchFace(deps: FaceWatchDeps, everyMs: number, signal: AbortSignal): void {
  let looking = false;
  let judgedAt = Number.NEGATIVE_INFINITY;
  const look = async () => {
    if (looking || signal.aborted || deps.isHidden()) return;
    looking = true;
    try {
      const at = deps.now();
      if (at - judgedAt < everyMs - EARLY_MS) return await showOnce(deps);
      judgedAt = at;
      const report = await lookOnce(deps);
      if (!signal.aborted && !deps.isHidden()) deps.onReport(report, deps.now());
    } finally {
      looking = false;
    }
  };
  // A whole number of pictures to each look that judges.
  const pictures = Math.ceil(everyMs / PICTURE_MS);
  const timer = setInterval(() => void look(), everyMs / pictures);
  signal.addEventListener('abort', () => clearInterval(timer));
  void look();
}

async function lookOnce({ grab, sensor, onPicture }: FaceWatchDeps): Promise<FaceReport> {
  const picture = await grab();
  if (picture === null) return nothingToJudge('no-frame');
  onPicture(picture);
  const judge = sensor();
  if (judge !== null) return judge.check(picture);
  picture.close();
  return nothingToJudge('not-loaded');
}

async function showOnce({ grab, onPicture }: FaceWatchDeps): Promise<void> {
  const picture = await grab();
  if (picture === null) return;
  onPicture(picture);
  picture.close();
}

function nothingToJudge(reason: 'no-frame' | 'not-loaded'): FaceReport {
  return {
    verdict: 'cannot-tell',
    reason,
    faces: null,
    boxes: [],
    yaw: null,
    pitch: null,
    brightness: null,
    motion: null,
    engine: 'model',
    tookMs: 0,
  };
}
