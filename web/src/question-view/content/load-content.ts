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
  if (hasMath(text)) await loadMathematics();
}

/**
 * Loads everything that these texts need, so that a connection lost later hides nothing: parser,
 * mathematics with its fonts, images. Rejects after the last when one could not be loaded; calling it
 * again loads only what is missing.
 */
export async function preloadContent(
  texts: readonly { text: string; format?: 'plain' | 'markdown' | undefined }[],
  imageOf: (hash: string) => string = imageAddress,
): Promise<void> {
  const formatted = texts.filter(({ format }) => format === 'markdown').map(({ text }) => text);
  if (formatted.length === 0) return;
  const { hasMath, imagesOf } = await loadMarkdown();
  const sources = new Set(formatted.flatMap(imagesOf).map(imageOf));
  const loads = [...sources].map(loadImage);
  if (formatted.some(hasMath)) loads.push(loadMathematics());
  const failed = (await Promise.allSettled(loads)).filter(({ status }) => status === 'rejected');
  if (failed.length > 0) throw new Error(`${failed.length} parts of the questions did not load`);
}
