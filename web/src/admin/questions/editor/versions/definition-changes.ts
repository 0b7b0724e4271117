import { optionLetter } from '@invigil/core/domain/locale';
import { keyRows } from '@invigil/core/domain/questions/answer-rows';
import {
  isInRows,
  type QuestionDefinition,
} from '@invigil/core/domain/questions/question-definition';
import { acceptedText, TYPES } from '@invigil/core/domain/questions/types/question-types';
import { ruleName } from '../../../../lib/question-labels.ts';

/** A part of a question that differs between two versions. An empty side: it is not there. */
export interface Change {
  label: string;
  before: string;
  after: string;
}

export interface Labels {
  tags: readonly string[];
  category: string;
  difficulty: string;
  note: string;
}

/** The differences, in words that an author reads, in the order of the editor. */
export function definitionChanges(before: QuestionDefinition, after: QuestionDefinition): Change[] {
  const a = linesOf(before);
  const b = linesOf(after);
  return [...new Set([...a.keys(), ...b.keys()])]
    .map((label) => ({ label, before: a.get(label) ?? '', after: b.get(label) ?? '' }))
    .filter((change) => change.before !== change.after);
}

export function labelChanges(before: Labels, after: Labels): Change[] {
  const lines = ({ tags, category, difficulty, note }: Labels): [string, string][] => [
    ['Tags', tags.join(', ')],
    ['Category', category],
    ['Difficulty', difficulty],
    ['Note', note],
  ];
  const a = new Map(lines(before));
  return lines(after)
    .map(([label, text]) => ({ label, before: a.get(label) ?? '', after: text }))
    .filter((change) => change.before !== change.after);
}

/** Whether the scores of people who have the question may change: its key, points or rule did. */
export function hasOtherScores(before: QuestionDefinition, after: QuestionDefinition): boolean {
  const scoring = ({ type, points, rule, options, ...keys }: QuestionDefinition) => {
    const { keyField } = TYPES[type];
    return JSON.stringify([
      points,
      rule,
      keyField,
      keyField && keys[keyField],
      ...(isInRows(type) ? [keyRows({ type, options })] : []),
      options
        .filter(({ isCorrect, weight }) => isCorrect || (weight ?? 0) !== 0)
        .map(({ text, weight }) => [text, weight])
        .sort(),
    ]);
  };
  return scoring(before) !== scoring(after);
}

function linesOf(definition: QuestionDefinition): Map<string, string> {
  const { type, format, question, options, points, explanation = '' } = definition;
  const lines: [string, string][] = [
    ['Type', TYPES[type].name()],
    ['Formatting', format === 'markdown' ? 'Markdown' : 'Plain text'],
    ['Question', question],
    ...options.map((option, i): [string, string] => [`Option ${optionLetter(i)}`, option.text]),
    ...(isInRows(type) ? [] : [['Correct', keyText(definition)] as [string, string]]),
    ['Kept last', lettersOf(options, ({ isLast }) => isLast === true)],
    ['Points', String(points)],
    ['Scoring rule', ruleName(definition)],
    ['Select at least', String(definition.minSelections ?? '')],
    ['Select at most', String(definition.maxSelections ?? '')],
    [isInRows(type) ? 'Correct' : 'Accepted', acceptedText(definition).join('\n')],
    ['Comparison', TYPES[type].keyRules(definition).join('\n')],
    ['Explanation', explanation],
    ...options.map(({ feedback = '' }, i): [string, string] => [
      `Feedback on ${optionLetter(i)}`,
      feedback,
    ]),
  ];
  return new Map(lines.filter(([, text]) => text !== ''));
}

function keyText({ options, rule }: QuestionDefinition): string {
  if (rule !== 'weights') return lettersOf(options, ({ isCorrect }) => isCorrect);
  return options.map(({ weight = 0 }, i) => `${optionLetter(i)} ${weight}%`).join(', ');
}

function lettersOf<T>(options: readonly T[], isOne: (option: T) => boolean): string {
  return options.flatMap((option, i) => (isOne(option) ? [optionLetter(i)] : [])).join(', ');
}
