import { t } from '@invigil/core/texts/i18n';
import { Check, TriangleAlert, X } from 'lucide-react';
import { type PointerEvent, useCallback, useEffect, useRef, useState } from 'react';
import { isReversed } from './direction.ts';
import { dismissToast, type ShownToast, useToasts, wordsOf } from './toast.ts';

const TOAST_MS = 5_000;
const UNDO_MS = 10_000;
const SWIPE_PX = 50;

/**
 * The container of the toasts: at the bottom, where lines end; on phones at the top, below the bar, so that its title
 * and buttons stay in view. F8 focuses it, Escape or a swipe to where lines end dismisses a toast. It stays reachable
 * above an open dialog.
 */
export function Toaster() {
  const shown = useToasts().filter((toast) => toast.open);
  const region = useRef<HTMLElement>(null);
  useEffect(() => (region.current === null ? undefined : keepReachable(region.current)), []);

  const calm = shown.filter((toast) => toast.variant !== 'destructive');
  const urgent = shown.filter((toast) => toast.variant === 'destructive');
  return (
    <section
      ref={region}
      data-toaster=""
      aria-label={t(/* the key F8 moves the focus to them */ 'ui.toasts', 'Notifications (F8)')}
      // A live region, so that dialogs do not hide it from screen readers.
      aria-live="polite"
      tabIndex={-1}
      className="pointer-events-none fixed inset-x-0 top-(--bar) z-60 flex flex-col items-center gap-2 p-2 md:top-auto md:bottom-0 md:inset-s-auto md:items-end md:p-6"
    >
      <div role="status" className="contents">
        {calm.map((toast) => (
          <ToastCard key={toast.id} toast={toast} />
        ))}
      </div>
      {urgent.map((toast) => (
        <ToastCard key={toast.id} toast={toast} />
      ))}
    </section>
  );
}

function ToastCard({ toast }: { toast: ShownToast }) {
  const { id, title, description, variant, undo } = toast;
  const destructive = variant === 'destructive';
  const isUndoable = undo !== undefined;
  const [resting, setResting] = useState(false);
  const swipe = useSwipe(useCallback(() => dismissToast(id), [id]));

  // Not React’s onFocus: it uses `focusin`, whose propagation the toaster stops.
  const card = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const ended = new AbortController();
    const listen = { capture: true, signal: ended.signal };
    card.current?.addEventListener('focus', () => setResting(true), listen);
    card.current?.addEventListener('blur', () => setResting(false), listen);
    return () => ended.abort();
  }, []);

  // Hover and focus pause the timer.
  useEffect(() => {
    if (resting) return;
    const timer = setTimeout(() => dismissToast(id), isUndoable ? UNDO_MS : TOAST_MS);
    return () => clearTimeout(timer);
  }, [id, resting, isUndoable]);

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: swiping is a shortcut; the button inside is the control
    <div
      ref={card}
      data-toast=""
      {...(destructive ? { role: 'alert' } : {})}
      {...swipe.handlers}
      style={
        swipe.offset === 0
          ? {}
          : { transform: `translateX(${swipe.offset * (isReversed() ? -1 : 1)}px)` }
      }
      // A click on a toast does not move the focus.
      onMouseDown={(event) => event.preventDefault()}
      onPointerEnter={() => setResting(true)}
      onPointerLeave={() => setResting(false)}
      className={`pointer-events-auto flex w-90 max-w-full animate-enter touch-pan-y select-none items-start gap-3 rounded-lg border bg-raised py-2 pe-3 ps-4 shadow-md md:py-3.5 ${destructive ? 'border-bad-line' : 'border-line'}`}
    >
      {destructive ? (
        <TriangleAlert className="size-5 flex-none text-bad-ink" />
      ) : (
        <Check className="size-5 flex-none text-ok-ink" strokeWidth={1.75} />
      )}
      <div className="min-w-0 flex-1 wrap-anywhere">
        <div className="font-medium">{wordsOf(title)}</div>
        {description !== undefined && <div className="text-ink-2">{wordsOf(description)}</div>}
      </div>
      {isUndoable && (
        <button
          type="button"
          onClick={() => {
            dismissToast(id);
            undo();
          }}
          className="-my-1 min-h-8 flex-none rounded-md px-2 font-medium text-accent-ink hover:bg-hover touch:-my-2.5 touch:min-h-11"
        >
          {t(/* a button: takes back what was just done */ 'ui.toasts.undo', 'Undo')}
        </button>
      )}
      <button
        type="button"
        data-dismiss=""
        aria-label={t(/* a button: closes a notification */ 'ui.toasts.dismiss', 'Dismiss')}
        onClick={() => dismissToast(id)}
        className="grid size-6 flex-none place-items-center rounded-md text-ink-2 hover:bg-hover touch:-my-2.5 touch:size-11"
      >
        <X className="size-4" strokeWidth={1.75} />
      </button>
    </div>
  );
}

/** How far a pointer has dragged an element to where lines end; dismisses it past the threshold. */
function useSwipe(onSwiped: () => void) {
  const from = useRef<number | null>(null);
  const dragged = ({ clientX, currentTarget }: PointerEvent) =>
    from.current === null ? 0 : (clientX - from.current) * (isReversed(currentTarget) ? -1 : 1);
  const [offset, setOffset] = useState(0);
  const end = () => {
    from.current = null;
    setOffset(0);
  };
  return {
    offset,
    handlers: {
      onPointerDown: (event: PointerEvent) => {
        if (event.button === 0) from.current = event.clientX;
      },
      onPointerMove: (event: PointerEvent) => {
        setOffset(Math.max(0, dragged(event)));
      },
      onPointerUp: (event: PointerEvent) => {
        const swiped = dragged(event) >= SWIPE_PX;
        end();
        if (swiped) onSwiped();
      },
      onPointerCancel: end,
    },
  };
}

/**
 * F8, and Escape inside. An open dialog traps the focus on `focusout` and `focusin` and closes on any
 * Escape; events of the toasts are stopped before they reach it.
 */
function keepReachable(region: HTMLElement): () => void {
  const inside = (target: EventTarget | null) => target instanceof Node && region.contains(target);
  let before: EventTarget | null = null;
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'F8') {
      event.preventDefault();
      (region.querySelector('button') ?? region).focus();
    } else if (event.key === 'Escape' && inside(event.target)) {
      event.stopImmediatePropagation();
      event.preventDefault();
      region.querySelector<HTMLElement>('[data-dismiss]')?.click();
      // The toast is gone: return the focus.
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    }
  };
  const onFocusOut = (event: FocusEvent) => {
    if (!inside(event.relatedTarget) || inside(event.target)) return;
    before = event.target;
    event.stopImmediatePropagation();
  };
  const onFocusIn = (event: FocusEvent) => {
    if (inside(event.target) && !inside(event.relatedTarget)) event.stopImmediatePropagation();
  };
  const ended = new AbortController();
  const first = { capture: true, signal: ended.signal };
  window.addEventListener('keydown', onKey, first);
  window.addEventListener('focusout', onFocusOut, first);
  window.addEventListener('focusin', onFocusIn, first);
  return () => ended.abort();
}
