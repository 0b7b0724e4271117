import type { GivenAnswer } from '../given-answer.ts';
import type {
  KeyField,
  OptionDefinition,
  QuestionDefinition,
  QuestionDetails,
  ScoringRule,
} from '../question-definition.ts';
import type { Evaluation, Weighted } from './weights.ts';

export interface DefinitionProblem {
  path: string;
  message: string;
}

/** An answer in a worked example of a scoring rule, and how it is named there. */
export interface ExampleAnswer {
  name: string;
  /** The answer as it is on the wire. */
  answer: string;
}

/** A definition or the stored details of one: what tells whether there is a key. */
export type Keyed = Pick<QuestionDefinition, 'type' | KeyField> & {
  options: readonly Pick<OptionDefinition, 'isCorrect' | 'match'>[];
};

/** All that a type of question is, except how it is answered (`ANSWER_KINDS`) and shown. */
export interface TypeOfQuestion {
  /** Name for authors. */
  name(): string;
  /** The rules by which it can be scored. */
  rules: readonly ScoringRule[];
  /** Options stay in the author's order on every paper. */
  hasFixedOrder: boolean;
  /** The author's order of options is the key, or tells it: no paper has it. */
  isOrderKey: boolean;
  /** The options of a new question of this type, where they are given. */
  firstOptions?(): readonly string[];
  /** The field with the key; null where options are right or wrong. */
  keyField: KeyField | null;
  /** The fields of a definition that only some types have, cleaned. */
  clean(input: QuestionDefinition): Partial<QuestionDefinition>;
  /** The options of a valid definition in the order in which they are stored. */
  arrange(options: OptionDefinition[]): OptionDefinition[];
  /** The options as they are compared, whatever their order: a key that is in the order is in each of them. */
  plainOptions(options: readonly OptionDefinition[]): object[];
  /** The problems of options and key in a cleaned definition. */
  problems(definition: QuestionDefinition): DefinitionProblem[];
  isDraft(definition: Keyed): boolean;
  /** @param answer not blank */
  evaluate(details: QuestionDetails, optionIds: readonly number[], answer: GivenAnswer): Evaluation;
  /** The key as it is compared; null where that is in the options. */
  plainKey(definition: QuestionDefinition): { accepted: Weighted[] } | null;
  /** The accepted answers in words, for authors. */
  acceptedText(definition: QuestionDefinition): string[];
  /** Further rules for what is accepted in words, for authors. */
  keyRules(definition: QuestionDefinition): string[];
  /** The accepted answers in words, for a candidate with a released result. */
  releasedKey(details: QuestionDetails): string[];
  /** Answers whose points explain the scoring rule. */
  examples(definition: QuestionDefinition): ExampleAnswer[];
}
