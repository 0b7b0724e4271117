import { inBraces } from '@invigil/core/content/dollars';
import { type ConvertedText, markdownFromHtml } from '@invigil/core/content/html/html-text';
import { dedented, htmlWithLines } from '@invigil/core/content/html/lines';
import { htmlFromMarkdown, normalizeMarkdown } from '@invigil/core/content/html/write-html';
import type { TextFormat } from '@invigil/core/domain/questions/question-definition';
import { t } from '@invigil/core/texts/i18n';
import { madeFormulas } from '../text/formula-notes.ts';

/** Moodle's text formats, which GIFT shares. `auto` is HTML in which line breaks count. */
export type MoodleFormat = 'html' | 'auto' | 'plain' | 'markdown';

type ImageOf = (src: string) => string | null;

/** Reads a text in one of Moodle's formats. */
export function readFormatted(text: string, format: MoodleFormat, imageOf: ImageOf): ConvertedText {
  switch (format) {
    case 'plain':
      return { text: dedented(text), format: 'plain', notes: [] };
    case 'markdown':
      return readMarkdown(text, imageOf);
    case 'auto':
      return markdownFromHtml(htmlWithLines(dedented(text)), imageOf);
    default:
      return markdownFromHtml(text, imageOf);
  }
}

function readMarkdown(text: string, imageOf: ImageOf): ConvertedText {
  const imageNotes = new Set<string>();
  // Inside of Markdown, Moodle needs two backslashes for TeX's delimiters.
  const tex = markdownOfHtml(text)
    .replace(
      /\\\\\(([^\n]{1,2000}?)\\\\\)/g,
      (whole: string, inner: string, at: number, all: string) =>
        `$${inBraces(inner.trim(), all.slice(at - 1, at), all.slice(at + whole.length).slice(0, 2))}$`,
    )
    .replace(/\\\\\[([^\n]{1,2000}?)\\\\\]/g, (_, inner: string) => `$$${inner.trim()}$$`);
  const linked = tex.replace(
    /(!\[[^\]]{0,500}\]\()([^\s)]{1,1000})/g,
    (whole, start: string, src: string) => {
      const url = imageOf(src);
      if (url === null) imageNotes.add(noImageText(src.slice(0, 80)));
      return url === null ? whole : start + url;
    },
  );
  return {
    text: normalizeMarkdown(linked),
    format: 'markdown',
    notes: [...madeFormulas(text), ...imageNotes],
    imageNotes: [...imageNotes],
  };
}

const noImageText = (path: string): string =>
  t('import.moodle.noImage', 'The image “{path}” is not in the file.', { path });

/** Moodle's Markdown may have HTML in it: what makes lines becomes Markdown, outside of code. */
function markdownOfHtml(text: string): string {
  const parts = [{ text: '', isCode: false }];
  let fence = '';
  for (const line of text.split('\n')) {
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1] ?? '';
    const isCode = fence !== '' || mark !== '';
    if (fence === '') fence = mark;
    else if (mark.startsWith(fence)) fence = '';
    const last = parts.at(-1);
    if (last?.isCode === isCode) last.text += `${line}\n`;
    else parts.push({ text: `${line}\n`, isCode });
  }
  return parts.map((part) => (part.isCode ? part.text : withLines(part.text))).join('');
}

function withLines(markdown: string): string {
  let written = '';
  let pre = '';
  for (const part of markdown.split(/(^[ \t]*<pre\b[^<>]*>|<\/pre>)/im)) {
    if (pre === '' && !/^\s*<pre\b/i.test(part)) written += withBreaks(part);
    else pre += part;
    if (pre === '' || !/^<\/pre>/i.test(part)) continue;
    written += `\n\n${markdownFromHtml(pre, () => null).text}\n\n`;
    pre = '';
  }
  return written + withBreaks(pre);
}

function withBreaks(markdown: string): string {
  return markdown.replace(/`[^`\n]+`|<br\s*\/?>[ \t]*\n?/gi, (part) =>
    part.startsWith('`') ? part : '\\\n',
  );
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
