import { type ComponentType, createElement, lazy, type ReactNode, useContext } from 'react';
import { logProblem } from '../lib/problem-log.ts';
import { fetchAgain, MissingCode } from '../proctoring/fetch-again.ts';
import { RegionAttempt } from '../ui/region.tsx';

/** The router gives it `params`. */
type Screen = ComponentType<{ children?: ReactNode; params?: unknown }>;
type Load<K extends string, S = Screen> = () => Promise<Record<K, S>>;

/** Screens that were asked for and did not come yet, because a fetch of their code has failed. */
export const lateScreens = new MissingCode({ missing: 0 });

/**
 * A screen in its own chunk, by export name. A fetch that fails is tried again until the code is here: the
 * screen before it stays, and `LateScreen` says so.
 */
export function screen<K extends string>(load: Load<K>, name: K): Screen {
  const Fetched = late(load, name);
  return ({ children }) => createElement(Fetched, null, children);
}

/** The same for a part of the page with props, such as a dialog. */
export function late<K extends string, P>(load: Load<K, ComponentType<P>>, name: K) {
  return lazy(async () => {
    let isLate = false;
    const isWanted = () => true;
    const loaded = await fetchAgain(load, isWanted, (cause) => {
      logProblem(`The screen ${name} could not be fetched; retrying`, cause);
      isLate = true;
      lateScreens.change(1);
    });
    if (isLate) lateScreens.change(-1);
    return { default: (loaded ?? (await load()))[name] };
  });
}

/**
 * The same inside a region, which has something to show instead. React remembers a failure to fetch it for
 * good; when the region around it is tried again, so is the fetch.
 */
export function screenInRegion<K extends string>(load: Load<K>, name: K): Screen {
  const fetched = () => lazy(async () => ({ default: (await load())[name] }));
  const last = { attempt: 0, Screen: fetched() };
  return ({ children }) => {
    const attempt = useContext(RegionAttempt);
    if (attempt > last.attempt) Object.assign(last, { attempt, Screen: fetched() });
    return createElement(last.Screen, null, children);
  };
}
