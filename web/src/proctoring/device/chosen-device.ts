import { z } from 'zod';
import { localKey } from '../../lib/person/local-keys.ts';
import type { Device } from './media-failure.ts';

/** Where a device has several, the one that was chosen; kept until the candidate leaves. */
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

/** A preference, and no more: without the chosen one the browser takes another. */
export function preferChosen(device: Device): { deviceId?: { ideal: string } } {
  const id = CHOSEN[device].read();
  return id === null ? {} : { deviceId: { ideal: id } };
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
