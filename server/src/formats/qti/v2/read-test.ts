import { childrenOf, isElement, textOf, type XmlElement } from '../../xml/xml-element.ts';

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

/** Sentences about texts that a test shows above the items of a section; items have no place for them. */
export function sectionTexts(test: XmlElement): string[] {
  const sentences: string[] = [];
  const visit = (element: XmlElement) => {
    for (const child of childrenOf(element)) {
      if (child.name !== 'rubricBlock') visit(child);
      else if (/\bcandidate\b/.test(child.attributes.view ?? 'candidate')) {
        const text = textOf(child).replace(/\s+/g, ' ').trim();
        const { title = '' } = element.attributes;
        const shown = text.length > 80 ? `${text.slice(0, 80).toWellFormed()}…` : text;
        if (text !== '') {
          sentences.push(
            `The text above the section “${title.slice(0, 80)}” was left out: ${shown}`,
          );
        }
      }
    }
  };
  visit(test);
  return sentences;
}
