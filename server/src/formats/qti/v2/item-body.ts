import { listText } from '@invigil/core/domain/locale';
import { t } from '@invigil/core/texts/i18n';
import { element, htmlInside } from '../../xml/write-xml.ts';
import { childOf, descendantsOf, textOf, type XmlElement } from '../../xml/xml-element.ts';
import { NotSupported, placesText } from '../fit/score.ts';
import { ASKS_FOR, type AsksFor } from '../item/asks-for.ts';

/** Interactions by the words that people use for them. */
const KINDS: Record<string, AsksFor> = {
  associateInteraction: ASKS_FOR.associatingPairs,
  gapMatchInteraction: ASKS_FOR.fillingGapsList,
  extendedTextInteraction: ASKS_FOR.essay,
  hottextInteraction: ASKS_FOR.selectingWordsText,
  hotspotInteraction: ASKS_FOR.selectingPlacePicture,
  selectPointInteraction: ASKS_FOR.selectingPointPicture,
  graphicOrderInteraction: ASKS_FOR.puttingPlacesPictureOrder,
  graphicAssociateInteraction: ASKS_FOR.associatingPlacesPicture,
  graphicGapMatchInteraction: ASKS_FOR.fillingGapsPicture,
  positionObjectInteraction: ASKS_FOR.placingObjectOnPicture,
  sliderInteraction: ASKS_FOR.slider,
  mediaInteraction: ASKS_FOR.audioOrVideo,
  drawingInteraction: ASKS_FOR.drawing,
  uploadInteraction: ASKS_FOR.uploadingFile,
  customInteraction: ASKS_FOR.customInteraction,
  portableCustomInteraction: ASKS_FOR.customInteraction,
  endAttemptInteraction: ASKS_FOR.buttonEndsAttempt,
};

/** A field or a list inside of a sentence. */
const INLINE = ['textEntryInteraction', 'inlineChoiceInteraction'];
/** A block of its own, with a prompt. */
const OWN_BLOCK = ['choiceInteraction', 'matchInteraction', 'orderInteraction'];
const READ = [...OWN_BLOCK, ...INLINE];
const FEEDBACK = [
  'feedbackInline',
  'feedbackBlock',
  'modalFeedback',
  'templateInline',
  'templateBlock',
];
const BLOCKS = ['p', 'div', 'li', 'span'];
const LEFT_OUT = ['stylesheet', 'infoControl', 'catalogInfo', 'script', 'style'];

/** Marks the place of an answer inside of a text. */
const BLANK = '______';

/** The one interaction of an item. Throws NotSupported when it has another number, or another kind. */
export function interactionOf(body: XmlElement): XmlElement {
  const interactions = descendantsOf(body, ...READ, ...Object.keys(KINDS));
  const [only] = interactions;
  if (!only)
    throw new NotSupported(
      t(/* “it”: a question of the file */ 'import.qti.noPlace', 'It has no place for an answer.'),
    );
  const other = interactions.find(({ name }) => !READ.includes(name));
  if (other) throw new NotSupported(KINDS[other.name]?.(other.name));
  if (interactions.length > 1) {
    throw new NotSupported(placesText(interactions.length));
  }
  return only;
}

/** The text of an item or an option in HTML, and what was left out of it. */
export interface BodyText {
  html: string;
  notes: string[];
}

/** The question: the body, with the prompt in place of the choices and a blank in place of a field. */
export function questionText(body: XmlElement, otherFiles: ReadonlyMap<string, string>): BodyText {
  const notes: string[] = [];
  const html = htmlInside(body, (node) => replaced(node, otherFiles, notes));
  return { html, notes };
}

/** The inside of an option, a prompt or a feedback in HTML. */
export function contentText(node: XmlElement, otherFiles: ReadonlyMap<string, string>): BodyText {
  const notes: string[] = [];
  const inner = childOf(node, 'contentBody') ?? node;
  return { html: htmlInside(inner, (child) => replaced(child, otherFiles, notes)), notes };
}

function replaced(
  node: XmlElement,
  otherFiles: ReadonlyMap<string, string>,
  notes: string[],
): string | null {
  const inside = () => htmlInside(node, (child) => replaced(child, otherFiles, notes));
  if (OWN_BLOCK.includes(node.name)) {
    const prompt = childOf(node, 'prompt');
    return prompt ? `<div>${contentText(prompt, otherFiles).html}</div>` : '';
  }
  if (INLINE.includes(node.name)) return BLANK;
  if (BLOCKS.includes(node.name) && isOnlyField(node)) return '';
  if (FEEDBACK.includes(node.name) || LEFT_OUT.includes(node.name)) return '';
  if (node.name === 'rubricBlock') {
    const view = (node.attributes.view ?? 'candidate').split(/\s+/);
    if (view.includes('candidate')) return `<div>${inside()}</div>`;
    notes.push(textForText(view));
    return '';
  }
  if (node.name === 'object') return objectHtml(node, otherFiles);
  if (node.name === 'printedVariable') {
    throw new NotSupported(
      t(
        /* “it”: a question of the file */ 'import.qti.computed',
        'Its text shows a value that is computed (printedVariable).',
      ),
    );
  }
  return null;
}

/** Readers of a text (`view`) as a sentence names them. */
const READERS: Record<string, () => string> = {
  author: () =>
    t(/* stands in “A text for … was left out.” */ 'import.qti.for.author', 'the author'),
  proctor: () =>
    t(/* stands in “A text for … was left out.” */ 'import.qti.for.proctor', 'the proctor'),
  scorer: () =>
    t(/* stands in “A text for … was left out.” */ 'import.qti.for.scorer', 'the scorer'),
  testConstructor: () =>
    t(
      /* stands in “A text for … was left out.” */ 'import.qti.for.testConstructor',
      'the testConstructor',
    ),
  tutor: () => t(/* stands in “A text for … was left out.” */ 'import.qti.for.tutor', 'the tutor'),
};

const otherReader = (name: string): string =>
  t(
    /* {name} as the file has it; stands in “A text for … was left out.” */ 'import.qti.for.other',
    'the {name}',
    { name },
  );

const textForText = (view: readonly string[]): string =>
  t(
    /* {readers} is a list such as “the author and the tutor” */ 'import.qti.textFor',
    'A text for {readers} was left out.',
    { readers: listText(view.map((name) => READERS[name]?.() ?? otherReader(name))) },
  );

/** A block with nothing but the field for the answer, as items without a sentence around it have. */
function isOnlyField(node: XmlElement): boolean {
  const [field, ...more] = descendantsOf(node, ...INLINE);
  return (
    field !== undefined &&
    more.length === 0 &&
    textOf(node).trim() === textOf(field).trim() &&
    descendantsOf(node, 'img', 'object', 'math', 'table').length === 0
  );
}

function objectHtml(node: XmlElement, otherFiles: ReadonlyMap<string, string>): string | null {
  const { data = '', type = '' } = node.attributes;
  const text = otherFiles.get(data);
  if (text !== undefined) return `<div>${text}</div>`;
  if (!/^image\//i.test(type) && !/\.(?:png|jpe?g|gif|webp|avif|svg)$/i.test(data)) return null;
  return element('img', { src: data, alt: textOf(node).replace(/\s+/g, ' ').trim() }).xml;
}
