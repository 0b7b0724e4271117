/** A page that is being left or hidden drops out of fullscreen first; that alone is no exit. */
const EXIT_HOLD_MS = 500;
/** An Escape that the page saw, too, belongs to the exit that follows it at once. */
const ESCAPE_MS = 1_000;
/** How soon someone has to be back whom Escape took out of fullscreen together with a dialog. */
export const RETURN_MS = 15_000;

/** The parts of the page that an exit is judged by; tests put their own here. */
export interface ExitParts {
  window: EventTarget;
  now(): { monotonic: number };
  /** Tells when fullscreen is left and entered. */
  watchFullscreen(onChange: (full: boolean) => void, signal: AbortSignal): void;
  /** Whether something is open that Escape closes: a dialog, a sheet, a menu. */
  hasDialog(): boolean;
}

export interface ExitWatch {
  /** Fullscreen was left. `at` in monotonic milliseconds. */
  onExit(at: number): void;
  /** An exit is excused, or no more: they are back, or their time is up and it is told. */
  onExcused(excused: boolean): void;
  /** Who was excused is back in time. */
  onBack(leftAt: number, durationMs: number): void;
}

/**
 * Tells exits from fullscreen, until the signal aborts. Escape closes dialogs everywhere, but in
 * fullscreen some browsers take it for themselves: anyone who answers a dialog by keyboard would pay for
 * it with a warning. So an exit with a dialog open is none if they are back soon. That opens no door:
 * the questions are covered in the meantime, and a reload leaves fullscreen as well, without a warning.
 */
export function watchExits(page: ExitParts, watch: ExitWatch, signal: AbortSignal): void {
  const held = new Set<ReturnType<typeof setTimeout>>();
  let excused: ReturnType<typeof setTimeout> | undefined;
  let escapedAt = Number.NEGATIVE_INFINITY;
  let leftAt = 0;
  let hadDialog = false;
  const mono = () => page.now().monotonic;
  const pardon = () => {
    if (excused === undefined) return;
    clearTimeout(excused);
    excused = undefined;
    watch.onExcused(false);
  };
  const excuse = (at: number) => {
    pardon();
    leftAt = at;
    excused = setTimeout(() => {
      pardon();
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
      return pardon();
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
  // Before anyone else hears of it: the screens change at once, and a dialog may go with them.
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
