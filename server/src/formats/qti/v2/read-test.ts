import { t } from '@invigil/core/texts/i18n';
import {
  childrenOf,
  descendantsOf,
  isElement,
  textOf,
  type XmlElement,
} from '../../xml/xml-element.ts';

/** The place of an item in a test, and its weight there. */
export interface ItemPlace {
  /** Titles of the test and of the sections around it */
  path: string[];
  /** Multiplies its points; above 0 */
  weight: number;
  /** About a weight that cannot be applied. */
  notes: string[];
}

/** An item as a test names it. */
type ItemReference = ItemPlace & { href: string };

/** The items of a test of QTI 2.x, or of 3.0 after `normalizeNames`, in its order. */
export function itemReferences(test: XmlElement): ItemReference[] {
  const references: ItemReference[] = [];
  const sums = descendantsOf(test, 'testVariables', 'variable');
  const named = new Set(sums.flatMap(({ attributes }) => attributes.weightIdentifier ?? []));
  const used = sums.length > 0 ? named : null;
  const visit = (element: XmlElement, path: string[]) => {
    for (const child of childrenOf(element)) {
      const { href, title } = child.attributes;
      if (child.name === 'assessmentItemRef' && href !== undefined) {
        references.push({ href, path, ...weightOf(child, used) });
      } else if (child.name === 'assessmentSection') visit(child, title ? [...path, title] : path);
      else if (isElement(child)) visit(child, path);
    }
  };
  visit(test, test.attributes.title ? [test.attributes.title] : []);
  return references;
}

/** @param used identifiers of the weights that count in the test's score; null: it says nothing of a score */
function weightOf(
  reference: XmlElement,
  used: ReadonlySet<string> | null,
): Omit<ItemPlace, 'path'> {
  const [weight, ...others] = childrenOf(reference, 'weight').filter(
    ({ attributes }) => used === null || used.has(attributes.identifier ?? ''),
  );
  if (!weight) return { weight: 1, notes: [] };
  if (others.length > 0) {
    return {
      weight: 1,
      notes: [
        t(
          /* “it”: a question of the file */ 'import.qti.severalWeights',
          'The test has several weights for it, which were left out.',
        ),
      ],
    };
  }
  const { value = '' } = weight.attributes;
  const number = Number(value);
  return number > 0 && Number.isFinite(number)
    ? { weight: number, notes: [] }
    : { weight: 1, notes: [weightText(value.slice(0, 20))] };
}

const weightText = (weight: string): string =>
  t(
    /* “its”: of a question of the file */ 'import.qti.weight',
    'Its weight in the test, {weight}, was left out.',
    {
      weight,
    },
  );

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
            t(
              'import.qti.sectionText',
              'The text above the section “{title}” was left out: {text}',
              { title: title.slice(0, 80), text: shown },
            ),
          );
        }
      }
    }
  };
  visit(test);
  return sentences;
}
