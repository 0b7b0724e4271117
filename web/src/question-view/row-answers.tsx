import { optionLetter } from '@invigil/core/domain/locale';
import { t } from '@invigil/core/texts/i18n';
import { ChevronDown, ChevronUp } from 'lucide-react';
import { type RefObject, useEffect, useId, useRef, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { CONTROL, CONTROL_SIZE } from '../ui/fields/field.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { MoveHandle, movedTo } from '../ui/move-handle.tsx';
import { type AnswerFieldProps, directionOf, OptionText } from './answer-options.tsx';
import { rowsOf, valueOfRows } from './row-values.ts';

/** Answers with a row for each item: fetched only where a paper asks for them. */
export default function RowAnswer(props: AnswerFieldProps) {
  return props.question.items ? <Matches {...props} /> : <Order {...props} />;
}

/** Signs that may mean more in Markdown than they are; a list of the browser shows plain text only. */
const MARKS = /[\\`*_$[\]|<>#~&^!\n]/;
/** A text that a closed list shows as a whole, at 320 px too. */
const MOST_IN_LIST = 32;

/** The items, each with a list of the answers. Answers that such a list cannot show have letters. */
function Matches({ question, value, readOnly = false, dense = false, onSelect }: AnswerFieldProps) {
  const id = useId();
  const { items = [], options, format } = question;
  const rows = rowsOf(question, value);
  const open = rows.filter((row) => row === '').length;
  const isPlain = (option: string) =>
    !option.includes('\n') && (format !== 'markdown' || !MARKS.test(option));
  const areShort = options.every((option) => isPlain(option) && option.length <= MOST_IN_LIST);
  const nameOf = (option: string, index: number) => {
    if (areShort) return option;
    return isPlain(option) ? `${optionLetter(index)}. ${option}` : optionLetter(index);
  };
  return (
    <div dir={directionOf(question)}>
      <p id={`${id}-hint`} className="mb-3 text-md text-ink-2">
        {t(
          'question.match.hint',
          'Select an answer for each item. An answer can be right for several items, or for none.',
        )}
      </p>
      {!areShort && (
        <ol
          aria-label={t(
            /* the list of answers to select from, for screen readers */ 'question.match.answers',
            'Answers',
          )}
          className="mb-4 grid gap-2 rounded-lg bg-sunken px-3.5 py-3"
        >
          {options.map((option, index) => (
            <li key={option} className="flex items-start gap-3">
              <span className="w-6 flex-none font-semibold text-ink-2">{optionLetter(index)}</span>
              <OptionText question={question} option={option} />
            </li>
          ))}
        </ol>
      )}
      {/* biome-ignore lint/a11y/useSemanticElements: the group has no visible legend */}
      <div
        role="group"
        aria-label={t('question.match.items', 'Items to match')}
        aria-describedby={`${id}-hint`}
        className="grid gap-3"
      >
        {items.map((item, index) => (
          <div
            // biome-ignore lint/suspicious/noArrayIndexKey: in the editor, items may still be equal
            key={index}
            className={`grid grid-cols-[minmax(0,1fr)] items-center gap-x-4 gap-y-2 rounded-lg border border-line-2 bg-surface p-3 ${dense ? '' : 'sm:grid-cols-2'}`}
          >
            <label htmlFor={`${id}-${index}`}>
              <OptionText question={question} option={item} />
            </label>
            <select
              id={`${id}-${index}`}
              dir="auto"
              disabled={readOnly}
              value={rows[index]}
              onChange={({ target }) => onSelect(valueOfRows(rows.with(index, target.value)))}
              className={`${CONTROL} ${CONTROL_SIZE.candidate} truncate ${rows[index] === '' ? 'text-ink-2' : ''}`}
            >
              <option value="">
                {t(/* in the list of answers to an item */ 'question.match.none', 'No answer')}
              </option>
              {options.map((option, place) => (
                <option key={option} value={option}>
                  {nameOf(option, place)}
                </option>
              ))}
            </select>
          </div>
        ))}
      </div>
      <p role="status" className="mt-3 min-h-5 text-sm text-ink-2">
        {open > 0 && open < items.length
          ? t(
              /* items of the question */ 'question.match.open',
              '{open, plural, one {# of {total} without an answer.} other {# of {total} without an answer.}}',
              { open, total: items.length },
            )
          : ''}
      </p>
    </div>
  );
}

/** The items as they are ordered so far. They are moved by dragging, by buttons or by arrow keys. */
function Order({ question, value, readOnly = false, dense = false, onSelect }: AnswerFieldProps) {
  const id = useId();
  const list = useRef<HTMLOListElement>(null);
  const [over, setOver] = useState<number | null>(null);
  const [said, setSaid] = useState('');
  const rows = rowsOf(question, value);
  const focusLater = useFocusAfterMove(list, value);
  const move = (from: number, to: number, control: Control) => {
    if (to < 0 || to >= rows.length || to === from) return;
    focusLater(to, control);
    const [place, total] = [to + 1, rows.length];
    setSaid(
      // Markdown would be read as its source.
      question.format === 'markdown'
        ? t('question.order.numberMoved', 'Item {number} moved to place {place} of {total}', {
            number: from + 1,
            place,
            total,
          })
        : t('question.order.moved', '{item} moved to place {place} of {total}', {
            item: rows[from] ?? '',
            place,
            total,
          }),
    );
    onSelect(valueOfRows(movedTo(rows, from, to)));
  };
  return (
    <div dir={directionOf(question)}>
      <p id={`${id}-hint`} className="mb-3 text-md text-ink-2">
        {t(
          'question.order.hint',
          'Move the items until they are in the right order, the first at the top.',
        )}
      </p>
      <ol
        ref={list}
        aria-label={t('question.order.items', 'Items in order')}
        aria-describedby={`${id}-hint`}
        className={`grid grid-cols-[minmax(0,1fr)] ${dense ? 'gap-2' : 'gap-2.5'}`}
      >
        {rows.map((item, index) => (
          <li
            key={item}
            data-place={index + 1}
            className={`flex items-center gap-2 rounded-lg border bg-surface py-1.5 pe-1.5 ps-3 ${over === index + 1 ? 'border-accent bg-accent-soft' : 'border-line-2'}`}
          >
            <span aria-hidden="true" className="w-6 flex-none text-ink-3 tabular-nums">
              {index + 1}
            </span>
            <span id={`${id}-${index}`} className="min-w-0 flex-1 py-1">
              <OptionText question={question} option={item} />
            </span>
            {!readOnly && (
              <span className="flex flex-none items-center">
                {([-1, 1] as const).map((step) => (
                  <IconButton
                    key={step}
                    label={
                      step < 0
                        ? t('question.order.moveUp', 'Move item {number} up', { number: index + 1 })
                        : t('question.order.moveDown', 'Move item {number} down', {
                            number: index + 1,
                          })
                    }
                    data-control={step < 0 ? 'up' : 'down'}
                    aria-describedby={`${id}-${index}`}
                    aria-disabled={index + step < 0 || index + step >= rows.length}
                    onClick={() => move(index, index + step, step < 0 ? 'up' : 'down')}
                  >
                    {step < 0 ? <ChevronUp /> : <ChevronDown />}
                  </IconButton>
                ))}
                <span className="mt-1.5 me-2 max-sm:me-3 max-sm:ms-3">
                  <MoveHandle
                    label={t('question.order.move', 'Move item {number}', { number: index + 1 })}
                    number={index + 1}
                    last={rows.length}
                    locked={false}
                    onOver={setOver}
                    onMove={(place) => move(index, place - 1, 'move')}
                  />
                </span>
              </span>
            )}
          </li>
        ))}
      </ol>
      {value === '' && !readOnly && (
        <div className="mt-3 flex flex-wrap items-center gap-x-4 gap-y-2">
          <span className="text-sm text-ink-2">
            {t(
              /* the candidate has not ordered the items */ 'question.order.notAnswered',
              'Not answered yet.',
            )}
          </span>
          <Button
            size="candidate"
            onClick={() => {
              focusLater(0, 'move');
              onSelect(valueOfRows(rows));
            }}
          >
            {t(/* a button */ 'question.order.answer', 'Answer with this order')}
          </Button>
        </div>
      )}
      <p role="status" className="sr-only">
        {value === '' ? '' : said}
      </p>
    </div>
  );
}

type Control = 'up' | 'down' | 'move';

/** The focus follows an item that is moved: its element is taken out of the page and put in again. */
function useFocusAfterMove(list: RefObject<HTMLElement | null>, value: string) {
  const next = useRef<string | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another order is the reason
  useEffect(() => {
    if (next.current === null) return;
    list.current?.querySelector<HTMLElement>(next.current)?.focus();
    next.current = null;
  }, [value]);
  return (place: number, control: Control) => {
    const wanted = control === 'move' ? '[data-move]' : `[data-control="${control}"]`;
    next.current = `[data-place="${place + 1}"] ${wanted}`;
  };
}

/** The same without anything that could fail: a list for each item to match, or for each place of an order: an item that is selected changes places. */
export function PlainRows({
  question: { items, options },
  value,
  onSelect,
}: Pick<AnswerFieldProps, 'question' | 'value' | 'onSelect'>) {
  const rows = rowsOf({ items, options }, value);
  const select = (index: number, text: string) => {
    const changed = items ? rows : rows.with(rows.indexOf(text), rows[index] ?? '');
    onSelect(valueOfRows(changed.with(index, text)));
  };
  return rows.map((row, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place
    <label key={index} className="mb-2 grid gap-1">
      <span dir="auto" className="break-words whitespace-pre-wrap">
        {items?.[index] ?? `${index + 1}.`}
      </span>
      <select
        value={value === '' ? '' : row}
        onChange={({ currentTarget }) => select(index, currentTarget.value)}
        className="h-11 w-full rounded-md border border-line-strong bg-surface px-3"
      >
        {(items || value === '') && (
          <option value="">
            {t(
              /* verb: in a list from which nothing was selected */ 'question.select.placeholder',
              'Select',
            )}
          </option>
        )}
        {options.map((option) => (
          <option key={option} value={option}>
            {option}
          </option>
        ))}
      </select>
    </label>
  ));
}
