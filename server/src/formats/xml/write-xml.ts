import { isElement, type XmlElement } from './xml-element.ts';

/** Content of an element: text to be escaped, or XML that is written already. */
export type XmlContent = string | WrittenXml | null | XmlContent[];

/** XML that is not escaped again. */
export interface WrittenXml {
  xml: string;
}

/** Marks XML that comes from this file or from a serializer as written. */
export function written(xml: string): WrittenXml {
  return { xml };
}

/** An element; attributes that are `undefined` are left out, as is content that is `null`. */
export function element(
  name: string,
  attributes: Record<string, string | number | undefined> = {},
  ...content: XmlContent[]
): WrittenXml {
  const inside = contentOf(content);
  const start = `<${name}${Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}="${escapeAttribute(String(value))}"`)
    .join('')}`;
  return { xml: inside === '' ? `${start}/>` : `${start}>${inside}</${name}>` };
}

/** A whole file. */
export function xmlFile(root: WrittenXml): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${root.xml}\n`;
}

/** Escapes text between tags; what XML 1.0 cannot hold becomes U+FFFD. */
export function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('\r', '&#13;')
    .replace(NOT_IN_XML, '\ufffd');
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters meant
const NOT_IN_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/** Escapes the value of an attribute; parsers turn line ends there into spaces. */
function escapeAttribute(value: string): string {
  return escapeXml(value)
    .replaceAll('"', '&quot;')
    .replaceAll('\n', '&#10;')
    .replaceAll('\t', '&#9;');
}

/** HTML elements without an end tag. */
const VOID = new Set(['area', 'br', 'col', 'hr', 'img', 'input', 'link', 'meta', 'source', 'wbr']);

/**
 * The inside of an element as HTML: prefixes are left out, so that `m:math` is `math`. `replace` may put
 * other HTML in an element's place, '' for nothing.
 */
export function htmlInside(
  parent: XmlElement,
  replace: (element: XmlElement) => string | null = () => null,
): string {
  return parent.children
    .map((node) => (isElement(node) ? htmlOf(node, replace) : escapeXml(node)))
    .join('');
}

/** An element as HTML: see `htmlInside`. */
export function htmlOf(
  node: XmlElement,
  replace: (element: XmlElement) => string | null = () => null,
): string {
  const other = replace(node);
  if (other !== null) return other;
  const start = `<${node.name}${Object.entries(node.attributes)
    .filter(([key]) => !key.startsWith('xmlns'))
    .map(([key, value]) => ` ${key}="${escapeAttribute(value)}"`)
    .join('')}>`;
  return VOID.has(node.name) ? start : `${start}${htmlInside(node, replace)}</${node.name}>`;
}

function contentOf(content: XmlContent): string {
  if (content === null) return '';
  if (typeof content === 'string') return escapeXml(content);
  return Array.isArray(content) ? content.map(contentOf).join('') : content.xml;
}
