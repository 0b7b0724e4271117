import { QUESTION_LIMITS } from '@invigil/core/domain/limits';
import { t } from '@invigil/core/texts/i18n';
import type { LexicalEditor } from 'lexical';
import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../../ui/button.tsx';
import { FieldNote } from '../../../../ui/fields/field.tsx';
import { IconButton } from '../../../../ui/icon-button.tsx';
import { Card } from '../../../../ui/page.tsx';
import type { QuestionValues } from '../state/question-values.ts';
import type { PartProps } from '../state/use-editing.ts';
import { LineText } from '../text/markdown-field.tsx';
import { RichToolbar } from '../text/rich/rich-toolbar.tsx';
import { fieldNamed, useFocusIn } from './use-option-list.ts';

type Matching = QuestionValues['matching'];

/** Items beside their right answers, and further answers that are right for none of them. */
export function MatchingPart({ values, change, problemAt }: PartProps) {
  const { matching, format } = values;
  const { pairs, further } = matching;
  /** The text that the toolbar formats. */
  const [current, setCurrent] = useState<LexicalEditor | null>(null);
  const set = (part: Partial<Matching>, field: string | null = null) =>
    change({ matching: { ...matching, ...part } }, field);
  const pair = (index: number, part: Partial<Matching['pairs'][number]>, field: string) =>
    set({ pairs: pairs.map((one, i) => (i === index ? { ...one, ...part } : one)) }, field);
  const isFull = 2 * pairs.length + further.length >= QUESTION_LIMITS.richOptionsMax;
  const { list, focus, focusNext } = useFocusIn(matching);
  const addPair = () => {
    if (isFull) return;
    focusNext(fieldNamed(`matching.pairs.${pairs.length}.item`));
    set({ pairs: [...pairs, { item: '', answer: '' }] });
  };
  const addFurther = () => {
    if (isFull) return;
    focusNext(fieldNamed(`matching.further.${further.length}.text`));
    set({ further: [...further, { text: '' }] });
  };
  const text = (
    name: string,
    label: string,
    value: string,
    onChange: (value: string) => void,
    onEnter: () => void,
  ) => (
    <div className="grid min-w-0 gap-1">
      <LineText
        {...{ name, label, value, format, onChange, onEnter }}
        error={problemAt(name)}
        onFocusText={setCurrent}
      />
    </div>
  );
  return (
    <Card
      title={t(/* items to match, each with its right answer */ 'editor.pairs', 'Pairs')}
      {...(format === 'markdown'
        ? {
            aside: (
              <RichToolbar editor={current} of="pairs" isInline className="-my-1.5 max-sm:-mx-2" />
            ),
          }
        : {})}
    >
      <div ref={list} className="grid gap-3 p-5 max-sm:px-3">
        <p className="text-sm text-ink-3">
          {t(
            'editor.pairs.hint',
            'Write each item with its right answer. Items keep this order, answers are shuffled. Several items can have the same answer.',
          )}
        </p>
        {pairs.map(({ item, answer }, index) => (
          <div
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no id, and equal ones are possible
            key={index}
            className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-2"
          >
            <div className="grid gap-2 sm:grid-cols-2">
              {text(
                `matching.pairs.${index}.item`,
                t(
                  /* to be matched with an answer; {n} is its place: 1, 2 */ 'editor.pair.item',
                  'Item {n}',
                  { n: index + 1 },
                ),
                item,
                (value) => pair(index, { item: value }, `matching.pairs.${index}.item`),
                () => focus(fieldNamed(`matching.pairs.${index}.answer`)),
              )}
              {text(
                `matching.pairs.${index}.answer`,
                t(/* that belongs to item {n} */ 'editor.pair.answer', 'Answer {n}', {
                  n: index + 1,
                }),
                answer,
                (value) => pair(index, { answer: value }, `matching.pairs.${index}.answer`),
                () =>
                  index + 1 < pairs.length
                    ? focus(fieldNamed(`matching.pairs.${index + 1}.item`))
                    : addPair(),
              )}
            </div>
            <IconButton
              label={t(/* {n} is its place: 1, 2 */ 'editor.pair.remove', 'Remove pair {n}', {
                n: index + 1,
              })}
              tooltip={t(/* a button: this row of a list */ 'portal.remove', 'Remove')}
              className="mt-0.5"
              unavailable={
                pairs.length <= 2
                  ? t('editor.pairs.few', 'A matching question has at least two items')
                  : undefined
              }
              onClick={() => set({ pairs: pairs.filter((_, i) => i !== index) })}
            >
              <X />
            </IconButton>
          </div>
        ))}
        {further.map((row, index) => (
          <div
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no id, and equal ones are possible
            key={index}
            className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-2"
          >
            {text(
              `matching.further.${index}.text`,
              t(
                /* {n} is its place: 1, 2 */ 'editor.pairs.further',
                'Further answer {n}, wrong for all items',
                { n: index + 1 },
              ),
              row.text,
              (value) =>
                set(
                  { further: further.map((one, i) => (i === index ? { text: value } : one)) },
                  `matching.further.${index}.text`,
                ),
              () =>
                index + 1 < further.length
                  ? focus(fieldNamed(`matching.further.${index + 1}.text`))
                  : addFurther(),
            )}
            <IconButton
              label={t(
                /* {n} is its place: 1, 2 */ 'editor.pairs.removeFurther',
                'Remove further answer {n}',
                { n: index + 1 },
              )}
              tooltip={t(/* a button: this row of a list */ 'portal.remove', 'Remove')}
              className="mt-0.5"
              onClick={() => set({ further: further.filter((_, i) => i !== index) })}
            >
              <X />
            </IconButton>
          </div>
        ))}
        {problemAt('options') !== undefined && (
          <FieldNote id="options-problem" error={problemAt('options')} />
        )}
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <Button size="dense" icon={<Plus />} aria-disabled={isFull} onClick={addPair}>
            {t(/* a button */ 'editor.pairs.add', 'Add pair')}
          </Button>
          <Button size="dense" icon={<Plus />} aria-disabled={isFull} onClick={addFurther}>
            {t(
              /* a button: an answer that is right for no item */ 'editor.pairs.addFurther',
              'Add further answer',
            )}
          </Button>
          <span className={`text-sm text-ink-3 ${isFull ? '' : 'touch:hidden'}`}>
            {isFull
              ? t(
                  'editor.pairs.full',
                  '{max, plural, one {At most # item or answer} other {At most # items and answers}}',
                  { max: QUESTION_LIMITS.richOptionsMax },
                )
              : t(
                  /* Enter is the key */ 'editor.pairs.keys',
                  'Enter goes to the next text, and adds a pair',
                )}
          </span>
        </div>
      </div>
    </Card>
  );
}
