import { useSyncExternalStore } from 'react';

/** A function is said again when the language changes: with who signs in, it does while the toast is shown. */
type Words = string | (() => string);

export interface ToastText {
  title: Words;
  description?: Words | undefined;
  variant?: 'default' | 'destructive';
  /** Takes back what the toast says; it stays for twice the time. */
  undo?: (() => void) | undefined;
}

export interface ShownToast extends ToastText {
  id: number;
  open: boolean;
}

/** One at a time (specification 9). */
const TOAST_LIMIT = 1;
/** Specification 9: a dismissed toast is hidden at once and removed after this time. */
const TOAST_REMOVE_DELAY_MS = 1_000_000;

let toasts: readonly ShownToast[] = [];
let nextId = 1;
const listeners = new Set<() => void>();

function set(next: readonly ShownToast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

/** The words in the language in use. */
export const wordsOf = (words: Words): string => (typeof words === 'string' ? words : words());

export function toast(text: ToastText): number {
  const id = nextId;
  nextId += 1;
  set([{ ...text, id, open: true }, ...toasts].slice(0, TOAST_LIMIT));
  return id;
}

export function dismissToast(id: number): void {
  if (!toasts.some((t) => t.id === id && t.open)) return;
  set(toasts.map((t) => (t.id === id ? { ...t, open: false } : t)));
  setTimeout(() => set(toasts.filter((t) => t.id !== id)), TOAST_REMOVE_DELAY_MS);
}

/** Hides toasts other than failures, to make room. */
export function dismissCalmToasts(): void {
  for (const { id, variant } of toasts) if (variant !== 'destructive') dismissToast(id);
}

export function shownToasts(): readonly ShownToast[] {
  return toasts;
}

export function useToasts(): readonly ShownToast[] {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, shownToasts);
}
