import { childrenOf, descendantsOf, textOf, type XmlElement } from '../../xml/xml-element.ts';

/** Types of Canvas, cartridges and older metadata that are not read, by the words that people use. */
const KINDS: Record<string, string> = {
  essay_question: 'an essay',
  'cc.essay.v0p1': 'an essay',
  file_upload_question: 'uploading a file',
  matching_question: 'matching',
  matching: 'matching',
  ordering_question: 'putting things in order',
  categorization_question: 'sorting into categories',
  hot_spot_question: 'selecting a place in a picture',
  multiple_dropdowns_question: 'several choices inside of a text',
  fill_in_multiple_blanks_question: 'several gaps in a text',
  rich_fill_in_the_blank_question: 'several gaps in a text',
  calculated_question: 'a result computed from random values',
  'cc.pattern_match.v0p1': 'a text that matches a pattern',
};

/** The fields of an item's metadata; of several with one name, the first. */
export function metadataOf(element: XmlElement): Map<string, string> {
  const fields = new Map<string, string>();
  for (const field of descendantsOf(element, 'qtimetadatafield')) {
    const [label, entry] = ['fieldlabel', 'fieldentry'].map((name) =>
      childrenOf(field, name).map(textOf).join('').trim(),
    );
    if (label && entry !== undefined && !fields.has(label)) fields.set(label, entry);
  }
  return fields;
}

/** The type that an item is said to have, and what that is when it is not read. */
export function typeOf(metadata: ReadonlyMap<string, string>): {
  type: string;
  notRead: string | null;
} {
  const type = metadata.get('question_type') ?? metadata.get('cc_profile') ?? '';
  return { type, notRead: Object.hasOwn(KINDS, type) ? (KINDS[type] ?? null) : null };
}
