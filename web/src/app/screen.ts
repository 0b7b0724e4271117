import { type ComponentType, createElement, lazy, type ReactNode, useContext } from 'react';
import { RegionAttempt } from '../ui/region.tsx';

/** The router gives it `params`. */
type Screen = ComponentType<{ children?: ReactNode; params?: unknown }>;

/**
 * A screen in its own chunk, by export name. React remembers a failure to fetch it for good; when the region
 * around it is tried again, so is the fetch.
 */
export function screen<K extends string>(load: () => Promise<Record<K, Screen>>, name: K): Screen {
  const fetched = () => lazy(async () => ({ default: (await load())[name] }));
  const last = { attempt: 0, Screen: fetched() };
  return ({ children }) => {
    const attempt = useContext(RegionAttempt);
    if (attempt > last.attempt) Object.assign(last, { attempt, Screen: fetched() });
    return createElement(last.Screen, null, children);
  };
}
