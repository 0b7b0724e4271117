import { childrenOf, isElement, type XmlElement } from '../../xml/xml-element.ts';

/** An item as a test names it. */
export interface ItemReference {
  href: string;
  /** Titles of the test and of the sections around it */
  path: string[];
}

/** The items of a test of QTI 2.x, or of 3.0 after `normalizeNames`, in its order. */
export function itemReferences(test: XmlElement): ItemReference[] {
  const references: ItemReference[] = [];
  const visit = (element: XmlElement, path: string[]) => {
    for (const child of childrenOf(element)) {
      const { href, title } = child.attributes;
      if (child.name === 'assessmentItemRef' && href !== undefined) references.push({ href, path });
      else if (child.name === 'assessmentSection') visit(child, title ? [...path, title] : path);
      else if (isElement(child)) visit(child, path);
    }
  };
  visit(test, test.attributes.title ? [test.attributes.title] : []);
  return references;
}
