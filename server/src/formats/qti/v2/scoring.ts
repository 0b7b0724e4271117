import { t } from '@invigil/core/texts/i18n';
import { childrenOf, type XmlElement } from '../../xml/xml-element.ts';
import { NotSupported, unreadRuleText } from '../fit/score.ts';
import { type Declaration, readDeclaration, type Scalar } from './declarations.ts';
import { Unknown, type Value } from './expressions.ts';
import {
  type ResponseProcessing,
  readResponseProcessing,
  templateProcessing,
} from './response-processing.ts';

/** Written into the items of our own packages, which need no guesses. */
export const TOOL_NAME = 'Invigil';
/** Class of the body of an item whose texts are Markdown, though they may have no marks. */
export const MARKDOWN_CLASS = 'markdown';

export interface Scoring {
  response: Declaration;
  /** Points for a response; 0 where the file has no rules and no key. */
  scoreOf: (values: readonly Scalar[]) => number;
  outcomesOf: (values: readonly Scalar[]) => ReadonlyMap<string, Value>;
  rules: readonly XmlElement[];
  declaredMost: number | undefined;
  isTemplate: boolean;
  isOwn: boolean;
  /** The score is what the mapping gives, and nothing else. */
  isMapped: boolean;
  notes: string[];
}

/** Outcomes that are numbers, but no score: MAXSCORE_RESPONSE_1 for one. */
const NO_SCORE = /^(?:M(?:AX|IN)SCORE.*|PASSED|numAttempts|duration)$/;

/** Reads the declarations and rules behind an interaction. Throws NotSupported. */
export function readScoring(item: XmlElement, interaction: XmlElement): Scoring {
  const { responseIdentifier = 'RESPONSE' } = interaction.attributes;
  const response = childrenOf(item, 'responseDeclaration')
    .map(readDeclaration)
    .find((declaration) => declaration.identifier === responseIdentifier);
  if (!response)
    throw new NotSupported(
      t(
        /* “it”: a question of the file */ 'import.qti.undeclared',
        'It does not declare its response “{name}”.',
        { name: responseIdentifier },
      ),
    );
  const outcomes = childrenOf(item, 'outcomeDeclaration').map(readDeclaration);
  const processing = readResponseProcessing(item, response, outcomes);
  const scoreName = scoreNameOf(processing, outcomes);
  const maxScore = outcomes.find(({ identifier }) => identifier === 'MAXSCORE')?.defaults[0];
  const declared = outcomes.find(({ identifier }) => identifier === scoreName)?.normalMaximum;
  const base = {
    response,
    outcomesOf: processing?.run ?? (() => new Map()),
    rules: processing?.rules ?? [],
    declaredMost: declared ?? (typeof maxScore === 'number' ? maxScore : undefined),
    isTemplate: processing?.isTemplate ?? false,
    isOwn: item.attributes.toolName === TOOL_NAME,
    isMapped:
      (processing?.rules.length === 0 && !processing.isTemplate && response.mapping !== null) ||
      (processing?.rules ?? []).some((rule) => setsToMapping(rule, scoreName)),
  };
  const isScored =
    processing?.rules.length === 0 ||
    (processing !== null && sets(childrenOf(item, 'responseProcessing'), scoreName));
  if (!processing || !isScored) return { ...base, ...byKey(response, outcomes) };
  return { ...base, notes: [], scoreOf: (values) => scoreIn(processing.run(values), scoreName) };
}

/** Whether a rule sets the score to the value of the mapping. */
function setsToMapping(rule: XmlElement, name: string): boolean {
  const children = childrenOf(rule);
  return rule.name === 'setOutcomeValue'
    ? rule.attributes.identifier === name && children[0]?.name === 'mapResponse'
    : children.some((child) => setsToMapping(child, name));
}

function scoreIn(outcomes: ReadonlyMap<string, Value>, name: string): number {
  const value = outcomes.get(name) ?? [];
  if (value instanceof Unknown) {
    throw new NotSupported(unreadRuleText(value.because));
  }
  const score = Number(value[0] ?? 0);
  return Number.isFinite(score) ? score : 0;
}

function scoreNameOf(
  processing: ResponseProcessing | null,
  outcomes: readonly Declaration[],
): string {
  const isThere = outcomes.some(({ identifier }) => identifier === 'SCORE');
  if (isThere || !processing || processing.rules.length === 0) return 'SCORE';
  const numbers = outcomes.filter(
    ({ identifier, baseType }) => baseType === 'number' && !NO_SCORE.test(identifier),
  );
  return numbers.length === 1 ? (numbers[0]?.identifier ?? 'SCORE') : 'SCORE';
}

function sets(parents: readonly XmlElement[], name: string): boolean {
  return parents.some(
    (parent) =>
      (/^(?:setOutcomeValue|lookupOutcomeValue)$/.test(parent.name) &&
        parent.attributes.identifier === name) ||
      sets(childrenOf(parent), name),
  );
}

/** Scores by the mapping or the key of the response, where no rule does. */
function byKey(
  response: Declaration,
  outcomes: readonly Declaration[],
): Pick<Scoring, 'scoreOf' | 'notes' | 'isTemplate' | 'isMapped'> {
  const { mapping, correct } = response;
  if (!mapping && correct.length === 0) {
    return { scoreOf: () => 0, notes: [], isTemplate: false, isMapped: false };
  }
  const template = mapping ? 'map_response' : 'match_correct';
  const processing = templateProcessing(template, response, outcomes);
  return {
    scoreOf: (values) => scoreIn(processing.run(values), 'SCORE'),
    notes: [
      t(
        /* “it”: a question of the file */ 'import.qti.noRule',
        'The file has no rule for its points; the key alone counts.',
      ),
    ],
    isTemplate: processing.isTemplate,
    isMapped: mapping !== null,
  };
}
