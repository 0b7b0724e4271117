import { inOneFormat, markdownFromHtml } from '@invigil/core/content/html/html-text';
import type { TextFormat } from '@invigil/core/domain/questions/question-definition';

/** All texts of a question, which have one format. */
export interface ItemTexts {
  format: TextFormat;
  texts: string[];
  notes: string[];
}

/** An image as the texts name it: its hash, or why it is left out. */
export type ImageOrReason = { hash: string } | { reason: string };

/**
 * Converts the texts of a question. Images are fetched before they are needed: the conversion itself
 * cannot wait.
 */
export async function textsFromHtml(
  html: readonly string[],
  image: (src: string) => Promise<ImageOrReason>,
  isMarkdown?: boolean,
): Promise<ItemTexts> {
  const images = await fetchImages(html, image);
  const reasons = new Set<string>();
  const imageOf = (src: string) => {
    const found = images.get(src);
    if (found && 'reason' in found) reasons.add(found.reason);
    return found && 'hash' in found ? `image:${found.hash}` : null;
  };
  const converted = html.map((text) => markdownFromHtml(text, imageOf));
  // The reasons say more than the notes about images.
  const notes = converted.flatMap(({ notes: all, imageNotes = [] }) =>
    all.filter((note) => !imageNotes.includes(note)),
  );
  return { ...inOneFormat(converted, isMarkdown), notes: [...new Set([...reasons, ...notes])] };
}

async function fetchImages(
  html: readonly string[],
  image: (src: string) => Promise<ImageOrReason>,
): Promise<Map<string, ImageOrReason>> {
  const sources = new Set<string>();
  for (const text of html) {
    if (!/<img/i.test(text)) continue;
    markdownFromHtml(text, (src) => {
      sources.add(src);
      return null;
    });
  }
  const images = new Map<string, ImageOrReason>();
  for (const src of sources) images.set(src, await image(src));
  return images;
}
