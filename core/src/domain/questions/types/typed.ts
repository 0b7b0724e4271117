import { t } from '../../../texts/i18n.ts';
import { QUESTION_LIMITS as L } from '../../limits.ts';
import type { KeyField, QuestionDefinition, ScoringRule } from '../question-definition.ts';
import type { DefinitionProblem, TypeOfQuestion } from './type-of-question.ts';
import { asWhole, isWeight, shareOf, WEIGHT_PROBLEMS, type Weighted, weightOf } from './weights.ts';

export const tooMany = (): string =>
  t(/* accepted answers, or units */ 'field.max', 'At most {max}', {
    max: L.acceptedMax,
  });

const MESSAGES = {
  noOptions: () => t('definition.noOptions', 'This type of question has no options'),
  rule: () => t('definition.ruleNeedsOptions', 'This scoring rule needs options'),
};

const RULES: readonly ScoringRule[] = ['all_or_nothing', 'weights'];

/** How a type with accepted answers differs from the others, by its key. */
interface TypedParts<A extends Weighted, K extends { accepted: A[] }>
  extends Pick<TypeOfQuestion, 'name' | 'clean'> {
  keyField: KeyField;
  keyIn(definition: Pick<QuestionDefinition, KeyField>): K | undefined;
  /** The problems of a cleaned key, by their paths in it. */
  problems(key: K): DefinitionProblem[];
  /** The accepted answer that a text matches; the one with the highest weight where several do. */
  match(key: K, text: string): Weighted | null;
  plainKey(key: K): { accepted: Weighted[] };
  /** An accepted answer in words, for authors and for a candidate. */
  words(accepted: A): string;
  releasedWords(accepted: A, key: K): string;
  keyRules(key: K): string[];
  /** An answer that is accepted, for a worked example. */
  example(key: K, rule: ScoringRule): string;
}

/** A type whose answer is typed, and compared with those that the author accepts. */
export function typedType<A extends Weighted, K extends { accepted: A[] }>({
  name,
  keyField,
  keyIn,
  clean,
  ...parts
}: TypedParts<A, K>): TypeOfQuestion {
  const acceptedIn = (definition: Pick<QuestionDefinition, KeyField>) =>
    keyIn(definition)?.accepted ?? [];
  const at = ({ path, message }: DefinitionProblem) => ({ path: `${keyField}.${path}`, message });
  return {
    name,
    rules: RULES,
    hasFixedOrder: false,
    isOrderKey: false,
    arrange: (options) => options,
    plainOptions: (options) => [...options],
    keyField,
    clean,
    problems: (definition) => {
      const { options, rule } = definition;
      const key = keyIn(definition);
      return [
        ...(options.length > 0 ? [{ path: 'options', message: MESSAGES.noOptions() }] : []),
        ...(RULES.includes(rule) ? [] : [{ path: 'rule', message: MESSAGES.rule() }]),
        ...acceptedProblems(rule, acceptedIn(definition)).map(at),
        ...(key ? parts.problems(key).map(at) : []),
      ];
    },
    isDraft: (definition) => acceptedIn(definition).length === 0,
    evaluate: (details, _, { response }) => {
      const key = keyIn(details);
      const match = key ? parts.match(key, response ?? '') : null;
      if (!match || details.rule !== 'weights') return asWhole(match !== null);
      const share = shareOf(weightOf(match));
      return { share, wrong: share > 0n ? 0 : 1 };
    },
    plainKey: (definition) => {
      const key = keyIn(definition);
      return key ? parts.plainKey(key) : null;
    },
    acceptedText: (definition) =>
      acceptedIn(definition).map((one) => withWeight(parts.words(one), one.weight)),
    keyRules: (definition) => {
      const key = keyIn(definition);
      return key ? parts.keyRules(key) : [];
    },
    // Answers that earn a part of the points are not what was asked for.
    releasedKey: (details) => {
      const key = keyIn(details);
      if (!key) return [];
      const full = key.accepted.filter(({ weight = 100 }) => weight === 100);
      return full.map((one) => parts.releasedWords(one, key));
    },
    examples: (definition) => {
      const key = keyIn(definition);
      const answer = key ? parts.example(key, definition.rule) : '';
      return [{ name: `“${answer}”`, answer }];
    },
  };
}

function acceptedProblems(rule: ScoringRule, accepted: readonly Weighted[]): DefinitionProblem[] {
  const isNonePositive = accepted.length > 0 && !accepted.some(({ weight = 0 }) => weight > 0);
  return [
    ...(accepted.length > L.acceptedMax ? [{ path: 'accepted', message: tooMany() }] : []),
    ...accepted.flatMap(({ weight }, i) =>
      weight !== undefined && !isWeight(weight)
        ? [{ path: `accepted.${i}.weight`, message: WEIGHT_PROBLEMS.weight() }]
        : [],
    ),
    ...(rule === 'weights' && isNonePositive
      ? [{ path: 'accepted', message: WEIGHT_PROBLEMS.noPositiveWeight() }]
      : []),
  ];
}

/** The match with the highest weight. */
export function best<T extends Weighted>(matches: readonly T[]): T | null {
  return matches.reduce<T | null>(
    (found, match) => (found && (found.weight ?? 100) >= (match.weight ?? 100) ? found : match),
    null,
  );
}

function withWeight(words: string, weight: number | undefined): string {
  return weight === undefined || weight === 100
    ? words
    : t(
        /* {answer} is an accepted answer */ 'definition.answerWithWeight',
        '{answer}, {weight}% of the points',
        { answer: words, weight },
      );
}
