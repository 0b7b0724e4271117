/** A page that is closed or hidden leaves fullscreen first; that alone is not an exit. */
const EXIT_HOLD_MS = 500;
/** An Escape that the page received belongs to an exit within this time. */
const ESCAPE_MS = 1_000;
/** Time to return after an Escape that closed a dialog also left fullscreen. */
export const RETURN_MS = 15_000;

/** The parts of the page that exits depend on; tests replace them. */
export interface ExitParts {
  window: EventTarget;
  now(): { monotonic: number };
  /** Reports when fullscreen is left and entered. */
  watchFullscreen(onChange: (full: boolean) => void, signal: AbortSignal): void;
  /** Whether something is open that Escape closes: a dialog, a sheet, a menu. */
  hasDialog(): boolean;
}

export interface ExitWatch {
  /** Fullscreen was left. `at` in monotonic milliseconds. */
  onExit(at: number): void;
  /** An exit is excused, or no longer: fullscreen returned, or the time is up and the exit is reported. */
  onExcused(excused: boolean): void;
  /** Fullscreen returned in time after an excused exit. */
  onBack(leftAt: number, durationMs: number): void;
}

/**
 * Reports exits from fullscreen, until the signal aborts. Escape closes dialogs, but in fullscreen some
 * browsers also leave fullscreen on it, which would cost a candidate who uses the keyboard a warning. So
 * an exit with a dialog open is excused if fullscreen returns soon. This is no loophole: the questions
 * are covered until then, and a reload leaves fullscreen without a warning as well.
 */
export function watchExits(page: ExitParts, watch: ExitWatch, signal: AbortSignal): void {
  const held = new Set<ReturnType<typeof setTimeout>>();
  let excused: ReturnType<typeof setTimeout> | undefined;
  let escapedAt = Number.NEGATIVE_INFINITY;
  let leftAt = 0;
  let hadDialog = false;
  const mono = () => page.now().monotonic;
  const endExcuse = () => {
    if (excused === undefined) return;
    clearTimeout(excused);
    excused = undefined;
    watch.onExcused(false);
  };
  const excuse = (at: number) => {
    endExcuse();
    leftAt = at;
    excused = setTimeout(() => {
      endExcuse();
      watch.onExit(at);
    }, RETURN_MS);
    watch.onExcused(true);
  };
  const hold = (at: number) => {
    const timer = setTimeout(() => {
      held.delete(timer);
      watch.onExit(at);
    }, EXIT_HOLD_MS);
    held.add(timer);
  };
  page.watchFullscreen((full) => {
    const at = mono();
    if (full) {
      if (excused !== undefined) watch.onBack(leftAt, at - leftAt);
      return endExcuse();
    }
    if (hadDialog || at - escapedAt < ESCAPE_MS) excuse(at);
    else hold(at);
  }, signal);
  const drop = () => {
    for (const timer of held) clearTimeout(timer);
    held.clear();
    clearTimeout(excused);
    excused = undefined;
  };
  // Capture phase: the screens react to this event, and the dialog may be gone after that.
  page.window.addEventListener(
    'fullscreenchange',
    () => {
      hadDialog = page.hasDialog();
    },
    { signal, capture: true },
  );
  page.window.addEventListener(
    'keydown',
    (event) => {
      if ('key' in event && event.key === 'Escape' && page.hasDialog()) escapedAt = mono();
    },
    { signal, capture: true },
  );
  page.window.addEventListener('pagehide', drop, { signal });
  signal.addEventListener('abort', drop);
}
