import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';
import {
  cornerByKey,
  moveOverlay,
  nearestCorner,
  nextCorner,
  useOverlayPlace,
} from './overlay-corner.ts';

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
      const next = cornerByKey(corner, event.key);
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
          nearestCorner(center, { width: window.innerWidth, height: window.innerHeight }),
        );
      }
      letGo();
    },
    onPointerCancel: letGo,
  };
  const style = offset === null ? {} : { transform: `translate(${offset.x}px, ${offset.y}px)` };
  return { corner, panel, style, handle };
}
