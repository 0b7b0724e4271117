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
    (target instanceof HTMLElement && target.isContentEditable) ||
    (target instanceof HTMLInputElement && target.type === 'text')
  );
}

/** Whether letters that are pressed in an element are typed, or select in it. */
export function takesLetters(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return !/^(?:checkbox|radio|button)$/.test(target.type);
  return (
    target.isContentEditable ||
    target.closest('textarea, select, [role="combobox"], [role="menu"], [role="grid"]') !== null
  );
}

/** Whether Alt types a character in a text or moves by words, as it does on Apple devices. */
export function isTypingWithAlt({ altKey, target }: KeyboardEvent): boolean {
  return altKey && modifierKey() === '⌘' && isTextField(target);
}
