import { useSyncExternalStore } from 'react';
import { z } from 'zod';
import { localKey } from '../../lib/person/local-keys.ts';
import { onForget } from '../../lib/person/person-memory.ts';

/** Where the floating picture stands; kept on this device until the attempt is over. */
export const OverlayCorner = z.enum(['top-left', 'top-right', 'bottom-right', 'bottom-left']);
export type OverlayCorner = z.infer<typeof OverlayCorner>;

const key = localKey('overlayCorner', OverlayCorner);
const listeners = new Set<() => void>();
let chosen: OverlayCorner | null = null;
onForget(() => {
  chosen = null;
});

function read(): OverlayCorner {
  chosen ??= key.read() ?? 'bottom-right';
  return chosen;
}

export function moveOverlay(corner: OverlayCorner): void {
  chosen = corner;
  key.write(corner);
  for (const listener of listeners) listener();
}

/** Where it stands: the panel goes there, and the column beside it moves aside. */
export function useOverlayPlace(): OverlayCorner {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, read);
}

/** The corner after this one, clockwise: what a press on the handle does. */
export function nextCorner(corner: OverlayCorner): OverlayCorner {
  const all = OverlayCorner.options;
  return all[(all.indexOf(corner) + 1) % all.length] ?? corner;
}

/** Where an arrow key moves it; `null` for every other key. */
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

/** The corner that is nearest to where it was let go. */
export function nearestCorner(
  centre: { x: number; y: number },
  view: { width: number; height: number },
): OverlayCorner {
  return cornerAt(centre.y < view.height / 2, centre.x < view.width / 2);
}

function cornerAt(top: boolean, left: boolean): OverlayCorner {
  if (top) return left ? 'top-left' : 'top-right';
  return left ? 'bottom-left' : 'bottom-right';
}
