import { childrenOf, descendantsOf, textOf, type XmlElement } from '../../xml/xml-element.ts';

/** Types of Canvas, cartridges and older metadata that are not read, by the words that people use. */
const KINDS: Record<string, string> = {
  essay_question: 'an essay',
  'cc.essay.v0p1': 'an essay',
  file_upload_question: 'uploading a file',
  categorization_question: 'sorting into categories',
  hot_spot_question: 'selecting a place in a picture',
  multiple_dropdowns_question: 'several choices inside of a text',
  fill_in_multiple_blanks_question: 'several gaps in a text',
  rich_fill_in_the_blank_question: 'several gaps in a text',
  calculated_question: 'a result computed from random values',
  'cc.pattern_match.v0p1': 'a text that matches a pattern',
  // Blackboard and Brightspace
  Essay: 'an essay',
  'Short Response': 'an essay',
  'Long Answer': 'an essay',
  'Written Response': 'an essay',
  'File Upload': 'uploading a file',
  'File Response': 'uploading a file',
  Calculated: 'a result computed from random values',
  Arithmetic: 'a result computed from random values',
  Matching: 'matching',
  Ordering: 'putting things in order',
};

/** Types with one right option, whatever the file says about cardinality: Brightspace says “Multiple”. */
const SINGLE =
  /^(?:multiple choice|true\/false|either\/or|multiple_choice_question|true_false_question)$/i;

/** Elements of Blackboard, which has them instead of fields. */
const ELEMENTS = ['bbmd_questiontype', 'qmd_absolutescore_max'];

/** The fields of an item's metadata; of several with one name, the first. */
export function metadataOf(element: XmlElement): Map<string, string> {
  const fields = new Map<string, string>();
  for (const own of descendantsOf(element, ...ELEMENTS)) {
    if (!fields.has(own.name)) fields.set(own.name, textOf(own).trim());
  }
  // The second name is Brightspace's.
  for (const field of descendantsOf(element, 'qtimetadatafield', 'qti_metadatafield')) {
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
  const type =
    ['question_type', 'cc_profile', 'bbmd_questiontype', 'qmd_questiontype']
      .map((name) => metadata.get(name))
      .find((name) => name !== undefined) ?? '';
  return { type, notRead: Object.hasOwn(KINDS, type) ? (KINDS[type] ?? null) : null };
}

/** Whether exactly one option can be selected. */
export function isSingleType(type: string, cardinality: string | undefined): boolean {
  return SINGLE.test(type) || !/^multiple$/i.test(cardinality ?? 'Single');
}
