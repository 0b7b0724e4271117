type ShowMathematics = typeof import('./mathematics.ts').showMathematics;

let mathematics: ShowMathematics | null = null;
const watchers = new Set<() => void>();

/** Calls `changed` after each part that was loaded. */
export function watchLoads(changed: () => void): () => void {
  watchers.add(changed);
  return () => watchers.delete(changed);
}

export function announceLoad(): void {
  for (const changed of watchers) changed();
}

export const loadedMathematics = () => mathematics;

/** KaTeX with its fonts: a formula is not drawn before they are here. */
export async function loadMathematics(): Promise<void> {
  if (mathematics !== null) return;
  const { loadFonts, showMathematics } = await import('./mathematics.ts');
  await loadFonts();
  mathematics = showMathematics;
  announceLoad();
}
