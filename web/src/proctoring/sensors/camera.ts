import { SCREEN_LIMITS } from '@invigil/core/domain/limits';
import { preferChosen } from '../device/chosen-device.ts';
import { stopWhenAborted } from './stop-when-aborted.ts';

/** Asks for the user-facing camera, 640 x 480 (seed 9), or the chosen one. Stops when the signal aborts. */
export async function openCamera(signal: AbortSignal): Promise<MediaStream> {
  const stream = await navigator.mediaDevices.getUserMedia({
    video: {
      width: { ideal: SCREEN_LIMITS.cameraWidthPx },
      height: { ideal: SCREEN_LIMITS.cameraHeightPx },
      facingMode: 'user',
      ...preferChosen('camera'),
    },
  });
  return stopWhenAborted(stream, signal);
}
