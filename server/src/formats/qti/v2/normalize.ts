import { isElement, type XmlElement } from '../../xml/xml-element.ts';

/**
 * QTI 3.0 as QTI 2.x: `qti-choice-interaction` is `choiceInteraction`, `response-identifier` is
 * `responseIdentifier`. The two differ in hardly anything else, so one reader is enough for both.
 */
export function normalizeNames(element: XmlElement): XmlElement {
  const isQti3 = element.name.startsWith('qti-');
  const attributes = isQti3 ? camelCased(element.attributes) : element.attributes;
  // The default of QTI 3.0; of 2.x it is the contrary.
  if (element.name === 'qti-map-entry') attributes.caseSensitive ??= 'false';
  return {
    ...element,
    name: isQti3 ? camelCase(element.name.slice(4)) : element.name,
    attributes,
    children: element.children.map((node) => (isElement(node) ? normalizeNames(node) : node)),
  };
}

function camelCased(attributes: Record<string, string>): Record<string, string> {
  const result: Record<string, string> = Object.create(null);
  for (const [name, value] of Object.entries(attributes)) {
    result[name.startsWith('data-') ? name : camelCase(name)] = value;
  }
  return result;
}

function camelCase(name: string): string {
  return name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
