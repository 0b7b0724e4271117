import { plainTextOf } from '@invigil/core/content/content-facts';
import { contentProblems } from '@invigil/core/content/content-problems';
import { type ConvertedText, inOneFormat } from '@invigil/core/content/html/html-text';
import type { QuestionDefinition } from '@invigil/core/domain/questions/question-definition';
import { validateDefinition } from '@invigil/core/domain/questions/validate-definition';
import { t } from '@invigil/core/texts/i18n';
import { cut, type ImportedItem } from '../imported-file.ts';
import { withoutBlankOptions } from './blank-options.ts';
import { formulaProblems } from './formula-notes.ts';
import { fullPointsNote } from './full-points.ts';
import { withFeedback } from './option-feedback.ts';

/** The facts of an item besides the question itself; without a title, the beginning of its text is shown. */
export type ItemHead = Omit<ImportedItem, 'definition' | 'attempt' | 'difficulty'>;

/** Texts of a question as the file has them, each in its own format. */
export interface QuestionTexts {
  question: ConvertedText;
  options: ConvertedText[];
  explanation: ConvertedText | null;
  /** Feedback by option; `NO_TEXT` where there is none. */
  feedback?: ConvertedText[];
}

export const NO_TEXT: ConvertedText = { text: '', format: 'plain', notes: [] };

const TITLE_CHARACTERS = 80;

/** An item that is not taken over; the reason is a sentence. */
export function notSupported(head: ItemHead, reason: string, text = ''): ImportedItem {
  return { ...head, title: titleOf(head.title, text), definition: null, notes: [reason] };
}

/** An item with its question; what is not valid becomes not supported. */
export function importedItem(
  head: ItemHead,
  texts: QuestionTexts,
  rest: Omit<QuestionDefinition, 'format' | 'question' | 'options' | 'explanation'> & {
    options: Omit<QuestionDefinition['options'][number], 'text'>[];
  },
): ImportedItem {
  const { options, feedback = [] } = texts;
  const all = [texts.question, ...options, texts.explanation ?? NO_TEXT, ...feedback];
  const unified = inOneFormat(all);
  const [question = '', ...others] = unified.texts;
  const given = withFeedback(rest.options, others.splice(options.length + 1));
  const explanation = others.pop() ?? '';
  const filled = withoutBlankOptions(
    rest.rule,
    given.options,
    others,
    options.map(({ imageNotes = [] }) => imageNotes.length > 0),
  );
  if (filled.problem !== null) return notSupported(head, filled.problem, question);
  const result = validateDefinition({
    ...rest,
    format: unified.format,
    question,
    options: filled.options.map((option, i) => ({ ...option, text: filled.texts[i] ?? '' })),
    ...(explanation === '' ? {} : { explanation }),
  });
  if (!result.ok) {
    const [problem] = result.problems;
    return notSupported(head, problemText(problem?.path ?? '', problem?.message ?? ''), question);
  }
  // A text that will be shown as its source, such as a formula that is too large.
  const asSource =
    unified.format === 'plain'
      ? []
      : [
          ...unified.texts.flatMap(contentProblems).map(({ sentence }) => sentence),
          ...formulaProblems(unified.texts),
        ];
  const plain = unified.format === 'plain' || head.title !== '' ? question : plainTextOf(question);
  const notes = [
    ...head.notes,
    ...all.flatMap((text) => text.notes),
    ...asSource,
    ...given.notes,
    ...filled.notes,
    ...fullPointsNote(result.definition),
  ];
  return {
    ...head,
    title: titleOf(head.title, plain),
    definition: result.definition,
    notes: [...new Set(notes)],
  };
}

/** A problem with its place: `Option 2: Enter a text for this option.` */
function problemText(path: string, problem: string): string {
  const option = /^options\.(\d+)/.exec(path)?.[1];
  if (option !== undefined) {
    return t(
      /* {problem} is a sentence without its full stop */ 'import.problem.option',
      'Option {number}: {problem}.',
      { number: Number(option) + 1, problem },
    );
  }
  const accepted = /accepted\.(\d+)/.exec(path)?.[1];
  if (accepted !== undefined) {
    return t(
      /* an accepted answer; {problem} is a sentence without its full stop */ 'import.problem.answer',
      'Answer {number}: {problem}.',
      { number: Number(accepted) + 1, problem },
    );
  }
  if (path === 'explanation') {
    return t(
      /* of a question; {problem} is a sentence without its full stop */ 'import.problem.explanation',
      'Explanation: {problem}.',
      { problem },
    );
  }
  return path === 'question'
    ? t(
        /* the text of a question; {problem} is a sentence without its full stop */ 'import.problem.question',
        'Question: {problem}.',
        { problem },
      )
    : `${problem}.`;
}

function titleOf(title: string, text: string): string {
  return cut((title.trim() || text).replace(/\s+/g, ' ').trim(), TITLE_CHARACTERS);
}
