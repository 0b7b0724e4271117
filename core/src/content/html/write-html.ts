import type {
  Block,
  Content,
  Image,
  List,
  Paragraph,
  Phrase,
  Table,
  TableRow,
} from '../content-nodes.ts';
import { imageHash, imageWidth, parseContent } from '../parse-content.ts';
import { markdownFromHtml, markdownFromPlain } from './html-text.ts';
import { visibleSpaces } from './lines.ts';

interface Target {
  srcOf: (hash: string) => string;
  /** QTI has neither `title` on images nor `style`: it has figures with captions, and classes. */
  isQti: boolean;
}

/**
 * Converts the Markdown of questions to XHTML, for systems that store HTML; formulas are written in the
 * delimiters `\(…\)` and `\[…\]`, which `markdownFromHtml` reads.
 *
 * @param srcOf the address of an image by its hash
 * @param isQti whether only what the schema of QTI 3.0 allows is written
 */
export function htmlFromMarkdown(
  text: string,
  srcOf: (hash: string) => string,
  isQti = false,
): string {
  return write(parseContent(text), { srcOf, isQti });
}

/** A plain text as XHTML: paragraphs, breaks between lines, and spaces that are not lost. */
export function htmlFromPlain(text: string): string {
  return text
    .split(/(?<!\n)\n\n(?![ \n])/)
    .map((lines) => `<p>${lines.split('\n').map(lineWithSpaces).join('<br/>')}</p>`)
    .join('');
}

function lineWithSpaces(line: string): string {
  return textWithoutDelimiters(line).replace(/^ +| (?= )/g, visibleSpaces);
}

/**
 * The same text in the spelling that an export and a new import give: `*a*` for `_a_`, `-` for lists,
 * one line for a paragraph.
 */
export function normalizeMarkdown(text: string): string {
  const html = htmlFromMarkdown(text, (hash) => `image:${hash}`);
  const converted = markdownFromHtml(html, (src) => src);
  return converted.format === 'plain' ? markdownFromPlain(converted.text) : converted.text;
}

/** Escapes text and attributes; characters that XML cannot hold are left out. */
export function escapeXml(text: string): string {
  return (
    text
      // biome-ignore lint/suspicious/noControlCharactersInRegex: XML has no way to write them.
      .replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '')
      .replace(/&/g, '&amp;')
      .replace(/</g, '&lt;')
      .replace(/>/g, '&gt;')
      .replace(/"/g, '&quot;')
  );
}

function write(node: Content | Block | Phrase, target: Target): string {
  const writeAll = (nodes: readonly unknown[]) =>
    nodes.map((child) => write(child as Phrase, target)).join('');
  const inside = () => ('children' in node ? writeAll(node.children) : '');
  switch (node.type) {
    case 'root':
      return inside();
    case 'paragraph':
      return figure(node, target) ?? `<p>${inside()}</p>`;
    case 'emphasis':
      return `<em>${inside()}</em>`;
    case 'strong':
      return `<strong>${inside()}</strong>`;
    case 'inlineCode':
      return `<code>${escapeXml(node.value)}</code>`;
    case 'code': {
      const language = node.lang ? ` class="language-${escapeXml(node.lang)}"` : '';
      return `<pre><code${language}>${escapeXml(node.value)}</code></pre>`;
    }
    case 'blockquote':
      return `<blockquote>${inside()}</blockquote>`;
    case 'list':
      return list(node, target);
    case 'table':
      return table(node, target);
    case 'thematicBreak':
      return '<hr/>';
    case 'break':
      return '<br/>';
    case 'link':
      return `<a href="${escapeXml(node.url)}">${inside()}</a>`;
    case 'image': {
      if (!target.isQti || !node.title) return image(node, target);
      return `${image(node, target)} (${escapeXml(node.title)})`;
    }
    case 'inlineMath':
      // A \) inside a text of the formula would end the formula.
      return `\\(${escapeXml(node.value.replace(/\\\(([^$]*?)\\\)/g, '$$$1$$'))}\\)`;
    case 'math':
      return node.value.includes('\\]')
        ? `<p>$$${escapeXml(node.value)}$$</p>`
        : `<p>\\[${escapeXml(node.value)}\\]</p>`;
    case 'text':
      return textWithoutDelimiters(node.value);
  }
}

function image({ url, alt, title }: Image, { srcOf, isQti }: Target): string {
  const src = imageHash(url);
  if (src === null) return escapeXml(alt);
  const width = imageWidth(url);
  const size = width === null ? '' : ` width="${width}%"`;
  const caption = title && !isQti ? ` title="${escapeXml(title)}"` : '';
  return `<img src="${escapeXml(srcOf(src))}" alt="${escapeXml(alt)}"${caption}${size}/>`;
}

/** An image alone in its paragraph, with its caption, for QTI; `null`: the paragraph is no such one. */
function figure({ children: [only, ...more] }: Paragraph, target: Target): string | null {
  if (!target.isQti || only?.type !== 'image' || !only.title || more.length > 0) return null;
  const caption = `<figcaption>${escapeXml(only.title)}</figcaption>`;
  return `<figure>${image(only, target)}${caption}</figure>`;
}

/** An empty element between the signs keeps `\(` of a text from beginning a formula. */
function textWithoutDelimiters(text: string): string {
  return escapeXml(text).replace(/\\(?=[([])|\$(?=\$)/g, '$&<span></span>');
}

function list(node: List, target: Target): string {
  const name = node.ordered ? 'ol' : 'ul';
  const start = node.ordered && (node.start ?? 1) !== 1 ? ` start="${node.start}"` : '';
  const items = node.children.map((item) => {
    const isTight = item.children.filter((child) => child.type === 'paragraph').length < 2;
    const content = item.children.map((child) =>
      isTight && child.type === 'paragraph'
        ? (figure(child, target) ?? child.children.map((inline) => write(inline, target)).join(''))
        : write(child, target),
    );
    return `<li>${content.join('')}</li>`;
  });
  return `<${name}${start}>${items.join('')}</${name}>`;
}

function table(node: Table, target: Target): string {
  const row = (cells: TableRow, name: 'th' | 'td') =>
    `<tr>${cells.children
      .map((cell, i) => {
        const align = node.align[i];
        const style = target.isQti ? `class="qti-align-${align}"` : `style="text-align: ${align}"`;
        const content = cell.children.map((c) => write(c, target)).join('');
        return `<${name}${align ? ` ${style}` : ''}>${content}</${name}>`;
      })
      .join('')}</tr>`;
  const [head, ...body] = node.children;
  const rows = body.map((cells) => row(cells, 'td')).join('');
  return `<table>${head ? `<thead>${row(head, 'th')}</thead>` : ''}<tbody>${rows}</tbody></table>`;
}
