import { childrenOf, descendantsOf, textOf, type XmlElement } from '../../xml/xml-element.ts';
import { ASKS_FOR, type AsksFor } from '../item/asks-for.ts';

/** Types of Canvas, cartridges and older metadata that are not read, by the words that people use. */
const KINDS: Record<string, AsksFor> = {
  essay_question: ASKS_FOR.essay,
  'cc.essay.v0p1': ASKS_FOR.essay,
  file_upload_question: ASKS_FOR.uploadingFile,
  categorization_question: ASKS_FOR.sortingIntoCategories,
  hot_spot_question: ASKS_FOR.selectingPlacePicture,
  multiple_dropdowns_question: ASKS_FOR.severalChoicesInsideText,
  fill_in_multiple_blanks_question: ASKS_FOR.severalGapsText,
  rich_fill_in_the_blank_question: ASKS_FOR.severalGapsText,
  calculated_question: ASKS_FOR.resultComputedRandomValues,
  'cc.pattern_match.v0p1': ASKS_FOR.textMatchesPattern,
  // Blackboard and Brightspace
  Essay: ASKS_FOR.essay,
  'Short Response': ASKS_FOR.essay,
  'Long Answer': ASKS_FOR.essay,
  'Written Response': ASKS_FOR.essay,
  'File Upload': ASKS_FOR.uploadingFile,
  'File Response': ASKS_FOR.uploadingFile,
  Calculated: ASKS_FOR.resultComputedRandomValues,
  Arithmetic: ASKS_FOR.resultComputedRandomValues,
  Matching: ASKS_FOR.matching,
  Ordering: ASKS_FOR.puttingThingsOrder,
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
  notRead: AsksFor | null;
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
