import type { AcceptedNumber } from '@invigil/core/domain/questions/question-definition';
import { rangeAround } from '../../text/accepted-number.ts';
import { childrenOf, descendantsOf, textOf, type XmlElement } from '../../xml/xml-element.ts';
import { tolerancesOf } from './expressions.ts';

/** Sets of identifiers that rules compare a selection with. */
export function comparedSets(rules: readonly XmlElement[]): string[][] {
  return rules
    .flatMap((rule) => descendantsOf(rule, 'multiple', 'ordered'))
    .map((set) => descendantsOf(set, 'baseValue').map((value) => textOf(value).trim()));
}

/** Texts that rules compare with. */
export function comparedTexts(rules: readonly XmlElement[]): string[] {
  return baseValues(rules, ['string']);
}

/** Numbers that rules compare with, and those that they give as points: more do no harm. */
export function comparedNumbers(rules: readonly XmlElement[]): string[] {
  return baseValues(rules, ['float', 'integer']);
}

function baseValues(rules: readonly XmlElement[], types: readonly string[]): string[] {
  return rules
    .flatMap((rule) => descendantsOf(rule, 'baseValue'))
    .filter(({ attributes }) => types.includes(attributes.baseType ?? ''))
    .map((value) => textOf(value).trim());
}

/** The numbers that a rule seems to accept: values, values with a tolerance, ranges. */
export function numberHints(rule: XmlElement, correct: readonly string[]): AcceptedNumber[] {
  return descendantsOf(rule, 'equal', 'match', 'and').flatMap((element): AcceptedNumber[] => {
    if (element.name === 'and') return rangeOf(element);
    const literal = childrenOf(element).find((child) => child.name === 'baseValue');
    const isKey = childrenOf(element).some((child) => child.name === 'correct');
    const value = literal ? textOf(literal).trim() : isKey ? correct[0] : undefined;
    if (value === undefined) return [];
    const { toleranceMode = 'exact', tolerance } = element.attributes;
    if (element.name === 'match' || toleranceMode === 'exact') return [{ value }];
    const [below, above] = tolerancesOf(tolerance);
    if (below === undefined || above === undefined) return [];
    if (toleranceMode === 'relative') {
      return Number(below) === Number(above) ? [{ value, tolerancePercent: below }] : [];
    }
    const range = rangeAround(value, below, above);
    return range ? [range] : [];
  });
}

/**
 * Accepted numbers with what each earns, from rules in the form that we write: if it matches, the score
 * is the greater of what it is and a value.
 */
export function weightedNumbers(
  rules: readonly XmlElement[],
): { accepted: AcceptedNumber; earned: number }[] {
  return rules.flatMap((rule) => {
    const [branch] = childrenOf(rule, 'responseIf');
    const [greater] = descendantsOf(rule, 'max');
    const value = greater && childrenOf(greater, 'baseValue')[0];
    const [accepted] = branch ? numberHints(branch, []) : [];
    return value && accepted ? [{ accepted, earned: Number(textOf(value)) }] : [];
  });
}

/** A range written as two comparisons. */
function rangeOf(and: XmlElement): AcceptedNumber[] {
  const ends: { min?: string; max?: string } = {};
  for (const comparison of childrenOf(and)) {
    const [left, right] = childrenOf(comparison);
    if (!left || !right || !/^[gl]te?$/.test(comparison.name)) continue;
    const isVariableFirst = left.name === 'variable';
    const value = textOf(isVariableFirst ? right : left).trim();
    if (comparison.name.startsWith('g') === isVariableFirst) ends.min = value;
    else ends.max = value;
  }
  const { min, max } = ends;
  return min === undefined || max === undefined ? [] : [{ min, max }];
}
