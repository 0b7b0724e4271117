import { itemsOf } from '@invigil/core/domain/questions/matching-options';
import {
  type AcceptedNumber,
  ANSWER_KINDS,
  type AnswerKind,
  hasOptions,
  isInRows,
  type QuestionDefinition,
} from '@invigil/core/domain/questions/question-definition';
import { isDraft } from '@invigil/core/domain/questions/types/question-types';
import { element, type WrittenXml } from '../../xml/write-xml.ts';
import { OPTION_FEEDBACK } from '../v2/feedback.ts';

const RESPONSE = 'RESPONSE';
const SCORE = 'SCORE';
export const FEEDBACK = 'FEEDBACK';
export const EXPLANATION = 'explanation';

/** Identifiers of the options: true and false are named, as the specification's examples do. */
export function choiceIds({ type, options }: QuestionDefinition): string[] {
  return options.map((_, i) =>
    type === 'true_false' ? (i === 0 ? 'true' : 'false') : `choice-${i + 1}`,
  );
}

export const hasFeedback = ({ options }: QuestionDefinition): boolean =>
  options.some(({ feedback }) => feedback);

const BASE_TYPES: Record<AnswerKind, string> = {
  one: 'identifier',
  several: 'identifier',
  number: 'float',
  text: 'string',
  matches: 'directedPair',
  order: 'identifier',
};
const CARDINALITIES: Record<AnswerKind, string> = {
  one: 'single',
  several: 'multiple',
  number: 'single',
  text: 'single',
  matches: 'multiple',
  order: 'ordered',
};

/** The declaration of the response: its kind, its key, what each answer is worth. */
export function responseDeclaration(definition: QuestionDefinition): WrittenXml {
  const { type, options, numeric, shortText } = definition;
  const ids = choiceIds(definition);
  const kind = ANSWER_KINDS[type];
  const key = isInRows(type)
    ? rowValues(definition)
    : hasOptions(type)
      ? ids.filter((_, i) => options[i]?.isCorrect)
      : (shortText?.accepted.slice(0, 1).map(({ text }) => text) ??
        numeric?.accepted.slice(0, 1).map(someValueOf) ??
        []);
  const isSingle = CARDINALITIES[kind] === 'single';
  return element(
    'qti-response-declaration',
    { identifier: RESPONSE, cardinality: CARDINALITIES[kind], 'base-type': BASE_TYPES[kind] },
    key.length === 0
      ? null
      : element(
          'qti-correct-response',
          {},
          (isSingle ? key.slice(0, 1) : key).map((value) => element('qti-value', {}, value)),
        ),
    mapping(definition, ids),
  );
}

/** The right rows: pairs of an item and its answer, in a draft not of all items; or items in the right order. */
function rowValues(definition: QuestionDefinition): string[] {
  const { type, options } = definition;
  const ids = choiceIds(definition);
  if (type === 'ordering') return ids;
  return options.flatMap(({ match }, i) => (match == null ? [] : `${ids[i]} ${ids[match]}`));
}

/** A number that is accepted: of a range, an end. */
function someValueOf(accepted: AcceptedNumber): string {
  return 'min' in accepted ? accepted.min : accepted.value;
}

function mapping(definition: QuestionDefinition, ids: readonly string[]): WrittenXml | null {
  const { rule, options, points, shortText } = definition;
  if (isDraft(definition)) return null;
  if (shortText) {
    const entries = shortText.accepted.map(({ text, weight = 0 }) =>
      element('qti-map-entry', {
        'map-key': text,
        'mapped-value': rule === 'weights' ? shareOf(points, weight) : '1',
        'case-sensitive': shortText.isCaseSensitive ? 'true' : 'false',
      }),
    );
    return element('qti-mapping', { 'lower-bound': '0', 'default-value': '0' }, entries);
  }
  if (definition.type === 'matching' && rule === 'per_option') {
    const entries = rowValues(definition).map((pair) =>
      element('qti-map-entry', { 'map-key': pair, 'mapped-value': '1' }),
    );
    return element('qti-mapping', { 'default-value': '0' }, entries);
  }
  if (!hasOptions(definition.type) || rule === 'all_or_nothing') return null;
  const entries = ids.map((id, i) => {
    const { isCorrect, weight = 0 } = options[i] ?? { isCorrect: false };
    const value = rule === 'weights' ? shareOf(points, weight) : isCorrect ? '1' : '-1';
    return element('qti-map-entry', { 'map-key': id, 'mapped-value': value });
  });
  return element(
    'qti-mapping',
    {
      // The rule "per option" adds to the sum before it counts.
      ...(rule === 'per_option' ? {} : { 'lower-bound': '0' }),
      ...(rule === 'weights' ? { 'upper-bound': points } : {}),
      'default-value': '0',
    },
    entries,
  );
}

