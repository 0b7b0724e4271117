import { decodeNamedCharacterReference } from 'decode-named-character-reference';

export interface HtmlElement {
  type: 'element';
  /** In lower case */
  name: string;
  attributes: Map<string, string>;
  children: HtmlNode[];
}

export interface HtmlText {
  type: 'text';
  value: string;
}

export type HtmlNode = HtmlElement | HtmlText;

/** Nothing that people write is nested deeper; the recursions behind this parser rely on it. */
const MOST_LEVELS = 100;

const VOID = new Set(
  'area base br col embed hr img input link meta param source track wbr'.split(' '),
);
/** Their content is text up to their end tag. */
const RAW = new Set('script style textarea title xmp iframe noembed noframes'.split(' '));
/** They end a paragraph whose end tag is missing. */
const ENDS_PARAGRAPH = new Set(
  `address article aside blockquote center details dir div dl dt dd fieldset figcaption figure footer
  form h1 h2 h3 h4 h5 h6 header hr li main menu nav ol p pre section summary table ul`.split(/\s+/),
);
const CELLS = new Set(['td', 'th']);
const ROW_GROUPS = new Set(['tbody', 'thead', 'tfoot']);
const TABLE_PARTS = new Set([...CELLS, ...ROW_GROUPS, 'tr', 'table']);

/**
 * Reads HTML as editors, word processors and question files write it, in time linear in its length and
 * with bounded depth. End tags that are missing or too many are repaired as browsers do in the usual
 * cases; `<p/>` is an empty paragraph, as in XHTML. Comments, processing instructions and scripts' text
 * never become text.
 */
export function parseHtml(html: string): HtmlElement {
  const root: HtmlElement = { type: 'element', name: '', attributes: new Map(), children: [] };
  const open: HtmlElement[] = [root];
  let at = 0;
  while (at < html.length) {
    const start = html.indexOf('<', at);
    if (start < 0) {
      addText(open, html.slice(at));
      break;
    }
    if (start > at) addText(open, html.slice(at, start));
    const tag = readTag(html, start);
    at = tag.end;
    if (tag.kind === 'text') addText(open, html.slice(start, at));
    else if (tag.kind === 'close') close(open, tag.name);
    else if (tag.kind === 'open') {
      const element = openElement(open, tag);
      if (RAW.has(tag.name) && !tag.isEmpty) {
        const end = indexOfEndTag(html, tag.name, at);
        element.children.push({ type: 'text', value: html.slice(at, end) });
        at = end;
      }
    }
  }
  return root;
}

type Tag =
  | { kind: 'text' | 'nothing'; end: number }
  | { kind: 'close'; name: string; end: number }
  | { kind: 'open'; name: string; attributes: Map<string, string>; isEmpty: boolean; end: number };

function readTag(html: string, start: number): Tag {
  if (html.startsWith('<!--', start)) {
    const end = html.indexOf('-->', start + 4);
    return { kind: 'nothing', end: end < 0 ? html.length : end + 3 };
  }
  const next = html.charAt(start + 1);
  if (next === '!' || next === '?') {
    const end = html.indexOf('>', start);
    return { kind: 'nothing', end: end < 0 ? html.length : end + 1 };
  }
  const name = /^<\/?([a-z][^\s/>]{0,60})/i.exec(html.slice(start, start + 64))?.[1]?.toLowerCase();
  if (name === undefined) return { kind: 'text', end: start + 1 };
  const isClose = next === '/';
  const from = start + 1 + (isClose ? 1 : 0) + name.length;
  const end = endOfTag(html, from);
  if (end < 0) return { kind: 'text', end: start + 1 };
  if (isClose) return { kind: 'close', name: plainName(name), end };
  const inside = html.slice(from, end - 1);
  return {
    kind: 'open',
    name: plainName(name),
    attributes: readAttributes(inside),
    isEmpty: inside.endsWith('/'),
    end,
  };
}

/** The index behind the `>` that is outside of quotes; the first `>` where quotes do not match. */
function endOfTag(html: string, from: number): number {
  const first = html.indexOf('>', from);
  if (first < 0) return -1;
  for (let at = from; at < html.length; at += 1) {
    const sign = html.charAt(at);
    if (sign === '>') return at + 1;
    if (sign === '<') break;
    if ((sign === '"' || sign === "'") && /[\s=]/.test(html.charAt(at - 1))) {
      at = html.indexOf(sign, at + 1);
      if (at < 0) break;
    }
  }
  return first + 1;
}

