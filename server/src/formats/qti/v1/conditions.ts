import { foldCase } from '@invigil/core/domain/typed-text';
import { t } from '@invigil/core/texts/i18n';
import { childrenOf, descendantsOf, textOf, type XmlElement } from '../../xml/xml-element.ts';
import { isClose, NotSupported, numberOf, unreadRuleText } from '../fit/score.ts';

/** The result of rules for a response. */
export interface Outcome {
  score: number;
  /** Identifiers of the feedback that is shown. */
  feedback: Set<string>;
}

export interface Conditions {
  /** The response: identifiers, or what was typed. */
  run: (response: readonly string[]) => Outcome;
  isEmpty: boolean;
  declaredMost: number | undefined;
  /** Selections that the rules mean without a condition for each. */
  named: string[][];
  notes: string[];
}

interface Rule {
  condition: XmlElement | undefined;
  sets: { action: string; value: number }[];
  feedback: string[];
  stops: boolean;
}

/** More rules than any real item has; each is evaluated for many responses. */
const MOST_RULES = 2_000;

/** Reads `resprocessing`. Throws NotSupported for rules that are not read. */
export function readConditions(item: XmlElement, ident: string): Conditions {
  const blocks = childrenOf(item, 'resprocessing');
  const elements = blocks.flatMap((block) => childrenOf(block, 'respcondition'));
  const parts = elements.flatMap((element) =>
    descendantsOf(element, 'and', 'or', 'not', 'varequal'),
  );
  if (elements.length + parts.length > MOST_RULES)
    throw new NotSupported(
      t(
        /* “it”: a question of the file */ 'import.qti.tooManyRules',
        'It has too many rules to be read.',
      ),
    );
  const declared = blocks.flatMap((block) => descendantsOf(block, 'decvar'));
  if (elements.some((e) => childrenOf(e, 'setvar').some(isCounted))) {
    return countedSelection(elements, ident);
  }
  const names = new Set(elements.flatMap((e) => childrenOf(e, 'setvar').map(variableOf)));
  const scoreName = names.has('SCORE') || names.size === 0 ? 'SCORE' : ([...names][0] ?? 'SCORE');
  if (names.size > 1 && !names.has('SCORE')) {
    throw new NotSupported(
      t(
        /* “it”: a question of the file */ 'import.qti.severalVariables',
        'Its points are in several variables.',
      ),
    );
  }
  const decvar = declared.find((d) => variableOf(d) === scoreName) ?? declared[0];
  const [start = 0, min = -Infinity, max = Infinity] = ['defaultval', 'minvalue', 'maxvalue'].map(
    (name) => numberOf(decvar?.attributes[name]),
  );
  const rules = elements.map((element) => readRule(element, scoreName, max));
  return {
    isEmpty: rules.every((rule) => rule.sets.length === 0),
    declaredMost: Number.isFinite(max) && max > 0 ? max : undefined,
    named: [],
    notes: [],
    run: (response) => {
      let score = start;
      const feedback = new Set<string>();
      for (const rule of rules) {
        if (!holds(rule.condition, response, ident)) continue;
        for (const { action, value } of rule.sets) score = applied(action, score, value);
        for (const id of rule.feedback) feedback.add(id);
        if (rule.stops) break;
      }
      return { score: Math.min(max, Math.max(min, score)), feedback };
    },
  };
}

/** Brightspace counts right and wrong selections in variables of its own. */
const isCounted = (setvar: XmlElement) => /^D2L_(?:In)?correct$/i.test(variableOf(setvar));

/** Brightspace's counts are turned into points by a setting with no rule in the file: all or nothing here. */
function countedSelection(elements: readonly XmlElement[], ident: string): Conditions {
  const conditionsOf = (name: RegExp) =>
    elements
      .filter((element) => childrenOf(element, 'setvar').some((set) => name.test(variableOf(set))))
      .flatMap((element) => childrenOf(element, 'conditionvar'));
  const right = conditionsOf(/^D2L_correct$/i);
  const wrong = conditionsOf(/^D2L_incorrect$/i);
  return {
    isEmpty: false,
    declaredMost: 1,
    named: [right.flatMap((condition) => descendantsOf(condition, 'varequal').map(textOf))],
    notes: [
      t(
        /* “here”: in Invigil */ 'import.qti.countedSelections',
        'The file only counts right and wrong selections; here all or nothing counts.',
      ),
    ],
    run: (response) => {
      const isRight =
        right.length > 0 &&
        right.every((condition) => holds(condition, response, ident)) &&
        !wrong.some((condition) => holds(condition, response, ident));
      return { score: isRight ? 1 : 0, feedback: new Set() };
    },
  };
}

