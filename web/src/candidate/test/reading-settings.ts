import { useSyncExternalStore } from 'react';
import { z } from 'zod';
import { localKey } from '../../lib/person/local-keys.ts';
import { onForget } from '../../lib/person/person-memory.ts';

/** A candidate's reading settings. Stored on this device until the attempt is over. */
export const ReadingSettings = z.object({
  textSize: z.enum(['normal', 'large', 'larger']),
  letterKeys: z.boolean(),
});
export type ReadingSettings = z.infer<typeof ReadingSettings>;

/** Scale of questions and options. */
export const TEXT_SCALE = { normal: 1, large: 1.2, larger: 1.45 } as const;

const key = localKey('readingSettings', ReadingSettings);
const DEFAULTS: ReadingSettings = { textSize: 'normal', letterKeys: true };

let settings: ReadingSettings | null = null;
const listeners = new Set<() => void>();
onForget(() => {
  settings = null;
});

function read(): ReadingSettings {
  settings ??= key.read() ?? DEFAULTS;
  return settings;
}

export function changeReading(change: Partial<ReadingSettings>): void {
  settings = { ...read(), ...change };
  key.write(settings);
  for (const listener of listeners) listener();
}

export function useReading(): ReadingSettings {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, read);
}
