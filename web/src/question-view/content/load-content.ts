import { imageAddress } from './image-source.ts';
import { announceLoad, loadMathematics } from './load-mathematics.ts';

type Markdown = typeof import('./markdown-content.tsx');

let markdown: Markdown | null = null;
/** Images that were loaded: as long as the page has them, they are shown without a connection. */
const images = new Map<string, HTMLImageElement>();

export const loadedMarkdown = () => markdown;

async function loadMarkdown(): Promise<Markdown> {
  if (markdown !== null) return markdown;
  markdown = await import('./markdown-content.tsx');
  announceLoad();
  return markdown;
}

async function loadImage(src: string): Promise<void> {
  if (images.has(src)) return;
  const image = new Image();
  image.src = src;
  await image.decode();
  images.set(src, image);
}

/** Loads what shows one Markdown text, except its images. */
export async function loadFor(text: string): Promise<void> {
  const { hasMath } = await loadMarkdown();
  if (hasMath(text)) await loadMathematics([text]);
}

interface Text {
  text: string;
  format?: 'plain' | 'markdown' | undefined;
}

/** Loads what shows these texts, without their images: parser, mathematics with its fonts. */
export async function preloadParsers(texts: readonly Text[]): Promise<void> {
  const formatted = formattedIn(texts);
  if (formatted.length === 0) return;
  const { hasMath } = await loadMarkdown();
  if (formatted.some(hasMath)) await loadMathematics(formatted);
}

/**
 * Loads everything that these texts need, so that a connection lost later hides nothing; images one
 * after the other, in the order of the texts. Rejects after the last when one could not be loaded;
 * calling it again loads only what is missing.
 */
export async function preloadContent(
  texts: readonly Text[],
  imageOf: (hash: string) => string = imageAddress,
): Promise<void> {
  const formatted = formattedIn(texts);
  if (formatted.length === 0) return;
  const { imagesOf } = await loadMarkdown();
  let failed = 0;
  const missing = () => {
    failed += 1;
  };
  await preloadParsers(texts).catch(missing);
  for (const source of new Set(formatted.flatMap(imagesOf).map(imageOf))) {
    await loadImage(source).catch(missing);
  }
  if (failed > 0) throw new Error(`${failed} parts of the questions did not load`);
}

function formattedIn(texts: readonly Text[]): string[] {
  return texts.filter(({ format }) => format === 'markdown').map(({ text }) => text);
}
