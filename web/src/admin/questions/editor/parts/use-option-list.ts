import { QUESTION_LIMITS } from '@invigil/core/domain/limits';
import { optionLetter } from '@invigil/core/domain/locale';
import { isSingleChoice } from '@invigil/core/domain/questions/question-definition';
import { TYPES } from '@invigil/core/domain/questions/types/question-types';
import { t } from '@invigil/core/texts/i18n';
import { useEffect, useRef, useState } from 'react';
import { movedTo } from '../../../../ui/move-handle.tsx';
import { toast } from '../../../../ui/toast.ts';
import { NEW_OPTION, type OptionValues } from '../state/question-values.ts';
import type { PartProps } from '../state/use-editing.ts';
import { type Pasted, tellNotes } from '../text/clipboard.ts';
import { entriesOf } from '../text/pasted-options.ts';

/** A text, however it is edited. */
export const fieldNamed = (name: string) => `:is([name="${name}"], [data-field="${name}"])`;

/** The text of an option. */
export const fieldOf = (index: number) => fieldNamed(`options.${index}.text`);

/** Moves the focus within a list: at once, or to what is there when its rows have changed. */
export function useFocusIn(rows: unknown) {
  const list = useRef<HTMLDivElement>(null);
  const next = useRef<string | null>(null);
  const focus = (selector: string) => list.current?.querySelector<HTMLElement>(selector)?.focus();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new or moved row is the reason
  useEffect(() => {
    if (next.current === null) return;
    focus(next.current);
    next.current = null;
  }, [rows]);
  return {
    /** Around the rows. */
    list,
    focus,
    focusNext: (selector: string) => {
      next.current = selector;
    },
  };
}

const isWritten = ({ text }: OptionValues) => text.trim() !== '';

/** Changes the options as a list; the focus follows. */
export function useOptionList({ values, change }: Pick<PartProps, 'values' | 'change'>) {
  const { type, options, format } = values;
  const { list, focus, focusNext } = useFocusIn(options);
  const [said, setSaid] = useState('');
  const isSingle = isSingleChoice(type);
  const isFixed = TYPES[type].hasFixedOrder;
  const isFull = options.length >= QUESTION_LIMITS.richOptionsMax;

  const put = (next: OptionValues[], focused: string, sentence: string) => {
    focusNext(focused);
    setSaid(sentence);
    change({ options: next });
  };
  const remove = (index: number, next: number) =>
    put(
      options.filter((_, i) => i !== index),
      fieldOf(next),
      t(/* said when it is done */ 'editor.option.removed', 'Option {letter} removed', {
        letter: optionLetter(index),
      }),
    );
  const addAt = (at: number) => {
    if (!isFull && !isFixed) put(options.toSpliced(at, 0, NEW_OPTION), fieldOf(at), '');
  };
  return {
    list,
    /** A sentence for screen readers. */
    said,
    isFull,
    set: (index: number, part: Partial<OptionValues>, field: string | null) =>
      change(
        { options: options.map((option, i) => (i === index ? { ...option, ...part } : option)) },
        field,
      ),
    mark: (index: number, isCorrect: boolean) =>
      change({
        options: options.map((option, i) =>
          i === index
            ? { ...option, isCorrect }
            : isSingle
              ? { ...option, isCorrect: false }
              : option,
        ),
      }),
    addAt,
    /** Enter: the next option; a new one where none is empty there. */
    next: (index: number) => {
      const isThere = options[index + 1]?.text === '' || isFull || isFixed;
      if (!isThere) addAt(index + 1);
      else focus(fieldOf(index + 1));
    },
    move: (from: number, to: number, focused: string) => {
      if (to < 0 || to >= options.length || from === to) return;
      const sentence = t(
        /* said when it is done */ 'editor.option.moved',
        'Option moved to position {position} of {count}',
        { position: to + 1, count: options.length },
      );
      put(movedTo(options, from, to), focused, sentence);
    },
    remove: (index: number) => remove(index, Math.min(index, options.length - 2)),
    /** Backspace in an empty option. */
    removeEmpty: (index: number) => {
      if (options.length > 2 && !isFixed) remove(index, Math.max(0, index - 1));
    },
    /** A pasted list becomes options, from this one on; empty ones give way. */
    pasteList: (index: number, pasted: Pasted, isSource: boolean): boolean => {
      const entries = isFixed ? [] : entriesOf(pasted.text, format, isSource);
      if (entries.length < 2) return false;
      tellNotes(pasted);
      const before = options.filter((option, i) => i < index || (i === index && isWritten(option)));
      const after = options.slice(index + 1).filter(isWritten);
      const room = QUESTION_LIMITS.richOptionsMax - before.length - after.length;
      const added = entries.slice(0, room).map((text) => ({ ...NEW_OPTION, text }));
      if (room < entries.length) {
        toast({
          title: t(
            /* of a pasted text */ 'editor.options.pastedSome',
            '{total, plural, one {{count} of # line became options} other {{count} of # lines became options}}',
            { count: added.length, total: entries.length },
          ),
          description: t(
            'editor.options.max',
            '{max, plural, one {A question has at most # option.} other {A question has at most # options.}}',
            { max: QUESTION_LIMITS.richOptionsMax },
          ),
        });
      }
      const last = fieldOf(before.length + added.length - 1);
      put(
        [...before, ...added, ...after],
        last,
        t(
          /* said when it is done */ 'editor.options.pasted',
          '{count, plural, one {# option pasted} other {# options pasted}}',
          { count: added.length },
        ),
      );
      return true;
    },
  };
}
