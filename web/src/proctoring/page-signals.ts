import { type Finding, finding } from './finding.ts';
import { HiddenPage, type Moment } from './hidden-page.ts';
import { secondScreen } from './second-screen.ts';
import { watchFullscreen } from './sensors/fullscreen.ts';

/** The parts of the page that are listened to; tests put their own here. */
export interface PageParts {
  window: EventTarget;
  document: EventTarget & { readonly visibilityState: string; hasFocus(): boolean };
  now(): Moment;
  /** Tells when fullscreen is left and entered. */
  watchFullscreen(onChange: (full: boolean) => void, signal: AbortSignal): void;
  /** Whether there is more than one screen; `null` where the browser does not tell. */
  hasSecondScreen(): boolean | null;
  /** Covers or uncovers what a printer would get. */
  cover(covered: boolean): void;
}

export interface PageRules {
  tabHiddenMs: number;
  cooldownMs: number;
  /** Whether leaving fullscreen means anything here. */
  fullscreen: boolean;
}

const TICK_MS = 500;
/** Notifications and password managers take the focus for a moment. */
const BLUR_MS = 1_500;
/** A page that is being left drops out of fullscreen first; that is no exit. */
const EXIT_HOLD_MS = 150;

/**
 * Everything the page itself notices, until the signal aborts: hidden pages, sleep, lost focus,
 * fullscreen exits, copying, the context menu, printing, a second screen. Copying, the menu and
 * printing are also kept from happening.
 */
export function watchPageSignals(
  page: PageParts,
  rules: PageRules,
  onFound: (found: Finding) => void,
  signal: AbortSignal,
): void {
  const mono = () => page.now().monotonic;
  const tell = (all: readonly Finding[]) => {
    for (const one of all) onFound(one);
  };
  const lasts = new Map<Finding['type'], number>();
  /** The same thing again and again says nothing new. */
  const once = (type: Finding['type'], notes: string | null, durationMs: number | null = null) => {
    const at = mono();
    if (at - (lasts.get(type) ?? Number.NEGATIVE_INFINITY) < rules.cooldownMs) return;
    lasts.set(type, at);
    onFound(finding(type, at, { notes, durationMs }));
  };

  watchHidden(page, rules.tabHiddenMs, tell, signal);
  watchBlur(page, (durationMs) => once('window_blur', null, durationMs), signal);
  watchCopying(page, once, signal);
  watchPrinting(page, once, signal);
  if (rules.fullscreen) {
    watchExits(page, () => onFound(finding('fullscreen_exit', mono())), signal);
  }
  if (page.hasSecondScreen() === true) once('second_screen', null);
}

function watchHidden(
  page: PageParts,
  hiddenMs: number,
  tell: (all: readonly Finding[]) => void,
  signal: AbortSignal,
): void {
  const watch = new HiddenPage(hiddenMs);
  const look = () => {
    if (page.document.visibilityState === 'hidden') watch.hidden(page.now());
    else tell(watch.shown(page.now()));
  };
  page.document.addEventListener('visibilitychange', look, { signal });
  const ticking = setInterval(() => tell(watch.tick(page.now())), TICK_MS);
  signal.addEventListener('abort', () => clearInterval(ticking));
  look();
}

function watchBlur(
  page: PageParts,
  onBlur: (durationMs: number) => void,
  signal: AbortSignal,
): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = () => clearTimeout(timer);
  const blurred = () => {
    stop();
    timer = setTimeout(() => {
      // A hidden page is another matter, and told as one.
      if (page.document.visibilityState === 'visible' && !page.document.hasFocus()) onBlur(BLUR_MS);
    }, BLUR_MS);
  };
  page.window.addEventListener('blur', blurred, { signal });
  page.window.addEventListener('focus', stop, { signal });
  signal.addEventListener('abort', stop);
}

type Once = (type: Finding['type'], notes: string | null) => void;

function watchCopying({ document }: PageParts, once: Once, signal: AbortSignal): void {
  for (const kind of ['copy', 'cut', 'paste']) {
    document.addEventListener(
      kind,
      (event) => {
        // What somebody writes in a field of their own is theirs.
        if (isField(event.target)) return;
        event.preventDefault();
        once('clipboard', kind);
      },
      { signal, capture: true },
    );
  }
  document.addEventListener(
    'contextmenu',
    (event) => {
      if (isField(event.target)) return;
      event.preventDefault();
      once('context_menu', null);
    },
    { signal, capture: true },
  );
}

function isField(target: EventTarget | null): boolean {
  return (
    target !== null && 'tagName' in target && /^(INPUT|TEXTAREA)$/.test(String(target.tagName))
  );
}

function watchPrinting(page: PageParts, once: Once, signal: AbortSignal): void {
  page.window.addEventListener(
    'keydown',
    (event) => {
      if (!('key' in event) || String(event.key).toLowerCase() !== 'p') return;
      const withCommand =
        Reflect.get(event, 'ctrlKey') === true || Reflect.get(event, 'metaKey') === true;
      if (!withCommand) return;
      event.preventDefault();
      once('print', null);
    },
    { signal, capture: true },
  );
  // The browser's own menu cannot be kept from printing: then the paper stays empty.
  page.window.addEventListener(
    'beforeprint',
    () => {
      page.cover(true);
      once('print', null);
    },
    { signal },
  );
  page.window.addEventListener('afterprint', () => page.cover(false), { signal });
  signal.addEventListener('abort', () => page.cover(false));
}

function watchExits(page: PageParts, onExit: () => void, signal: AbortSignal): void {
  const held = new Set<ReturnType<typeof setTimeout>>();
  const drop = () => {
    for (const timer of held) clearTimeout(timer);
    held.clear();
  };
  page.watchFullscreen((full) => {
    if (full) return;
    const timer = setTimeout(() => {
      held.delete(timer);
      onExit();
    }, EXIT_HOLD_MS);
    held.add(timer);
  }, signal);
  page.window.addEventListener('pagehide', drop, { signal });
  signal.addEventListener('abort', drop);
}

/** This page. */
export function thisPage(): PageParts {
  return {
    window,
    document,
    now: () => ({ monotonic: performance.now(), wall: Date.now() }),
    watchFullscreen,
    hasSecondScreen: secondScreen,
    cover: (covered) => {
      document.documentElement.style.visibility = covered ? 'hidden' : '';
    },
  };
}
