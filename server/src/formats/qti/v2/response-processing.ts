import { t } from '@invigil/core/texts/i18n';
import { childrenOf, descendantsOf, type XmlElement } from '../../xml/xml-element.ts';
import { NotSupported } from '../fit/score.ts';
import type { Declaration, Scalar } from './declarations.ts';
import { evaluate, type Scope, Unknown, type Value } from './expressions.ts';

/** The rules of an item: what a response sets the outcomes to. */
export interface ResponseProcessing {
  run: (response: readonly Scalar[]) => Map<string, Value>;
  /** The rules as elements, for what they compare with; empty for a template. */
  rules: readonly XmlElement[];
  isTemplate: boolean;
}

/** More rules than any real item has; each is evaluated for many responses. */
const MOST_RULES = 1_500;

/** A template of the specification as what it stands for. */
type Template = 'match_correct' | 'match_correct_max' | 'map_response';

const TEMPLATES: Record<string, Template> = {
  match_correct: 'match_correct',
  CC2_match: 'match_correct',
  CC2_match_correct: 'match_correct',
  CC2_match_basic: 'match_correct_max',
  map_response: 'map_response',
  CC2_map_response: 'map_response',
};

/**
 * Makes the rules of an item runnable. Throws NotSupported for templates that are not those of the
 * specification; `null` when the item has no rules.
 */
export function readResponseProcessing(
  item: XmlElement,
  response: Declaration,
  outcomes: readonly Declaration[],
): ResponseProcessing | null {
  const processing = childrenOf(item, 'responseProcessing')[0];
  const rules = processing ? childrenOf(processing) : [];
  const url = processing?.attributes.template ?? processing?.attributes.templateLocation ?? '';
  if (rules.length > 0) {
    if (processing && descendantsOf(processing, ...ANY_RULE).length > MOST_RULES) {
      throw new NotSupported(
        t(
          /* “it”: a question of the file */ 'import.qti.tooLong',
          'Its response processing is too long to be read.',
        ),
      );
    }
    return {
      run: (values) => {
        const state = defaultsOf(outcomes);
        runAll(rules, state, scopeOf(response, values, state));
        return state;
      },
      rules,
      isTemplate: false,
    };
  }
  if (url.trim() === '') return null;
  const template = templateOf(url);
  if (!template) {
    throw new NotSupported(
      t(
        /* “it”: a question of the file */ 'import.qti.template',
        'It uses a response processing template of its own: {url}',
        { url: url.slice(0, 200) },
      ),
    );
  }
  return templateProcessing(template, response, outcomes);
}

/** A template of the specification, made runnable. */
export function templateProcessing(
  template: Template,
  response: Declaration,
  outcomes: readonly Declaration[],
): ResponseProcessing {
  return {
    run: (values) => runTemplate(template, values, response, defaultsOf(outcomes)),
    rules: [],
    isTemplate: template === 'match_correct',
  };
}

function defaultsOf(outcomes: readonly Declaration[]): Map<string, Value> {
  return new Map(
    outcomes.map(({ identifier, defaults, baseType }): [string, Value] => [
      identifier,
      defaults.length === 0 && baseType === 'number' ? [0] : defaults,
    ]),
  );
}

const ANY_RULE = ['responseCondition', 'responseElseIf', 'baseValue', 'variable', 'correct'];

/** The template by the last part of its address, at any of the addresses that the specification has had. */
function templateOf(url: string): Template | null {
  const match =
    /^https?:\/\/(?:www\.|purl\.)?(?:imsglobal|1edtech)\.org\/.*rptemplates\/(\w+)(?:\.xml)?$/i.exec(
      url.trim(),
    );
  const name = match?.[1] ?? '';
  return Object.hasOwn(TEMPLATES, name) ? (TEMPLATES[name] ?? null) : null;
}

function runTemplate(
  template: Template,
  values: readonly Scalar[],
  response: Declaration,
  state: Map<string, Value>,
): Map<string, Value> {
  // Templates are about RESPONSE; with one interaction, that is the one, whatever its name.
  const scope = scopeOf(response, values, state);
  const about = (name: string): XmlElement => ({
    name,
    prefix: '',
    attributes: { identifier: response.identifier },
    children: [],
    line: 0,
  });
  if (template === 'map_response') {
    const score = values.length === 0 ? [0] : evaluate(about('mapResponse'), scope);
    return state.set('SCORE', score);
  }
  const match = { ...about('match'), children: [about('variable'), about('correct')] };
  const value = evaluate(match, scope);
  const isRight = !(value instanceof Unknown) && value[0] === true;
  const most = template === 'match_correct_max' ? state.get('MAXSCORE') : undefined;
  return state.set('SCORE', isRight ? (most ?? [1]) : [0]);
}

function scopeOf(
  response: Declaration,
  values: readonly Scalar[],
  state: ReadonlyMap<string, Value>,
): Scope {
  return {
    responses: new Map([[response.identifier, response]]),
    valueOf: (identifier) =>
      identifier === response.identifier
        ? values
        : (state.get(identifier) ??
          new Unknown(
            t(
              /* stands in “… a rule that is not read here (…)”: it reads a variable of the file */ 'import.qti.theVariable',
              'the variable “{name}”',
              { name: identifier.slice(0, 60) },
            ),
          )),
  };
}

/** Runs rules in order; `false` when an exit was reached. */
function runAll(rules: readonly XmlElement[], state: Map<string, Value>, scope: Scope): boolean {
  return rules.every((rule) => runOne(rule, state, scope));
}

function runOne(rule: XmlElement, state: Map<string, Value>, scope: Scope): boolean {
  switch (rule.name) {
    case 'exitResponse':
      return false;
    case 'responseProcessingFragment':
      return runAll(childrenOf(rule), state, scope);
    case 'setOutcomeValue': {
      const [expression] = childrenOf(rule);
      if (expression) state.set(rule.attributes.identifier ?? '', evaluate(expression, scope));
      return true;
    }
    case 'responseCondition':
      return runCondition(rule, state, scope);
    default:
      forget(rule, new Unknown(rule.name), state);
      return true;
  }
}

function runCondition(rule: XmlElement, state: Map<string, Value>, scope: Scope): boolean {
  for (const branch of childrenOf(rule)) {
    if (branch.name === 'responseElse') return runAll(childrenOf(branch), state, scope);
    const [condition, ...then] = childrenOf(branch);
    if (!condition) continue;
    const value = evaluate(condition, scope);
    if (value instanceof Unknown) {
      // The branch that runs is not known, and so is everything that any of them sets.
      forget(rule, value, state);
      return true;
    }
    if (value[0] === true) return runAll(then, state, scope);
  }
  return true;
}

function forget(rule: XmlElement, unknown: Unknown, state: Map<string, Value>): void {
  const setters = descendantsOf(rule, 'setOutcomeValue', 'lookupOutcomeValue');
  for (const { attributes } of [rule, ...setters]) {
    if (attributes.identifier !== undefined) state.set(attributes.identifier, unknown);
  }
}
