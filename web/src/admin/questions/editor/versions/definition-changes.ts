import { figureText, listText, optionLetter } from '@invigil/core/domain/locale';
import { keyRows } from '@invigil/core/domain/questions/answer-rows';
import {
  isInRows,
  type QuestionDefinition,
} from '@invigil/core/domain/questions/question-definition';
import { acceptedText, TYPES } from '@invigil/core/domain/questions/types/question-types';
import { t } from '@invigil/core/texts/i18n';
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

/** A part of a question in words. It is told by its code: two parts may have the same label in a language. */
type Line = [part: string, label: string, text: string];

/** The differences, in words that an author reads, in the order of the editor. */
export function definitionChanges(before: QuestionDefinition, after: QuestionDefinition): Change[] {
  return changesOf(linesOf(before), linesOf(after));
}

export function labelChanges(before: Labels, after: Labels): Change[] {
  const lines = ({ tags, category, difficulty, note }: Labels): Line[] => [
    ['tags', t('portal.tags', 'Tags'), listText(tags, 'unit')],
    ['category', t('portal.category', 'Category'), category],
    ['difficulty', t('portal.difficulty', 'Difficulty'), difficulty],
    ['note', t(/* an author’s note on a question */ 'editor.note', 'Note'), note],
  ];
  return changesOf(lines(before), lines(after));
}

function changesOf(before: readonly Line[], after: readonly Line[]): Change[] {
  const textIn = (lines: readonly Line[]) =>
    new Map(lines.map(([part, , text]) => [part, text] as const));
  const [a, b] = [textIn(before), textIn(after)];
  const labels = new Map([...before, ...after].map(([part, label]) => [part, label] as const));
  return [...labels]
    .map(([part, label]) => ({ label, before: a.get(part) ?? '', after: b.get(part) ?? '' }))
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

function linesOf(definition: QuestionDefinition): Line[] {
  const { type, format, question, options, points, explanation = '' } = definition;
  const correct = t(
    /* a label: the correct options or order */ 'editor.changes.correct',
    'Correct',
  );
  const lines: Line[] = [
    ['type', t(/* the type of a question */ 'portal.type', 'Type'), TYPES[type].name()],
    [
      'format',
      t(/* a label: how a question is formatted */ 'editor.changes.format', 'Formatting'),
      formatName(format),
    ],
    ['question', t(/* the text of a question */ 'portal.question', 'Question'), question],
    ...options.map(
      ({ text }, i): Line => [
        `option ${i}`,
        t('editor.option', 'Option {letter}', { letter: optionLetter(i) }),
        text,
      ],
    ),
    ...(isInRows(type) ? [] : [['correct', correct, keyText(definition)] satisfies Line]),
    [
      'last',
      t(
        /* a label: the options that stay last when they are shuffled */ 'editor.changes.last',
        'Kept last',
      ),
      lettersOf(options, ({ isLast }) => isLast === true),
    ],
    ['points', t(/* how many a question gives */ 'portal.points', 'Points'), figureText(points)],
    ['rule', t('editor.rule', 'Scoring rule'), ruleName(definition)],
    ...selectionLines(definition),
    isInRows(type)
      ? ['correct', correct, acceptedText(definition).join('\n')]
      : [
          'accepted',
          t(/* a label: the answers that are right */ 'editor.changes.accepted', 'Accepted'),
          acceptedText(definition).join('\n'),
        ],
    [
      'comparison',
      t(
        /* a label: how an answer is compared with the right one */ 'editor.changes.comparison',
        'Comparison',
      ),
      TYPES[type].keyRules(definition).join('\n'),
    ],
    [
      'explanation',
      t(/* of the correct answer */ 'portal.explanation', 'Explanation'),
      explanation,
    ],
    ...options.map(
      ({ feedback = '' }, i): Line => [
        `feedback ${i}`,
        t(/* on an option */ 'editor.changes.feedback', 'Feedback on {letter}', {
          letter: optionLetter(i),
        }),
        feedback,
      ],
    ),
  ];
  return lines.filter(([, , text]) => text !== '');
}

const formatName = (format: QuestionDefinition['format']) =>
  format === 'markdown'
    ? 'Markdown'
    : t(/* how a question is formatted: not at all */ 'editor.changes.plain', 'Plain text');

const selectionLines = ({ minSelections, maxSelections }: QuestionDefinition): Line[] => [
  [
    'minSelections',
    t(
      /* the label of a field: the smallest number of options to select */ 'editor.selections.min',
      'Select at least',
    ),
    String(minSelections ?? ''),
  ],
  [
    'maxSelections',
    t(
      /* the label of a field: the largest number of options to select */ 'editor.selections.max',
      'Select at most',
    ),
    String(maxSelections ?? ''),
  ],
];

function keyText({ options, rule }: QuestionDefinition): string {
  if (rule !== 'weights') return lettersOf(options, ({ isCorrect }) => isCorrect);
  const weights = options.map(({ weight = 0 }, i) => `${optionLetter(i)} ${figureText(weight)}%`);
  return listText(weights, 'unit');
}

function lettersOf<T>(options: readonly T[], isOne: (option: T) => boolean): string {
  const letters = options.flatMap((option, i) => (isOne(option) ? [optionLetter(i)] : []));
  return listText(letters, 'unit');
}