/** `m:math` is `math`; Word's `o:p` stays as it is, or it would be a paragraph. */
function plainName(name: string): string {
  return name.replace(/^(?:m|mml|math|h|html|xhtml):/, '');
}

function readAttributes(inside: string): Map<string, string> {
  const attributes = new Map<string, string>();
  const pattern = /([^\s=/"'<>]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g;
  for (const [, name = '', double, single, bare] of inside.matchAll(pattern)) {
    const key = name.toLowerCase();
    if (!attributes.has(key)) attributes.set(key, decodeReferences(double ?? single ?? bare ?? ''));
  }
  return attributes;
}

function addText(open: HtmlElement[], text: string): void {
  const siblings = open.at(-1)?.children ?? [];
  const value = decodeReferences(text);
  const last = siblings.at(-1);
  if (last?.type === 'text') last.value += value;
  else siblings.push({ type: 'text', value });
}

function openElement(open: HtmlElement[], tag: Extract<Tag, { kind: 'open' }>): HtmlElement {
  const { name, attributes } = tag;
  endImplied(open, name);
  const element: HtmlElement = { type: 'element', name, attributes, children: [] };
  open.at(-1)?.children.push(element);
  const isOpen = !tag.isEmpty && !VOID.has(name);
  if (isOpen && open.length < MOST_LEVELS) open.push(element);
  return element;
}

function endImplied(open: HtmlElement[], name: string): void {
  if (ENDS_PARAGRAPH.has(name)) closeUpTo(open, (n) => n === 'p', CELLS);
  if (name === 'li') closeUpTo(open, (n) => n === 'li', new Set(['ul', 'ol', ...CELLS]));
  if (name === 'dt' || name === 'dd') {
    closeUpTo(open, (n) => n === 'dt' || n === 'dd', new Set(['dl', ...CELLS]));
  }
  const table = new Set(['table']);
  if (CELLS.has(name)) closeUpTo(open, (n) => CELLS.has(n), table);
  if (name === 'tr') closeUpTo(open, (n) => n === 'tr', table);
  if (ROW_GROUPS.has(name)) closeUpTo(open, (n) => ROW_GROUPS.has(n), table);
}

function close(open: HtmlElement[], name: string): void {
  const barriers = TABLE_PARTS.has(name) ? new Set<string>() : CELLS;
  closeUpTo(open, (n) => n === name, barriers);
}

/** Ends the innermost element with that name and all inside it, unless a barrier is around it. */
function closeUpTo(
  open: HtmlElement[],
  isWanted: (name: string) => boolean,
  barriers: ReadonlySet<string>,
): void {
  for (let i = open.length - 1; i > 0; i -= 1) {
    const name = open[i]?.name ?? '';
    if (isWanted(name)) {
      open.length = i;
      return;
    }
    if (barriers.has(name)) return;
  }
}

function indexOfEndTag(html: string, name: string, from: number): number {
  const pattern = new RegExp(`</${name}`, 'gi');
  pattern.lastIndex = from;
  return pattern.exec(html)?.index ?? html.length;
}

const REFERENCE = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z][a-z\d]{1,31}));/gi;

/** Text with its character references replaced; unknown ones stay as they are. */
export function decodeReferences(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(REFERENCE, (whole, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return decodeNamedCharacterReference(name) || whole;
    return characterOf(decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal));
  });
}

/** Characters 128 to 159, which old editors wrote for dashes and quotes. */
const WINDOWS_1252 = '€�‚ƒ„…†‡ˆ‰Š‹Œ�Ž��‘’“”•–—˜™š›œ�žŸ';

function characterOf(code: number): string {
  if (code >= 0x80 && code < 0xa0) return WINDOWS_1252.charAt(code - 0x80);
  const isCharacter = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  return isCharacter ? String.fromCodePoint(code) : '\ufffd';
}

/** All text inside a node. */
export function textOf(node: HtmlNode): string {
  return node.type === 'text' ? node.value : node.children.map(textOf).join('');
}

export function classesOf(element: HtmlElement): string[] {
  return (element.attributes.get('class') ?? '').split(/\s+/).filter((name) => name !== '');
}

/** Properties of the `style` attribute, names and values in lower case. */
export function styleOf(element: HtmlElement): Map<string, string> {
  const style = element.attributes.get('style');
  if (style === undefined) return new Map();
  return new Map(
    style
      .toLowerCase()
      .split(';')
      .map((part) => part.split(':'))
      .map(([name = '', ...value]) => [name.trim(), value.join(':').trim()]),
  );
}
