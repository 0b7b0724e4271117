import {
  type KeyboardEvent,
  type PointerEvent,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { z } from 'zod';
import { localKey } from '../../lib/person/local-keys.ts';
import { onForget } from '../../lib/person/person-memory.ts';
import { inlineArrow, isReversed } from '../../ui/direction.ts';

/**
 * The corner of the floating picture; stored on this device until the attempt is over. Left is where lines
 * begin, so on a page from right to left it is on the right.
 */
export const OverlayCorner = z.enum(['top-left', 'top-right', 'bottom-right', 'bottom-left']);
export type OverlayCorner = z.infer<typeof OverlayCorner>;

const key = localKey('overlayCorner', OverlayCorner);
const listeners = new Set<() => void>();
let current: OverlayCorner | null = null;
onForget(() => {
  current = null;
});

function read(): OverlayCorner {
  current ??= key.read() ?? 'bottom-right';
  return current;
}

function moveOverlay(corner: OverlayCorner): void {
  current = corner;
  key.write(corner);
  for (const listener of listeners) listener();
}

export function useOverlayPlace(): OverlayCorner {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, read);
}

/** The next corner clockwise, for a press on the handle. */
export function nextCorner(corner: OverlayCorner): OverlayCorner {
  const all = OverlayCorner.options;
  return all[(all.indexOf(corner) + 1) % all.length] ?? corner;
}

/** The corner an arrow key moves it to; `null` for other keys. */
export function cornerByKey(
  corner: OverlayCorner,
  key: string,
  way: 'forward' | 'back' | null,
): OverlayCorner | null {
  const [row, side] = [corner.startsWith('top'), corner.endsWith('left')];
  if (way !== null) return cornerAt(row, way === 'back');
  return key === 'ArrowUp' || key === 'ArrowDown' ? cornerAt(key === 'ArrowUp', side) : null;
}

/** The corner nearest to the end of a drag. */
export function nearestCorner(
  center: { x: number; y: number },
  view: { width: number; height: number },
  reversed: boolean,
): OverlayCorner {
  return cornerAt(center.y < view.height / 2, center.x < view.width / 2 !== reversed);
}

function cornerAt(top: boolean, left: boolean): OverlayCorner {
  if (top) return left ? 'top-left' : 'top-right';
  return left ? 'bottom-left' : 'bottom-right';
}

/** Movement from which a press is a drag, pixels. */
const DRAG_PX = 4;

/** Moves a floating panel between corners by its handle: drag, press or arrow keys. */
export function useOverlayCorner() {
  const corner = useOverlayPlace();
  const [offset, setOffset] = useState<{ x: number; y: number } | null>(null);
  const panel = useRef<HTMLElement>(null);
  const from = useRef<{ x: number; y: number } | null>(null);
  const dragged = useRef(false);
  const letGo = () => {
    from.current = null;
    setOffset(null);
  };

  const handle = {
    onClick: () => {
      // Ignore the click at the end of a drag.
      if (!dragged.current) moveOverlay(nextCorner(corner));
      dragged.current = false;
    },
    onKeyDown: (event: KeyboardEvent) => {
      const next = cornerByKey(corner, event.key, inlineArrow(event));
      if (next === null) return;
      event.preventDefault();
      moveOverlay(next);
    },
    onPointerDown: (event: PointerEvent) => {
      if (event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      from.current = { x: event.clientX, y: event.clientY };
      dragged.current = false;
    },
    onPointerMove: (event: PointerEvent) => {
      if (from.current === null) return;
      const next = { x: event.clientX - from.current.x, y: event.clientY - from.current.y };
      dragged.current ||= Math.hypot(next.x, next.y) > DRAG_PX;
      if (dragged.current) setOffset(next);
    },
    onPointerUp: () => {
      const place = panel.current?.getBoundingClientRect();
      if (dragged.current && place !== undefined) {
        const center = { x: place.x + place.width / 2, y: place.y + place.height / 2 };
        moveOverlay(
          nearestCorner(
            center,
            { width: window.innerWidth, height: window.innerHeight },
            isReversed(),
          ),
        );
      }
      letGo();
    },
    onPointerCancel: letGo,
  };
  const style = offset === null ? {} : { transform: `translate(${offset.x}px, ${offset.y}px)` };
  return { corner, panel, style, handle };
}
