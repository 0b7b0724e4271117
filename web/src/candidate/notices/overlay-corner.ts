import { useSyncExternalStore } from 'react';
import { z } from 'zod';
import { localKey } from '../../lib/person/local-keys.ts';
import { onForget } from '../../lib/person/person-memory.ts';

/** The corner of the floating picture; stored on this device until the attempt is over. */
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

export function moveOverlay(corner: OverlayCorner): void {
  current = corner;
  key.write(corner);
  for (const listener of listeners) listener();
}

/** The current corner, for the panel and the column that makes room for it. */
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
export function cornerByKey(corner: OverlayCorner, key: string): OverlayCorner | null {
  const [row, side] = [corner.startsWith('top'), corner.endsWith('left')];
  switch (key) {
    case 'ArrowUp':
      return cornerAt(true, side);
    case 'ArrowDown':
      return cornerAt(false, side);
    case 'ArrowLeft':
      return cornerAt(row, true);
    case 'ArrowRight':
      return cornerAt(row, false);
    default:
      return null;
  }
}

/** The corner nearest to the end of a drag. */
export function nearestCorner(
  center: { x: number; y: number },
  view: { width: number; height: number },
): OverlayCorner {
  return cornerAt(center.y < view.height / 2, center.x < view.width / 2);
}

function cornerAt(top: boolean, left: boolean): OverlayCorner {
  if (top) return left ? 'top-left' : 'top-right';
  return left ? 'bottom-left' : 'bottom-right';
}
