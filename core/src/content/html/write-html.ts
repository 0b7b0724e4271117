import type { Block, Content, List, Phrase, Table, TableRow } from '../content-nodes.ts';
import { parseContent } from '../parse-content.ts';
import { markdownFromHtml, markdownFromPlain } from './html-text.ts';
import { visibleSpaces } from './lines.ts';

type SrcOf = (hash: string) => string;

/**
 * Converts the Markdown of questions to XHTML, for systems that store HTML; formulas are written in the
 * delimiters `\(…\)` and `\[…\]`, which `markdownFromHtml` reads.
 *
 * @param srcOf the address of an image by its hash
 */
export function htmlFromMarkdown(text: string, srcOf: SrcOf): string {
  return write(parseContent(text), srcOf);
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

function write(node: Content | Block | Phrase, srcOf: SrcOf): string {
  const writeAll = (nodes: readonly unknown[]) =>
    nodes.map((child) => write(child as Phrase, srcOf)).join('');
  const inside = () => ('children' in node ? writeAll(node.children) : '');
  switch (node.type) {
    case 'root':
      return inside();
    case 'paragraph':
      return `<p>${inside()}</p>`;
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
      return list(node, srcOf);
    case 'table':
      return table(node, srcOf);
    case 'thematicBreak':
      return '<hr/>';
    case 'break':
      return '<br/>';
    case 'link':
      return `<a href="${escapeXml(node.url)}">${inside()}</a>`;
    case 'image': {
      const src = /^image:([\da-f]{64})$/.exec(node.url)?.[1];
      if (src === undefined) return escapeXml(node.alt);
      const title = node.title ? ` title="${escapeXml(node.title)}"` : '';
      return `<img src="${escapeXml(srcOf(src))}" alt="${escapeXml(node.alt)}"${title}/>`;
    }
    case 'inlineMath':
      // Its end would be that of a formula in a text of the formula.
      return `\\(${escapeXml(node.value.replace(/\\\(([^$]*?)\\\)/g, '$$$1$$'))}\\)`;
    case 'math':
      return node.value.includes('\\]')
        ? `<p>$$${escapeXml(node.value)}$$</p>`
        : `<p>\\[${escapeXml(node.value)}\\]</p>`;
    case 'text':
      return textWithoutDelimiters(node.value);
  }
}

/** An empty element between the signs keeps `\(` of a text from beginning a formula. */
function textWithoutDelimiters(text: string): string {
  return escapeXml(text).replace(/\\(?=[([])|\$(?=\$)/g, '$&<span></span>');
}

function list(node: List, srcOf: SrcOf): string {
  const name = node.ordered ? 'ol' : 'ul';
  const start = node.ordered && (node.start ?? 1) !== 1 ? ` start="${node.start}"` : '';
  const items = node.children.map((item) => {
    const isTight = item.children.filter((child) => child.type === 'paragraph').length < 2;
    const content = item.children.map((child) =>
      isTight && child.type === 'paragraph'
        ? child.children.map((inline) => write(inline, srcOf)).join('')
        : write(child, srcOf),
    );
    return `<li>${content.join('')}</li>`;
  });
  return `<${name}${start}>${items.join('')}</${name}>`;
}

function table(node: Table, srcOf: SrcOf): string {
  const row = (cells: TableRow, name: 'th' | 'td') =>
    `<tr>${cells.children
      .map((cell, i) => {
        const align = node.align[i];
        const style = align ? ` style="text-align: ${align}"` : '';
        return `<${name}${style}>${cell.children.map((c) => write(c, srcOf)).join('')}</${name}>`;
      })
      .join('')}</tr>`;
  const [head, ...body] = node.children;
  const rows = body.map((cells) => row(cells, 'td')).join('');
  return `<table>${head ? `<thead>${row(head, 'th')}</thead>` : ''}<tbody>${rows}</tbody></table>`;
}
