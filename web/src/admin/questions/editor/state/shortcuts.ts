/** "⌘" on Apple devices, "Ctrl" elsewhere. */
export function modifierKey(): string {
  return /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl';
}

/** What the keys of the editor do, as the help lists it. */
export function shortcuts(): [keys: string, action: string][] {
  const mod = modifierKey();
  return [
    [`${mod}+S`, 'Save'],
    [`${mod}+Enter`, 'Add an option'],
    ['Alt+↑ or ↓', 'Move the option'],
    [`${mod}+B, I, E, K`, 'Bold, italic, code, link'],
    [`${mod}+Z`, 'Undo: in a text its letters, elsewhere the last step'],
    [mod === '⌘' ? '⌘+Shift+Z' : 'Ctrl+Y', 'Redo'],
    [`${mod}+Shift+V`, 'Paste without formatting'],
    ['Escape', 'Leave the editor'],
  ];
}

/** A dialog, a menu or a list is open and gets the keys. */
export function isDialogOpen(): boolean {
  return document.querySelector('[role="dialog"], [role="alertdialog"], [role="listbox"]') !== null;
}
