import { preferChosen } from '../device/chosen-device.ts';
import { stopWhenAborted } from './stop-when-aborted.ts';

/** Requested on iOS (seed 9). */
const IOS_SAMPLE_RATE_HZ = 44_100;

/**
 * Asks for the microphone without the browser's processing: echo cancellation, noise suppression and
 * automatic gain would make a whisper look like a quiet room. Stops when the signal aborts.
 */
export async function openMicrophone(
  { ios }: { ios: boolean },
  signal: AbortSignal,
): Promise<MediaStream> {
  const stream = await navigator.mediaDevices.getUserMedia({
    audio: {
      echoCancellation: false,
      noiseSuppression: false,
      autoGainControl: false,
      ...preferChosen('microphone'),
      ...(ios ? { sampleRate: IOS_SAMPLE_RATE_HZ, channelCount: 1 } : {}),
    },
  });
  return stopWhenAborted(stream, signal);
}
