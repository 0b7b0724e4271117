/** "⌘" on Apple devices, "Ctrl" elsewhere. */
export function modifierKey(): string {
  return /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl';
}

/** A dialog, a menu or a list is open and gets the keys. */
export function isDialogOpen(): boolean {
  return document.querySelector('[role="dialog"], [role="alertdialog"], [role="listbox"]') !== null;
}

/** Whether the browser itself undoes changes in an element. */
export function isTextField(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLTextAreaElement ||
    (target instanceof HTMLInputElement && target.type === 'text')
  );
}

/** Whether Alt types a character in a text or moves by words, as it does on Apple devices. */
export function isTypingWithAlt({ altKey, target }: KeyboardEvent): boolean {
  return altKey && modifierKey() === '⌘' && isTextField(target);
}
