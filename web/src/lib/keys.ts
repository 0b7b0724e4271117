/** "⌘" on Apple devices, "Ctrl" elsewhere. */
export function modifierKey(): string {
  return /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl';
}

/** A dialog, a menu or a list is open and gets the keys. */
export function isDialogOpen(): boolean {
  return document.querySelector('[role="dialog"], [role="alertdialog"], [role="listbox"]') !== null;
}

/** Where the browser undoes by itself. */
export function isTextField(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLTextAreaElement ||
    (target instanceof HTMLInputElement && target.type === 'text')
  );
}

/** On Apple devices Alt types characters in a text, and moves by words. */
export function isTypingWithAlt({ altKey, target }: KeyboardEvent): boolean {
  return altKey && modifierKey() === '⌘' && isTextField(target);
}
