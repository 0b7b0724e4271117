import { type ConvertedText, markdownFromHtml } from '@invigil/core/content/html/html-text';
import { htmlFromMarkdown, normalizeMarkdown } from '@invigil/core/content/html/write-html';
import type { TextFormat } from '@invigil/core/domain/questions/question-definition';

/** Moodle's text formats, which GIFT shares. `auto` is HTML in which line breaks count. */
export type MoodleFormat = 'html' | 'auto' | 'plain' | 'markdown';

type ImageOf = (src: string) => string | null;

/** Reads a text in one of Moodle's formats. */
export function readFormatted(text: string, format: MoodleFormat, imageOf: ImageOf): ConvertedText {
  switch (format) {
    case 'plain':
      return { text: text.trim(), format: 'plain', notes: [] };
    case 'markdown':
      return readMarkdown(text, imageOf);
    case 'auto':
      return markdownFromHtml(text.trim().replace(/\n/g, '<br>'), imageOf);
    default:
      return markdownFromHtml(text, imageOf);
  }
}

function readMarkdown(text: string, imageOf: ImageOf): ConvertedText {
  const notes = new Set<string>();
  // Inside of Markdown, Moodle needs two backslashes for TeX's delimiters.
  const tex = text
    .replace(/\\\\\(([^\n]{1,2000}?)\\\\\)/g, (_, inner: string) => `$${inner.trim()}$`)
    .replace(/\\\\\[([^\n]{1,2000}?)\\\\\]/g, (_, inner: string) => `$$${inner.trim()}$$`);
  const linked = tex.replace(
    /(!\[[^\]\n]{0,500}\]\()([^\s)]{1,1000})/g,
    (whole, start: string, src: string) => {
      const url = imageOf(src);
      if (url === null) notes.add(`The image “${src.slice(0, 80)}” is not in the file.`);
      return url === null ? whole : start + url;
    },
  );
  return { text: normalizeMarkdown(linked), format: 'markdown', notes: [...notes] };
}

/**
 * Writes a text in one of Moodle's formats: as Markdown where nothing is marked up, or it would come
 * back as plain text, otherwise as HTML, in which Moodle finds formulas and images.
 */
export function writeFormatted(
  text: string,
  format: TextFormat,
  srcOf: (hash: string) => string,
): { text: string; format: 'html' | 'plain' | 'markdown' } {
  if (format === 'plain') return { text, format: 'plain' };
  const html = htmlFromMarkdown(text, srcOf);
  const isBare = markdownFromHtml(html, () => null).format === 'plain' && !html.includes('<img');
  return isBare ? { text, format: 'markdown' } : { text: html, format: 'html' };
}
