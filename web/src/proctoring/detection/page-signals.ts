import { secondScreen, watchFullscreen } from '../sensors/screen.ts';
import { type DetectedEvent, detectedEvent } from './detected-event.ts';
import { type ExitParts, type ExitWatch, watchExits } from './fullscreen-exits.ts';
import { HiddenPage, type HiddenTime, type Moment } from './hidden-page.ts';

/** The parts of the page that are observed; tests replace them. */
export interface PageParts extends ExitParts {
  document: EventTarget & { readonly visibilityState: string; hasFocus(): boolean };
  now(): Moment;
  /** Whether there is more than one screen; `null` if the browser does not expose it. */
  hasSecondScreen(): boolean | null;
  /** Hides or shows the content for printing. */
  cover(covered: boolean): void;
}

export interface PageRules {
  tabHiddenMs: number;
  /** Whether a hidden page counts or is only recorded. */
  tabHiddenCounts: boolean;
  cooldownMs: number;
  /** Whether the fullscreen rule applies. */
  fullscreen: boolean;
}

export interface PageWatch {
  onFound(found: DetectedEvent): void;
  /** The cause of a detection has ended. */
  onOver(type: DetectedEvent['type']): void;
  onExcused: ExitWatch['onExcused'];
}

const TICK_MS = 500;
/** How often it is checked whether a second screen is still connected. */
const SCREEN_EVERY_MS = 2_000;
/** Notifications and password managers take the focus briefly. */
const BLUR_MS = 1_500;
/** A long loss of focus is reported in parts of this length. */
const LONG_BLUR_MS = 10 * 60_000;
/** A fullscreen exit this soon before or after a hidden period is part of it. */
const SAME_MOMENT_MS = 1_000;

/**
 * Detects page events until the signal aborts: hidden pages, sleep, lost focus, fullscreen exits,
 * copying, the context menu, printing, a second screen. Copying, the menu and printing are also
 * prevented.
 */
export function watchPageSignals(
  page: PageParts,
  rules: PageRules,
  { onFound, onOver, onExcused }: PageWatch,
  signal: AbortSignal,
): void {
  const mono = () => page.now().monotonic;
  const report = (all: readonly DetectedEvent[]) => {
    for (const one of all) onFound(one);
  };
  const lasts = new Map<DetectedEvent['type'], number>();
  /** Reports a type at most once per cool-down. */
  const once = (
    type: DetectedEvent['type'],
    notes: string | null,
    durationMs: number | null = null,
  ) => {
    const at = mono();
    if (at - (lasts.get(type) ?? Number.NEGATIVE_INFINITY) < rules.cooldownMs) return;
    lasts.set(type, at);
    onFound(detectedEvent(type, at, { notes, durationMs }));
  };

  const hiding = new HiddenPage(rules.tabHiddenMs);
  const exits = new Exits(hiding, rules.tabHiddenCounts, (at) =>
    onFound(detectedEvent('fullscreen_exit', at)),
  );
  watchHidden(page, hiding, report, () => exits.shown(), signal);
  watchBlur(page, (durationMs) => once('window_blur', null, durationMs), signal);
  watchCopying(page, once, signal);
  watchPrinting(page, once, signal);
  if (rules.fullscreen) {
    const onExit = (at: number) => exits.left(at);
    const onBack = (at: number, durationMs: number) =>
      onFound(detectedEvent('fullscreen_left_briefly', at, { durationMs }));
    watchExits(page, { onExit, onExcused, onBack }, signal);
  }
  if (page.hasSecondScreen() !== true) return;
  once('second_screen', null);
  const checking = setInterval(() => {
    if (page.hasSecondScreen() === true) return;
    clearInterval(checking);
    onOver('second_screen');
  }, SCREEN_EVERY_MS);
  signal.addEventListener('abort', () => clearInterval(checking));
}

