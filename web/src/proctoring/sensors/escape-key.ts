/** The part of `navigator.keyboard` that is needed; Chromium on computers has it. */
interface Keyboard {
  lock(keys: readonly string[]): Promise<void>;
  unlock(): void;
}

/**
 * While the page is in fullscreen a short press of Escape belongs to the page: it closes a dialog and
 * leaves nothing. A long press still leaves, and the browser says so. Where the browser has no such
 * thing, or says no, Escape stays the browser's.
 */
export async function holdEscape(): Promise<void> {
  try {
    await keyboard()?.lock(['Escape']);
  } catch {
    // Not allowed here: what the page does about an exit by Escape is in fullscreen-exits.ts.
  }
}

/** Escape is the browser's again. */
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
