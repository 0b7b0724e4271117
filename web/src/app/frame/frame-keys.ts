import { t } from '@invigil/core/texts/i18n';
import { useEffect, useEffectEvent, useRef } from 'react';
import { useNavigate } from 'react-router';
import { z } from 'zod';
import { isDialogOpen, takesLetters } from '../../lib/keys.ts';
import { localKey } from '../../lib/person/local-keys.ts';
import { useNavPages } from './admin-nav.tsx';

/** Speech input types letters without meaning them, so they can be switched off (WCAG 2.1.4). */
export const letterKeys = localKey('letterKeys', z.boolean());

/** The longest pause between `g` and the letter of a page. */
const CHORD_MS = 1_500;

/** Keys of every page of the portal, for the list of shortcuts. */
export const letterKeyTexts = (): [keys: string, what: string][] => [
  ['/', t(/* what a key does */ 'portal.shortcuts.search', 'Search the list of this page')],
  ['j', t(/* what a key does */ 'portal.shortcuts.nextRow', 'Next row')],
  ['k', t(/* what a key does */ 'portal.shortcuts.previousRow', 'Previous row')],
  ['x', t(/* what a key does */ 'portal.shortcuts.select', 'Select the row')],
  ['e', t(/* what a key does */ 'portal.shortcuts.edit', 'Edit the row')],
  ['?', t(/* what a key does */ 'portal.shortcuts.show', 'Show these shortcuts')],
];

const main = () => document.querySelector('main');
const rows = () =>
  [...(main()?.querySelectorAll<HTMLElement>('[data-row], [data-question]') ?? [])].filter((row) =>
    row.checkVisibility(),
  );
const currentRow = () =>
  document.activeElement?.closest<HTMLElement>('main [data-row], main [data-question]') ?? null;

/** Moves the focus to the row after or before the one that has it; to the first where none has. */
function moveRow(by: 1 | -1): boolean {
  const all = rows();
  const current = currentRow();
  const at = current === null ? -1 : all.indexOf(current);
  const row = all[at < 0 ? 0 : at + by];
  const controls = 'a[href], button:not(:disabled), input:not(:disabled), [tabindex="0"]';
  row?.querySelector<HTMLElement>(controls)?.focus();
  return row !== undefined;
}

function press(row: HTMLElement | null, selector: string): boolean {
  const control = row?.querySelector<HTMLElement>(selector);
  control?.click();
  return control != null;
}

function searchList(): boolean {
  const box = main()?.querySelector<HTMLInputElement>('input[type="search"]');
  box?.focus();
  box?.select();
  return box != null;
}

/** Keys of every page of the portal. A dialog and a field keep their own. */
export function useFrameKeys(show: { palette(): void; shortcuts(): void }): void {
  const navigate = useNavigate();
  const pages = useNavPages();
  const chordUntil = useRef(0);
  const onLetter = (key: string): boolean => {
    if (performance.now() < chordUntil.current) {
      chordUntil.current = 0;
      const page = pages.find(({ letter }) => letter === key);
      if (page) void navigate(page.to);
      return page !== undefined;
    }
    switch (key) {
      case 'g':
        chordUntil.current = performance.now() + CHORD_MS;
        return true;
      case '?':
        show.shortcuts();
        return true;
      case '/':
        return searchList();
      case 'j':
        return moveRow(1);
      case 'k':
        return moveRow(-1);
      case 'x':
        return press(currentRow(), 'input[type="checkbox"]');
      case 'e':
        return press(currentRow(), '[data-edit]');
      default:
        return false;
    }
  };
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing || event.altKey || isDialogOpen()) return;
    if (event.ctrlKey || event.metaKey) {
      if (event.shiftKey || event.key.toLowerCase() !== 'k') return;
      event.preventDefault();
      show.palette();
    } else if (!takesLetters(event.target) && letterKeys.read() !== false && onLetter(event.key)) {
      event.preventDefault();
    }
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}
