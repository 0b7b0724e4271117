import type { Nodes } from 'mdast';
import type { TextFormat } from '../../domain/questions/question-definition.ts';
import { t } from '../../texts/i18n.ts';
import { tooComplexAt } from '../markdown-tree.ts';
import { writeMarkdown } from '../write-content.ts';
import { blocksOf } from './blocks.ts';
import type { Block, Conversion } from './inline.ts';
import { plainSpaces, visibleSpaces } from './lines.ts';
import { type HtmlElement, type HtmlNode, parseHtml, textOf } from './parse-html.ts';

/** A text of a question, and what was lost on the way to it. */
export interface ConvertedText {
  text: string;
  /** `plain` when it is nothing but text. */
  format: TextFormat;
  /** Sentences */
  notes: string[];
  /** The notes that are about images which are not there; `notes` has them too. */
  imageNotes?: string[];
}

/** Ten times what a text may have in the end; longer HTML is cut, so that its time is bounded. */
const MOST_CHARACTERS = 320_000;

/** Writing Markdown takes longer than linear time in the number of its parts. */
const MOST_NODES = 5_000;
/** Many of them, as of Word, say nothing in Markdown. */
const MOST_ELEMENTS = 20_000;

const DATA_IMAGE = /data:image\/[\w.+-]+;base64,[A-Za-z0-9+/=\s]{64,}/g;

/**
 * Converts HTML to the Markdown of questions (core/content). Formulas in TeX delimiters, MathML and
 * Canvas' equation images become `$…$` and `$$…$$`. Runs in the browser as well as on the server.
 *
 * @param imageOf the address of an image in the text (`image:HASH`) by its `src`; `null`: there is none
 * @param highlightsAreStrong whether underlined, colored and highlighted text becomes bold
 */
export function markdownFromHtml(
  html: string,
  imageOf: (src: string) => string | null,
  highlightsAreStrong = false,
): ConvertedText {
  const notes = new Set<string>();
  const imageNotes = new Set<string>();
  const inlined: string[] = [];
  const short = html.replace(DATA_IMAGE, (src) => `data:#${inlined.push(src) - 1}`);
  if (short.length > MOST_CHARACTERS)
    notes.add(t('converted.cutOff', 'The text was too long; its end was cut off.'));
  const conversion: Conversion = {
    imageOf: (src) =>
      imageOf(/^data:#\d+$/.test(src) ? (inlined[Number(src.slice(6))] ?? src) : src),
    notes,
    imageNotes,
    marks: [],
    highlightsAreStrong,
  };
  const root = parseHtml(short.slice(0, MOST_CHARACTERS));
  const converted = countElements(root) > MOST_ELEMENTS ? null : convert(root, conversion);
  const images = imageNotes.size === 0 ? {} : { imageNotes: [...imageNotes] };
  if (converted) return { ...converted, notes: [...notes], ...images };
  notes.add(
    t('converted.lettersOnly', 'The text has too much formatting; only its letters were kept.'),
  );
  return { text: textOf(root).trim(), format: 'plain', notes: [...notes], ...images };
}

/** `null`: the Markdown would be too large or complex. */
function convert(
  root: HtmlElement,
  conversion: Conversion,
): Pick<ConvertedText, 'text' | 'format'> | null {
  const blocks = blocksOf(root.children, conversion);
  const plain = plainText(blocks);
  if (plain !== null) return { text: plain, format: 'plain' };
  const text = countNodes(blocks) > MOST_NODES ? null : markdown(blocks);
  return text === null || tooComplexAt(text) !== null ? null : { text, format: 'markdown' };
}

/** The Markdown that shows a plain text as it is, with its lines and their indentation. */
export function markdownFromPlain(text: string): string {
  // A paragraph cannot be indented, a line behind a break can.
  const paragraphs = text.split(/\n[ \t]*\n(?![ \t])/).map((lines): Block => {
    const children = lines
      .split('\n')
      .flatMap((line, i) => [
        ...(i > 0 ? [{ type: 'break' as const }] : []),
        { type: 'text' as const, value: textOfLine(line, i > 0) },
      ])
      .filter((node) => node.type === 'break' || node.value !== '');
    return { type: 'paragraph', children };
  });
  return markdown(
    paragraphs.filter((block) => block.type === 'paragraph' && block.children.length > 0),
  );
}

function textOfLine(line: string, isIndented: boolean): string {
  const text = line.replace(/[ \t\r\f]+/g, ' ').trim();
  const [indent = ''] = (isIndented && text !== '' && /^[ \t]+/.exec(line)) || [];
  return visibleSpaces(indent) + text;
}

/** Texts of one question in one format: Markdown for all where one of them needs it. */
export function inOneFormat(
  texts: readonly Pick<ConvertedText, 'text' | 'format'>[],
  isMarkdown = texts.some(({ format }) => format === 'markdown'),
): { format: TextFormat; texts: string[] } {
  return {
    format: isMarkdown ? 'markdown' : 'plain',
    texts: texts.map(({ text, format }) =>
      isMarkdown && format === 'plain' ? markdownFromPlain(text) : text,
    ),
  };
}

function markdown(blocks: readonly Block[]): string {
  return writeMarkdown({ type: 'root', children: [...blocks] });
}

function countElements(node: HtmlNode): number {
  if (node.type === 'text') return 0;
  return node.children.reduce((count, child) => count + countElements(child), 1);
}

function countNodes(nodes: readonly Nodes[]): number {
  return nodes.reduce((n, node) => n + 1 + ('children' in node ? countNodes(node.children) : 0), 0);
}

/** The text of paragraphs that are nothing but text; `null` where there is more. */
function plainText(blocks: readonly Block[]): string | null {
  const paragraphs: string[] = [];
  for (const block of blocks) {
    if (block.type !== 'paragraph') return null;
    const lines: string[] = [];
    for (const inline of block.children) {
      if (inline.type !== 'text' && inline.type !== 'break') return null;
      lines.push(inline.type === 'text' ? inline.value : '\n');
    }
    paragraphs.push(lines.join(''));
  }
  return plainSpaces(paragraphs.join('\n\n'));
}
