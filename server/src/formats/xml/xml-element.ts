/** An element of an XML file, with its children in the file's order. Comments are left out. */
export interface XmlElement {
  /** The name without the prefix */
  name: string;
  /** '' without one */
  prefix: string;
  /** Values by the name as written (`xml:lang`), without a prototype. */
  attributes: Record<string, string>;
  /** Texts are not empty, and no two stand beside each other: CDATA is text. */
  children: (XmlElement | string)[];
  /** The line in which it begins, from 1 */
  line: number;
}

export function isElement(node: XmlElement | string): node is XmlElement {
  return typeof node !== 'string';
}

/** Child elements; of one name, if given. */
export function childrenOf(element: XmlElement, name?: string): XmlElement[] {
  return element.children.filter(
    (node): node is XmlElement => isElement(node) && (name === undefined || node.name === name),
  );
}

/** The first child element of that name. */
export function childOf(element: XmlElement, name: string): XmlElement | undefined {
  return element.children.find((node): node is XmlElement => isElement(node) && node.name === name);
}

/** Elements of these names inside of an element at any depth, in the file's order; not itself. */
export function descendantsOf(element: XmlElement, ...names: string[]): XmlElement[] {
  const found: XmlElement[] = [];
  const visit = (parent: XmlElement) => {
    for (const node of parent.children) {
      if (!isElement(node)) continue;
      if (names.includes(node.name)) found.push(node);
      visit(node);
    }
  };
  visit(element);
  return found;
}

/** All text inside, as it is. */
export function textOf(element: XmlElement): string {
  return element.children.map((node) => (isElement(node) ? textOf(node) : node)).join('');
}
