import { Slot } from 'radix-ui';
import {
  type FocusEvent,
  type PointerEvent,
  type ReactElement,
  useCallback,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { createPortal } from 'react-dom';
import { placeBeside, type WishedSide } from './place-beside.ts';

/** Specification 9: delay before the first tooltip; within the skip time the next one opens at once. */
const OPEN_DELAY_MS = 700;
const SKIP_DELAY_MS = 300;
/** Time to move the pointer from the control onto the tooltip, which then stays open. */
const LEAVE_MS = 120;

/** Closes the open tooltip: at most one is open, and the next one replaces it without a delay. */
let closeOpenOne: (() => void) | null = null;
let lastClosedAt = Number.NEGATIVE_INFINITY;

/**
 * Tooltip of a control on hover and keyboard focus; Escape closes it. The control needs its own
 * accessible name. Not from Radix, whose floating layer is as large as a screen and which renders the
 * text twice.
 */
export function Tooltip({
  text,
  side = 'top',
  describes = true,
  className = '',
  children,
}: {
  text: string;
  side?: WishedSide;
  /** The text adds to the control's name, so screen readers announce it too. */
  describes?: boolean;
  /** Used for a tooltip that is needed only at some widths. */
  className?: string;
  children: ReactElement;
}) {
  const id = useId();
  const trigger = useRef<HTMLElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [isOpen, setOpen] = useState(false);

  const after = useCallback((ms: number, open: boolean) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setOpen(open), ms);
  }, []);
  const close = useCallback(() => {
    clearTimeout(timer.current);
    setOpen(false);
  }, []);
  useEffect(() => () => clearTimeout(timer.current), []);

  return (
    <>
      <Slot.Root
        ref={trigger}
        {...(isOpen && describes ? { 'aria-describedby': id } : {})}
        onPointerEnter={(event: PointerEvent) => {
          // Touch has no hover: the tooltip of the pressed control would open.
          if (event.pointerType === 'touch') return;
          const skips = closeOpenOne !== null || performance.now() - lastClosedAt < SKIP_DELAY_MS;
          after(skips ? 0 : OPEN_DELAY_MS, true);
        }}
        onPointerLeave={() => after(LEAVE_MS, false)}
        onPointerDown={close}
        onFocus={(event: FocusEvent) => {
          if (event.currentTarget.matches(':focus-visible')) after(0, true);
        }}
        onBlur={close}
      >
        {children}
      </Slot.Root>
      {isOpen && (
        <Bubble
          id={id}
          text={text}
          side={side}
          className={className}
          anchor={trigger}
          onEnter={() => clearTimeout(timer.current)}
          onLeave={() => after(LEAVE_MS, false)}
          onClose={close}
        />
      )}
    </>
  );
}

function Bubble({
  id,
  text,
  side,
  className,
  anchor,
  onEnter,
  onLeave,
  onClose,
}: {
  id: string;
  text: string;
  side: WishedSide;
  className: string;
  anchor: { current: HTMLElement | null };
  onEnter(): void;
  onLeave(): void;
  onClose(): void;
}) {
  useEffect(() => {
    closeOpenOne?.();
    closeOpenOne = onClose;
    const ended = new AbortController();
    const { signal } = ended;
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      // Close only the tooltip: an enclosing dialog closes on the next Escape. From a toolbar the same one leads
      // back to its text.
      if (!document.activeElement?.closest('[role=toolbar]')) event.stopImmediatePropagation();
      onClose();
    };
    window.addEventListener('keydown', onKey, { capture: true, signal });
    window.addEventListener('scroll', onClose, { capture: true, passive: true, signal });
    return () => {
      ended.abort();
      if (closeOpenOne === onClose) closeOpenOne = null;
      lastClosedAt = performance.now();
    };
  }, [onClose]);

  return createPortal(
    <div
      id={id}
      role="tooltip"
      ref={(element) => {
        if (element !== null && anchor.current !== null) {
          placeBeside(element, anchor.current.getBoundingClientRect(), side);
        }
      }}
      onPointerEnter={onEnter}
      onPointerLeave={onLeave}
      className={`group pointer-events-auto fixed top-0 left-0 z-50 w-max max-w-72 animate-enter rounded-md bg-ink px-2.5 py-1.5 text-xs text-surface shadow-md ${className}`}
    >
      {text}
      <span
        aria-hidden="true"
        className="absolute size-2.5 rotate-45 bg-ink group-data-[side=bottom]:-top-1 group-data-[side=bottom]:left-(--arrow) group-data-[side=left]:top-(--arrow) group-data-[side=left]:-right-1 group-data-[side=right]:top-(--arrow) group-data-[side=right]:-left-1 group-data-[side=top]:-bottom-1 group-data-[side=top]:left-(--arrow)"
      />
    </div>,
    document.body,
  );
}
