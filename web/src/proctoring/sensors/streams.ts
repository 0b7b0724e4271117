import { SCREEN_LIMITS } from '@invigil/core/domain/limits';
import { z } from 'zod';
import { localKey } from '../../lib/person/local-keys.ts';
import type { Device } from '../device/media-failure.ts';

/** The devices that the candidate selected among several; kept until the candidate leaves. */
const CHOSEN = {
  camera: localKey('chosenCamera', z.string()),
  microphone: localKey('chosenMicrophone', z.string()),
};

const KIND = { camera: 'videoinput', microphone: 'audioinput' } as const;

export interface NamedDevice {
  id: string;
  label: string;
}

export function chooseDevice(device: Device, id: string): void {
  CHOSEN[device].write(id);
}

export function forgetChosenDevices(): void {
  for (const chosen of Object.values(CHOSEN)) chosen.remove();
}

/**
 * Opens the selected device if there is one. It is a preference, and no more: where it is gone, the browser
 * takes another, and one that another program uses is no longer selected. Stops when the signal aborts.
 */
async function openPreferred(
  device: Device,
  wanted: MediaTrackConstraints,
  signal: AbortSignal,
): Promise<MediaStream> {
  const open = (track: MediaTrackConstraints) =>
    navigator.mediaDevices.getUserMedia({ [device === 'camera' ? 'video' : 'audio']: track });
  const id = CHOSEN[device].read();
  const stream = await open(id === null ? wanted : { ...wanted, deviceId: { ideal: id } }).catch(
    (cause: unknown) => {
      // Firefox says AbortError where others say NotReadableError.
      const isInUse =
        cause instanceof DOMException && ['NotReadableError', 'AbortError'].includes(cause.name);
      if (id === null || !isInUse) throw cause;
      CHOSEN[device].remove();
      return open(wanted);
    },
  );
  return stopWhenAborted(stream, signal);
}

/**
 * The cameras or microphones of this computer by name; empty where the browser does not tell. Names are
 * known once the permission is given. Windows lists each default twice, under ids that are no hash.
 */
export async function devicesOf(device: Device): Promise<NamedDevice[]> {
  try {
    const all = await navigator.mediaDevices.enumerateDevices();
    return all
      .filter(({ kind, label, deviceId }) => {
        const isAlias = deviceId === 'default' || deviceId === 'communications';
        return kind === KIND[device] && label !== '' && !isAlias;
      })
      .map(({ deviceId, label }) => ({ id: deviceId, label }));
  } catch {
    return [];
  }
}

/** Asks for the user-facing camera, 640 x 480 (specification 9), or the chosen one. */
export function openCamera(signal: AbortSignal): Promise<MediaStream> {
  const wanted = {
    width: { ideal: SCREEN_LIMITS.cameraWidthPx },
    height: { ideal: SCREEN_LIMITS.cameraHeightPx },
    facingMode: 'user',
  };
  return openPreferred('camera', wanted, signal);
}

/** Requested on iOS (specification 9). */
const IOS_SAMPLE_RATE_HZ = 44_100;

/**
 * Asks for the microphone without the browser's processing: echo cancellation, noise suppression and
 * automatic gain would make a whisper look like a quiet room.
 */
export function openMicrophone(
  { ios }: { ios: boolean },
  signal: AbortSignal,
): Promise<MediaStream> {
  const wanted = {
    echoCancellation: false,
    noiseSuppression: false,
    autoGainControl: false,
    ...(ios ? { sampleRate: IOS_SAMPLE_RATE_HZ, channelCount: 1 } : {}),
  };
  return openPreferred('microphone', wanted, signal);
}

/** Stops the tracks of a stream when the signal aborts, so that no device light remains on. */
function stopWhenAborted(stream: MediaStream, signal: AbortSignal): MediaStream {
  const stop = () => {
    for (const track of stream.getTracks()) track.stop();
  };
  signal.addEventListener('abort', stop, { once: true });
  // The prompt may be answered after the screen was left.
  if (signal.aborted) {
    stop();
    throw new DOMException('The device is no longer needed', 'AbortError');
  }
  return stream;
}

/** Whether any track of a stream is live. */
function isLive(stream: MediaStream): boolean {
  return stream.getTracks().some((track) => track.readyState === 'live');
}

/** Checks every 2 s (specification 4) whether the stream is live; reports its loss once. */
export function watchLiveness(stream: MediaStream, onLost: () => void, signal: AbortSignal): void {
  const timer = setInterval(() => {
    if (isLive(stream)) return;
    clearInterval(timer);
    onLost();
  }, SCREEN_LIMITS.streamCheckMs);
  signal.addEventListener('abort', () => clearInterval(timer));
}
