import type { FaceReport, FaceSensor } from './sensor-reports.ts';

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

/** Looks at the camera's picture every `everyMs`, one look at a time, until the signal aborts. */
export function watchFace(deps: FaceWatchDeps, everyMs: number, signal: AbortSignal): void {
  let looking = false;
  const look = async () => {
    if (looking || signal.aborted || deps.isHidden()) return;
    looking = true;
    try {
      const report = await lookOnce(deps);
      if (!signal.aborted && !deps.isHidden()) deps.onReport(report, deps.now());
    } finally {
      looking = false;
    }
  };
  const timer = setInterval(() => void look(), everyMs);
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

function nothingToJudge(reason: 'no-frame' | 'not-loaded'): FaceReport {
  return {
    verdict: 'cannot-tell',
    reason,
    faces: null,
    yaw: null,
    pitch: null,
    brightness: null,
    motion: null,
    engine: 'model',
    tookMs: 0,
  };
}
