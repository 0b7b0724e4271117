import { htmlFromMarkdown, htmlFromPlain } from '@invigil/core/content/html/write-html';
import { itemsOf } from '@invigil/core/domain/questions/matching-options';
import {
  hasOptions,
  isInRows,
  isSeveralChoice,
  type QuestionDefinition,
} from '@invigil/core/domain/questions/question-definition';
import { element, type WrittenXml, written, xmlFile } from '../../xml/write-xml.ts';
import { OPTION_FEEDBACK } from '../v2/feedback.ts';
import { MARKDOWN_CLASS, TOOL_NAME } from '../v2/scoring.ts';
import {
  choiceIds,
  EXPLANATION,
  FEEDBACK,
  hasFeedback,
  responseDeclaration,
  responseProcessing,
} from './response-xml.ts';

const NAMESPACE = 'http://www.imsglobal.org/xsd/imsqtiasi_v3p0';
const SCHEMA = 'https://purl.imsglobal.org/spec/qti/v3p0/schema/xsd/imsqti_asiv3p0_v1p0.xsd';
const MOST_TITLE = 200;

/** A question as an item of QTI 3.0. `srcOf` is where an image lies, seen from the item. */
export function writeItem(
  definition: QuestionDefinition,
  { identifier, title }: { identifier: string; title: string },
  srcOf: (hash: string) => string,
): string {
  const { format, question, explanation, points } = definition;
  const html = (text: string) =>
    written(format === 'markdown' ? htmlFromMarkdown(text, srcOf, true) : htmlFromPlain(text));
  return xmlFile(
    element(
      'qti-assessment-item',
      {
        xmlns: NAMESPACE,
        'xmlns:xsi': 'http://www.w3.org/2001/XMLSchema-instance',
        'xsi:schemaLocation': `${NAMESPACE} ${SCHEMA}`,
        identifier,
        title: titleOf(title, question),
        adaptive: 'false',
        'time-dependent': 'false',
        'tool-name': TOOL_NAME,
      },
      responseDeclaration(definition),
      element(
        'qti-outcome-declaration',
        {
          identifier: 'SCORE',
          cardinality: 'single',
          'base-type': 'float',
          'normal-maximum': points,
          'normal-minimum': 0,
        },
        value('0'),
      ),
      element(
        'qti-outcome-declaration',
        { identifier: 'MAXSCORE', cardinality: 'single', 'base-type': 'float' },
        value(`${points}`),
      ),
      explanation
        ? element('qti-outcome-declaration', {
            identifier: FEEDBACK,
            cardinality: 'single',
            'base-type': 'identifier',
          })
        : null,
      hasFeedback(definition)
        ? element('qti-outcome-declaration', {
            identifier: OPTION_FEEDBACK,
            cardinality: isSeveralChoice(definition.type) ? 'multiple' : 'single',
            'base-type': 'identifier',
          })
        : null,
      element(
        'qti-item-body',
        format === 'markdown' ? { class: MARKDOWN_CLASS } : {},
        html(question),
        interaction(definition, html),
      ),
      responseProcessing(definition),
      explanation
        ? element(
            'qti-modal-feedback',
            { 'outcome-identifier': FEEDBACK, 'show-hide': 'show', identifier: EXPLANATION },
            element('qti-content-body', {}, html(explanation)),
          )
        : null,
      definition.options.map(({ feedback }, i) =>
        feedback
          ? element(
              'qti-modal-feedback',
              {
                'outcome-identifier': OPTION_FEEDBACK,
                'show-hide': 'show',
                identifier: choiceIds(definition)[i],
              },
              element('qti-content-body', {}, html(feedback)),
            )
          : null,
      ),
    ),
  );
}

function value(text: string): WrittenXml {
  return element('qti-default-value', {}, element('qti-value', {}, text));
}

function interaction(
  definition: QuestionDefinition,
  html: (text: string) => WrittenXml,
): WrittenXml {
  const { type, options, minSelections, maxSelections } = definition;
  if (isInRows(type)) return rowInteraction(definition, html);
  if (!hasOptions(type)) {
    const field = element('qti-text-entry-interaction', { 'response-identifier': 'RESPONSE' });
    return element('div', {}, field);
  }
  const isMultiple = type === 'multiple_response';
  const ids = choiceIds(definition);
  return element(
    'qti-choice-interaction',
    {
      'response-identifier': 'RESPONSE',
      shuffle: 'true',
      'max-choices': isMultiple ? (maxSelections ?? 0) : 1,
      ...(isMultiple && minSelections !== undefined ? { 'min-choices': minSelections } : {}),
    },
    options.map(({ text, isLast }, i) =>
      element(
        'qti-simple-choice',
        { identifier: ids[i], ...(isLast ? { fixed: 'true' } : {}) },
        html(text),
      ),
    ),
  );
}

function rowInteraction(
  definition: QuestionDefinition,
  html: (text: string) => WrittenXml,
): WrittenXml {
  const { type, options } = definition;
  const ids = choiceIds(definition);
  const response = { 'response-identifier': 'RESPONSE', shuffle: 'true' };
  if (type === 'ordering') {
    return element(
      'qti-order-interaction',
      response,
      options.map(({ text }, i) =>
        element('qti-simple-choice', { identifier: ids[i] }, html(text)),
      ),
    );
  }
  const side = (isItem: boolean) =>
    options.flatMap(({ text, match }, i) => {
      if ((match !== undefined) !== isItem) return [];
      // An answer may be right for any number of items, which is 0 here; items stay in their order.
      const facts = isItem ? { 'match-max': 1, fixed: 'true' } : { 'match-max': 0 };
      return element('qti-simple-associable-choice', { identifier: ids[i], ...facts }, html(text));
    });
  return element(
    'qti-match-interaction',
    { ...response, 'max-associations': itemsOf(options).length },
    element('qti-simple-match-set', {}, side(true)),
    element('qti-simple-match-set', {}, side(false)),
  );
}

/** Required, so the beginning of the text where there is no title. */
function titleOf(title: string, question: string): string {
  const text = (title.trim() || question).replace(/\s+/g, ' ').trim();
  return text.length > MOST_TITLE ? `${text.slice(0, MOST_TITLE)}…` : text;
}
