import { type FaceWatchDeps, watchFace } from './face-watch.ts';
import { frameGrabber } from './sensors/frame-grabber.ts';

/** Samples a camera stream every `everyMs` until the signal aborts, through its own video element. */
export function watchStream(
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