/**
 * Browsers leave fullscreen when the page is hidden; some fire the event only when it is shown again.
 * Such an exit is part of the hidden period: it counts only if that neither counts nor was a sleep.
 */
class Exits {
  readonly #hiding: HiddenPage;
  readonly #hidingCounts: boolean;
  readonly #onExit: (at: number) => void;
  #waiting: number | null = null;

  constructor(hiding: HiddenPage, hidingCounts: boolean, onExit: (at: number) => void) {
    this.#hiding = hiding;
    this.#hidingCounts = hidingCounts;
    this.#onExit = onExit;
  }

  left(at: number): void {
    const { latest } = this.#hiding;
    const isPart =
      latest !== null &&
      at >= latest.from - SAME_MOMENT_MS &&
      at <= (latest.until ?? at) + SAME_MOMENT_MS;
    if (!isPart) this.#onExit(at);
    else if (latest.until === null) this.#waiting = at;
    else this.#classify(at, latest);
  }

  /** The page is visible again: the type of the hidden period is known. */
  shown(): void {
    const { latest } = this.#hiding;
    if (this.#waiting !== null && latest !== null) this.#classify(this.#waiting, latest);
    this.#waiting = null;
  }

  #classify(at: number, { reportedAs }: HiddenTime): void {
    const isOne =
      reportedAs === 'device_slept' || (reportedAs === 'tab_hidden' && this.#hidingCounts);
    if (!isOne) this.#onExit(at);
  }
}

function watchHidden(
  page: PageParts,
  watch: HiddenPage,
  report: (all: readonly DetectedEvent[]) => void,
  onShown: () => void,
  signal: AbortSignal,
): void {
  const check = () => {
    if (page.document.visibilityState === 'hidden') watch.hidden(page.now());
    else {
      report(watch.shown(page.now()));
      onShown();
    }
  };
  page.document.addEventListener('visibilitychange', check, { signal });
  const ticking = setInterval(() => report(watch.tick(page.now())), TICK_MS);
  signal.addEventListener('abort', () => clearInterval(ticking));
  check();
}

/** Reports a loss of focus once the focus is back, with its duration. */
function watchBlur(
  page: PageParts,
  onBlur: (durationMs: number) => void,
  signal: AbortSignal,
): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let since: number | null = null;
  const end = () => {
    clearTimeout(timer);
    if (since !== null) onBlur(Math.round(page.now().monotonic - since));
    since = null;
  };
  const continueFrom = (from: number) => {
    since = from;
    timer = setTimeout(() => {
      end();
      continueFrom(page.now().monotonic);
    }, LONG_BLUR_MS);
  };
  const blurred = () => {
    end();
    const from = page.now().monotonic;
    timer = setTimeout(() => {
      // A hidden page is reported separately.
      if (page.document.visibilityState === 'visible' && !page.document.hasFocus())
        continueFrom(from);
    }, BLUR_MS);
  };
  page.window.addEventListener('blur', blurred, { signal });
  page.window.addEventListener('focus', end, { signal });
  page.document.addEventListener('visibilitychange', end, { signal });
  signal.addEventListener('abort', () => clearTimeout(timer));
}

type Once = (type: DetectedEvent['type'], notes: string | null) => void;

function watchCopying({ document }: PageParts, once: Once, signal: AbortSignal): void {
  for (const kind of ['copy', 'cut', 'paste']) {
    document.addEventListener(
      kind,
      (event) => {
        // Writing in a field of their own may be copied and pasted.
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
  // Printing from the browser's menu cannot be prevented: blank the page instead.
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

export function thisPage(): PageParts {
  return {
    window,
    document,
    now: () => ({ monotonic: performance.now(), wall: Date.now() }),
    watchFullscreen,
    hasSecondScreen: secondScreen,
    hasDialog: () =>
      document.querySelector('dialog[open], [role="dialog"], [role="alertdialog"]') !== null,
    cover: (covered) => {
      document.documentElement.style.visibility = covered ? 'hidden' : '';
    },
  };
}
