import { parseFragment } from 'parse5';

export interface HtmlElement {
  type: 'element';
  /** lower case */
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

/** XHTML has empty elements besides those of HTML. */
const EMPTY = /<(?!(?:br|hr|img|col|wbr|input|source)\b)([a-z][\w:-]*)((?:\s[^<>]*)?)\/>/gi;
/** `m:math` is `math`; Word's `o:p` stays as it is, or it would be a paragraph. */
const PREFIX = /(<\/?)(?:m|mml|math|h|html|xhtml):/gi;

/**
 * Reads HTML and XHTML as editors, word processors and question files write it, as browsers do; `<p/>` is
 * an empty paragraph. Elements that are nested too deep become neighbors.
 */
export function parseHtml(html: string): HtmlElement {
  const root: HtmlElement = { type: 'element', name: '', attributes: new Map(), children: [] };
  const text = html.replace(EMPTY, '<$1$2></$1>').replace(PREFIX, '$1');
  const { childNodes } = parseFragment(text, { scriptingEnabled: false });
  const waiting = [{ from: childNodes, to: root.children, level: 1 }];
  // No recursion: the tree of the parser is as deep as the text has it.
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { from, to, level } = next;
    for (const node of from) {
      if ('value' in node) to.push({ type: 'text', value: node.value });
      if (!('tagName' in node)) continue;
      const name = node.tagName.toLowerCase();
      const attributes = new Map(node.attrs.map((one) => [one.name, one.value]));
      const children: HtmlNode[] = [];
      to.push({ type: 'element', name, attributes, children });
      const inside = level < MOST_LEVELS ? children : to;
      waiting.push({ from: node.childNodes, to: inside, level: level + 1 });
    }
  }
  return root;
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
