/** The used part of `navigator.keyboard`, which desktop Chromium has. */
interface Keyboard {
  lock(keys: readonly string[]): Promise<void>;
  unlock(): void;
}

/**
 * Locks Escape in fullscreen: a short press closes a dialog without leaving fullscreen; a long press
 * still leaves it, as the browser explains. Without support or permission nothing changes.
 */
export async function holdEscape(): Promise<void> {
  try {
    await keyboard()?.lock(['Escape']);
  } catch {
    // Not allowed: fullscreen-exits.ts handles exits by Escape.
  }
}

/** Unlocks Escape. */
export function releaseEscape(): void {
  keyboard()?.unlock();
}

function keyboard(): Keyboard | null {
  const found: unknown = Reflect.get(navigator, 'keyboard');
  return isKeyboard(found) ? found : null;
}

function isKeyboard(found: unknown): found is Keyboard {
  if (typeof found !== 'object' || found === null) return false;
  return ['lock', 'unlock'].every((name) => typeof Reflect.get(found, name) === 'function');
}