/** `max`: what Blackboard's `SCORE.max` stands for. */
function readRule(element: XmlElement, scoreName: string, max: number): Rule {
  const sets = childrenOf(element, 'setvar')
    .filter((setvar) => variableOf(setvar) === scoreName)
    .map((setvar) => ({
      action: setvar.attributes.action ?? 'Set',
      value: pointsIn(textOf(setvar).trim(), max),
    }));
  if (sets.some(({ value }) => Number.isNaN(value))) {
    throw new NotSupported(
      t('import.qti.pointsNoNumber', 'A rule gives points that are not a number.'),
    );
  }
  const { continue: goesOn } = element.attributes;
  return {
    condition: childrenOf(element, 'conditionvar')[0],
    sets,
    feedback: childrenOf(element, 'displayfeedback').map((f) => f.attributes.linkrefid ?? ''),
    // The specification stops at the first rule that holds and has no `continue`; programs that leave it out
    // and add points rule by rule mean the contrary.
    stops:
      goesOn === undefined ? sets.some(({ action }) => action === 'Set') : !/^yes$/i.test(goesOn),
  };
}

function holds(
  condition: XmlElement | undefined,
  response: readonly string[],
  ident: string,
): boolean {
  return condition !== undefined && all(condition, response, ident);
}

const all = (parent: XmlElement, response: readonly string[], ident: string) =>
  childrenOf(parent).every((child) => test(child, response, ident));

function test(element: XmlElement, response: readonly string[], ident: string): boolean {
  const { name, attributes } = element;
  switch (name) {
    case 'and':
      return all(element, response, ident);
    case 'or':
      return childrenOf(element).some((child) => test(child, response, ident));
    case 'not':
      return !all(element, response, ident);
    case 'other':
      return true;
    case 'unanswered':
      return response.length === 0 || response[0] === '';
    case 'conditionvar':
      return all(element, response, ident);
  }
  if (!/^var(?:equal|[gl]te?)$/.test(name)) {
    throw new NotSupported(unreadRuleText(name));
  }
  if (attributes.respident !== ident) return false;
  const wanted = textOf(element).trim();
  if (name === 'varequal') return equals(attributes, response, wanted);
  const [a, b] = [Number(response[0]), Number(wanted)];
  if (name === 'vargt') return a > b && !isClose(a, b);
  if (name === 'varlt') return a < b && !isClose(a, b);
  return isClose(a, b) || (name === 'vargte' ? a > b : a < b);
}

function equals(
  { case: sensitive = 'No', margin, margintype }: Record<string, string>,
  response: readonly string[],
  wanted: string,
): boolean {
  if (margin !== undefined) {
    const [a, b] = [Number(response[0]), Number(wanted)];
    const allowed =
      margintype === 'percent' ? Math.abs(b) * (Number(margin) / 100) : Number(margin);
    return Math.abs(a - b) <= allowed || isClose(Math.abs(a - b), allowed);
  }
  return response.some((value) => {
    if (value === wanted) return true;
    if (!/^yes$/i.test(sensitive) && foldCase(value) === foldCase(wanted)) return true;
    return value !== '' && wanted !== '' && Number(value) === Number(wanted);
  });
}

function applied(action: string, score: number, value: number): number {
  switch (action.toLowerCase()) {
    case 'add':
      return score + value;
    case 'subtract':
      return score - value;
    case 'multiply':
      return score * value;
    case 'divide':
      return value === 0 ? score : score / value;
    default:
      return value;
  }
}

const variableOf = ({ attributes }: XmlElement) =>
  attributes.varname ?? attributes.variablename ?? 'SCORE';

function pointsIn(text: string, max: number): number {
  if (/^SCORE\.max$/i.test(text)) return Number.isFinite(max) && max > 0 ? max : 1;
  return numberOf(text) ?? Number.NaN;
}