/** The rules by which a response becomes points, written out; `null` when there is nothing to set. */
export function responseProcessing(definition: QuestionDefinition): WrittenXml | null {
  const rules = [
    ...(isDraft(definition) ? [] : scoreRules(definition)),
    ...(definition.explanation
      ? [set(FEEDBACK, element('qti-base-value', { 'base-type': 'identifier' }, EXPLANATION))]
      : []),
    ...(hasFeedback(definition) ? [set(OPTION_FEEDBACK, variable(RESPONSE))] : []),
  ];
  return rules.length === 0 ? null : element('qti-response-processing', {}, rules);
}

function scoreRules(definition: QuestionDefinition): WrittenXml[] {
  const { type, rule, points, options, numeric, shortText } = definition;
  if (numeric) {
    return numeric.accepted.map((accepted) => {
      const earned = float(
        rule === 'weights' ? shareOf(points, accepted.weight ?? 0) : `${points}`,
      );
      const score = rule === 'weights' ? element('qti-max', {}, variable(SCORE), earned) : earned;
      return condition(matches(accepted), set(SCORE, score));
    });
  }
  const map = element('qti-map-response', { identifier: RESPONSE });
  if (rule === 'weights') return [set(SCORE, map)];
  if (shortText) {
    return [condition(element('qti-gt', {}, map, float('0')), set(SCORE, float(`${points}`)))];
  }
  if (rule === 'all_or_nothing') {
    const match = element('qti-match', {}, variable(RESPONSE), correct());
    return [condition(match, set(SCORE, float(`${points}`)))];
  }
  if (type === 'ordering') {
    return choiceIds(definition).map((id, i) => {
      const there = element('qti-index', { n: i + 1 }, variable(RESPONSE));
      const test = element(
        'qti-match',
        {},
        there,
        element('qti-base-value', { 'base-type': 'identifier' }, id),
      );
      const share = element('qti-divide', {}, float(`${points}`), float(`${options.length}`));
      return condition(test, set(SCORE, element('qti-sum', {}, variable(SCORE), share)));
    });
  }
  const right = options.filter((option) => option.isCorrect).length;
  const [sum, parts] =
    type === 'matching'
      ? [map, itemsOf(options).length]
      : rule === 'right_minus_wrong'
        ? [map, right]
        : [element('qti-sum', {}, map, float(`${options.length - right}`)), options.length];
  const score = element(
    'qti-divide',
    {},
    element('qti-product', {}, sum, float(`${points}`)),
    float(`${parts}`),
  );
  const isBlank = element('qti-is-null', {}, variable(RESPONSE));
  return [condition(element('qti-not', {}, isBlank), set(SCORE, score))];
}

function matches(accepted: AcceptedNumber): WrittenXml {
  if ('min' in accepted) {
    return element(
      'qti-and',
      {},
      element('qti-gte', {}, variable(RESPONSE), float(accepted.min)),
      element('qti-lte', {}, variable(RESPONSE), float(accepted.max)),
    );
  }
  const tolerance =
    'tolerancePercent' in accepted
      ? {
          'tolerance-mode': 'relative',
          tolerance: `${accepted.tolerancePercent} ${accepted.tolerancePercent}`,
        }
      : { 'tolerance-mode': 'exact' };
  return element('qti-equal', tolerance, float(accepted.value), variable(RESPONSE));
}

const variable = (identifier: string) => element('qti-variable', { identifier });
const correct = () => element('qti-correct', { identifier: RESPONSE });
const float = (value: string) => element('qti-base-value', { 'base-type': 'float' }, value);
const set = (identifier: string, value: WrittenXml) =>
  element('qti-set-outcome-value', { identifier }, value);
const condition = (test: WrittenXml, then: WrittenXml) =>
  element('qti-response-condition', {}, element('qti-response-if', {}, test, then));

/** A weight's share of the points, as an exact decimal. */
function shareOf(points: number, weight: number): string {
  // Points have two decimals, weights five, and a percent is a hundredth.
  const parts = BigInt(Math.round(points * 100)) * BigInt(Math.round(weight * 100_000));
  const digits = (parts < 0n ? -parts : parts).toString().padStart(10, '0');
  const fraction = digits.slice(-9).replace(/0+$/, '');
  return `${parts < 0n ? '-' : ''}${digits.slice(0, -9)}${fraction === '' ? '' : `.${fraction}`}`;
}
