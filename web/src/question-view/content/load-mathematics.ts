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

let hasChemistry = false;

/** KaTeX with its fonts, and with chemistry where these texts have any: a formula is not drawn before. */
export async function loadMathematics(texts: readonly string[]): Promise<void> {
  const isChemistry = texts.some((text) => /\\(?:ce|pu)\b/.test(text));
  if (mathematics !== null && (hasChemistry || !isChemistry)) return;
  const { loadFonts, showMathematics } = await import('./mathematics.ts');
  await Promise.all([loadFonts(), isChemistry && import('katex/contrib/mhchem')]);
  hasChemistry ||= isChemistry;
  // Another function: a formula that could not be read is drawn again.
  mathematics = (...formula) => showMathematics(...formula);
  announceLoad();
}
