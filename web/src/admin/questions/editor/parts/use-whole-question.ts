import { listText, optionLetter } from '@invigil/core/domain/locale';
import { hasOptions } from '@invigil/core/domain/questions/question-definition';
import { t } from '@invigil/core/texts/i18n';
import { useEffect, useRef } from 'react';
import { toast } from '../../../../ui/toast.ts';
import { NEW_OPTION, type QuestionValues, withType } from '../state/question-values.ts';
import type { PartProps } from '../state/use-editing.ts';
import type { Pasted } from '../text/clipboard.ts';
import { type PastedQuestion, questionIn } from '../text/pasted-question.ts';

/** Divides a question that is pasted whole into text, options and key; one undo puts all of it into the text. */
export function useWholeQuestion({ values, change }: Pick<PartProps, 'values' | 'change'>) {
  const made = useRef<{ question: string; options: QuestionValues['options']; undo(): void }>(null);
  /** Storing the images of a paste takes a while, in which something else can be written. */
  const latest = useRef(values);
  useEffect(() => {
    latest.current = values;
  }, [values]);
  return {
    onPasteText: (pasted: Pasted, isSource: boolean): boolean => {
      const { type, rule, format, question, options } = latest.current;
      const isNew = question.trim() === '' && options.every(({ text }) => text.trim() === '');
      if (!isNew || !hasOptions(type) || rule === 'weights' || format !== 'markdown') return false;
      const found = questionIn(pasted.text, pasted.marked, isSource);
      if (found === null) return false;
      // A step of its own, to which undo goes back.
      const before = { type, rule, options, question: pasted.text };
      change(before);
      const after = {
        question: found.question,
        options: found.options.map((option) => ({ ...NEW_OPTION, ...option })),
      };
      const next = withType({ ...latest.current, ...after }, typeOf(found, type));
      change({ ...after, type: next.type, rule: next.rule });
      const undo = () => change(before);
      made.current = { ...after, undo };
      toast({ ...wordsFor(found, pasted.notes), undo });
      return true;
    },
    /** Ctrl+Z in the text, while everything is as it was made. */
    onUndo: () => {
      const { question, options } = made.current ?? {};
      if (question === values.question && options === values.options) made.current?.undo();
    },
  };
}

/** Several right answers are selected from several; one is selected alone. */
function typeOf({ options }: PastedQuestion, type: QuestionValues['type']): QuestionValues['type'] {
  const right = options.filter(({ isCorrect }) => isCorrect).length;
  return right === 0 ? type : right > 1 ? 'multiple_response' : 'multiple_choice';
}

/** By what the correct options of a pasted question were recognized. */
const MARKED = {
  line: (letters: string) =>
    t(
      /* options of a pasted question: A and B */ 'editor.pasted.byLine',
      'Correct: {letters}, as the last line says.',
      { letters },
    ),
  sign: (letters: string) =>
    t(
      /* options of a pasted question: A and B */ 'editor.pasted.bySign',
      'Correct: {letters}, by a sign, which was removed.',
      { letters },
    ),
  look: (letters: string) =>
    t(
      /* options of a pasted question: A and B; how they looked */ 'editor.pasted.byLook',
      'Correct: {letters}, by bold, a line or a color, which was removed.',
      { letters },
    ),
};

/** Says what became of a pasted question. */
function wordsFor({ options, markedBy, number }: PastedQuestion, notes: readonly string[]) {
  const right = options.flatMap(({ isCorrect }, i) => (isCorrect ? [optionLetter(i)] : []));
  const key =
    markedBy === null
      ? t('editor.pasted.noKey', 'No option is marked as correct yet.')
      : MARKED[markedBy](listText(right));
  const numbered =
    number === null
      ? []
      : [
          t(
            /* of a pasted question: as it was numbered */ 'editor.pasted.number',
            'The number “{number}” was left out.',
            { number },
          ),
        ];
  return {
    title: t(
      'editor.pasted',
      '{count, plural, one {Pasted as a question with # option} other {Pasted as a question with # options}}',
      { count: options.length },
    ),
    description: [key, ...numbered, ...notes].join(' '),
  };
}
