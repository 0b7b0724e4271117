import { type ComponentType, lazy } from 'react';

/** A screen in its own chunk, by export name. */
export function screen<K extends string>(load: () => Promise<Record<K, ComponentType>>, name: K) {
  return lazy(async () => ({ default: (await load())[name] }));
}
