import type { ImportItem } from '@invigil/core/contract/assessments/imports';
import { listText, numberText } from '@invigil/core/domain/locale';
import {
  isInRows,
  type QuestionDefinition,
} from '@invigil/core/domain/questions/question-definition';
import { acceptedText, isDraft, TYPES } from '@invigil/core/domain/questions/types/question-types';
import { isolated } from '@invigil/core/domain/typed-text';
import { t } from '@invigil/core/texts/i18n';
import { Eye, Pencil } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { pointsText } from '../../../lib/format.ts';
import { ruleName } from '../../../lib/question-labels.ts';
import { AnswerField } from '../../../question-view/answer-field.tsx';
import { ImageSource } from '../../../question-view/content/image-source.ts';
import { Content } from '../../../question-view/content.tsx';
import { Badge, type BadgeTone } from '../../../ui/badges/badge.tsx';
import type { GlyphName } from '../../../ui/badges/glyphs.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog, DialogClose } from '../../../ui/dialogs/dialog.tsx';
import { Checkbox } from '../../../ui/fields/checkbox.tsx';
import { SelectControl } from '../../../ui/fields/select-field.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Card, EmptyState } from '../../../ui/page.tsx';
import { PressButton } from '../../../ui/press-button.tsx';
import { Pagination } from '../../../ui/tables/pagination.tsx';
import { SelectionBar } from '../../list/selection-bar.tsx';
import { KeyRows } from '../../parts/key-rows.tsx';
import { lineOf } from '../bank/bank-cells.tsx';
import { paperQuestionOf } from '../editor/question-preview.tsx';
import { QuestionKey } from '../question-key.tsx';
import {
  IMPORT_STATUSES,
  type ImportStatus,
  placeOf,
  positionsOf,
  STATUS_LABELS,
  statusOfItem,
} from './review-items.ts';
import type { FileRead, PreviewImages } from './use-import.ts';

/** Loaded with the editor of texts, when a question is changed. */
const ChangeItemDialog = lazy(async () => ({
  default: (await import('./change-item-dialog.tsx')).ChangeItemDialog,
}));

/** Items shown at once: a file may have twenty thousand. */
const PAGE_ROWS = 50;

/** The items of a file by their status, in pages, with those that are selected. */
export function ReviewList({
  items,
  images,
  counts,
  selected,
  isBrokenFirst,
  onSelect,
  onChange,
}: Pick<FileRead, 'items' | 'images'> & {
  counts: Record<ImportStatus, number>;
  selected: ReadonlySet<number>;
  isBrokenFirst: boolean;
  onSelect(positions: readonly number[], isSelected: boolean): void;
  /** Another definition for the item at this position. */
  onChange(position: number, definition: QuestionDefinition): void;
}) {
  const [status, setStatus] = useState<ImportStatus | null>(null);
  const [page, setPage] = useState(1);
  const [previewed, setPreviewed] = useState<number | null>(null);
  const [changing, setChanging] = useState<number | null>(null);
  const positions = positionsOf(items, status);
  const isBroken = (i: number) => items[i]?.definition === null;
  if (isBrokenFirst) positions.sort((a, b) => Number(isBroken(b)) - Number(isBroken(a)));
  const selectable = positions.filter((i) => !isBroken(i));
  const pages = Math.max(1, Math.ceil(positions.length / PAGE_ROWS));
  const preview = previewed === null ? undefined : items[previewed];
  const toChange = changing === null ? undefined : items[changing];
  const changed = toChange?.definition ?? toChange?.attempt;
  return (
    <>
      <Statuses
        counts={counts}
        all={items.length}
        status={status}
        onStatus={(next) => {
          setStatus(next);
          setPage(1);
        }}
      />
      <Card>
        <SelectionBar
          label={
            status === null
              ? t(
                  /* a checkbox: all questions of a file; # is how many */ 'import.selectAll',
                  '{count, plural, one {Select all #} other {Select all #}}',
                  { count: selectable.length },
                )
              : t(
                  /* a checkbox: the questions of a file that are listed now */ 'import.selectThese',
                  '{count, plural, one {Select these #} other {Select these #}}',
                  { count: selectable.length },
                )
          }
          ids={selectable}
          selected={selected}
          onSelect={onSelect}
        />
        {positions.length === 0 ? (
          <EmptyState>
            {items.length === 0
              ? t('import.noQuestions', 'This file has no questions.')
              : t('import.noneOfStatus', 'No question of this kind.')}
          </EmptyState>
        ) : (
          <ImageSource value={(hash) => images.addressOf(hash)}>
            <ul aria-label={t('import.list', 'Questions of the file')}>
              {positions.slice((page - 1) * PAGE_ROWS, page * PAGE_ROWS).map((i) => {
                const item = items[i];
                return item === undefined ? null : (
                  <ImportItemRow
                    key={i}
                    item={item}
                    number={i + 1}
                    isSelected={selected.has(i)}
                    onSelect={(isSelected) => onSelect([i], isSelected)}
                    onPreview={() => setPreviewed(i)}
                    onChange={() => setChanging(i)}
                  />
                );
              })}
            </ul>
          </ImageSource>
        )}
        {pages > 1 && (
          <div className="border-t border-line px-5 py-3">
            <Pagination page={page} pages={pages} onPage={setPage} />
          </div>
        )}
      </Card>
      {preview !== undefined && preview.definition !== null && (
        <ImportPreview
          item={preview}
          definition={preview.definition}
          images={images}
          onClose={() => setPreviewed(null)}
        />
      )}
      {changing !== null && toChange !== undefined && changed !== undefined && (
        <Suspense fallback={<p role="status">{t('portal.loading', 'Loading…')}</p>}>
          <ChangeItemDialog
            definition={changed}
            images={images}
            onClose={() => setChanging(null)}
            onChanged={(definition) => {
              onChange(changing, definition);
              setChanging(null);
            }}
          />
        </Suspense>
      )}
    </>
  );
}

const ALL = 'all';

function Statuses({
  counts,
  all,
  status,
  onStatus,
}: {
  counts: Record<ImportStatus, number>;
  all: number;
  status: ImportStatus | null;
  onStatus(status: ImportStatus | null): void;
}) {
  const entries = [
    {
      value: ALL,
      label: t(/* questions of a file, of every status */ 'import.status.all', 'All'),
      n: all,
    } as const,
    ...IMPORT_STATUSES.map((value) => ({ value, label: STATUS_LABELS[value](), n: counts[value] })),
  ];
  const set = (value: ImportStatus | typeof ALL) => onStatus(value === ALL ? null : value);
  return (
    <>
      <SelectControl
        aria-label={t(/* a verb: which questions are listed */ 'import.show', 'Show')}
        className="sm:hidden!"
        options={entries.map(({ value, label, n }) => ({
          value,
          label: t(
            /* how many questions have a status: “Draft: 3” */ 'import.statusCount',
            '{status}: {count}',
            { status: label, count: numberText(n) },
          ),
        }))}
        value={status ?? ALL}
        onChange={set}
      />
      <fieldset className="flex flex-wrap gap-1.5 max-sm:hidden">
        <legend className="sr-only">
          {t(/* a verb: which questions are listed */ 'import.show', 'Show')}
        </legend>
        {entries.map(({ value, label, n }) => (
          <PressButton
            key={value}
            word={label}
            figure={numberText(n)}
            isPressed={(status ?? ALL) === value}
            onPress={() => set(value)}
          />
        ))}
      </fieldset>
    </>
  );
}

const BADGES: Record<ImportStatus, [BadgeTone, GlyphName]> = {
  unchanged: ['ok', 'ticked'],
  changed: ['accent', 'half'],
  draft: ['warn', 'dashed'],
  duplicate: ['neutral', 'ring'],
  unsupported: ['bad', 'slashed'],
};

function ImportItemRow({
  item,
  number,
  isSelected,
  onSelect,
  onPreview,
  onChange,
}: {
  item: ImportItem;
  number: number;
  isSelected: boolean;
  onSelect(isSelected: boolean): void;
  onPreview(): void;
  onChange(): void;
}) {
  const { definition, notes, tags, categoryPath } = item;
  const status = statusOfItem(item);
  const [tone, glyph] = BADGES[status];
  // Many systems give questions a name of their own.
  const text = definition === null ? '' : lineOf(definition);
  const labels = [
    ...(definition === null ? [] : [TYPES[definition.type].name()]),
    ...(definition === null || definition.points === 1 ? [] : [pointsText(definition.points)]),
    ...(categoryPath.length === 0 ? [] : [categoryPath.join(' / ')]),
    ...tags,
  ];
  return (
    <li className="flex items-start gap-3 border-b border-line px-4 py-3 last:border-b-0 md:px-5">
      <div className="grid min-w-0 flex-1 gap-1">
        <Checkbox
          label={
            <span className="font-medium wrap-anywhere">{`${number}. ${isolated(item.title)}`}</span>
          }
          disabled={definition === null}
          checked={isSelected}
          onChange={(event) => onSelect(event.target.checked)}
        />
        <div className="ms-7 grid gap-1">
          {text !== '' && text !== item.title && (
            <p dir="auto" className="line-clamp-2 w-fit wrap-anywhere">
              {text}
            </p>
          )}
          {definition !== null && <QuestionKey definition={definition} />}
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <Badge tone={tone} glyph={glyph}>
              {STATUS_LABELS[status]()}
            </Badge>
            <span className="text-sm wrap-anywhere text-ink-2">{listText(labels, 'unit')}</span>
          </div>
          {notes.map((note) => (
            <p
              key={note}
              className={`text-sm wrap-anywhere ${definition === null ? 'text-bad-ink' : 'text-ink-2'}`}
            >
              {note}
            </p>
          ))}
          <p className="text-xs wrap-anywhere text-ink-3">{placeOf(item)}</p>
        </div>
      </div>
      <span className="flex flex-none gap-0.5 max-sm:flex-col">
        {definition !== null && (
          <IconButton
            label={t(
              /* a button: the preview of the question with this number */ 'import.previewNumber',
              'Preview {number}',
              { number },
            )}
            tooltip={t(/* a noun */ 'import.preview', 'Preview')}
            onClick={onPreview}
          >
            <Eye />
          </IconButton>
        )}
        {(definition !== null || item.attempt !== undefined) && (
          <IconButton
            label={t(
              /* a button: changes the question with this number */ 'import.changeNumber',
              'Change {number}',
              { number },
            )}
            tooltip={
              definition === null
                ? t(
                    /* a button: changes a question that cannot be imported */ 'import.putRight',
                    'Put right',
                  )
                : t(/* a button, a verb */ 'import.change', 'Change')
            }
            onClick={onChange}
          >
            <Pencil />
          </IconButton>
        )}
      </span>
    </li>
  );
}

function ImportPreview({
  item,
  definition,
  images,
  onClose,
}: {
  item: ImportItem;
  definition: QuestionDefinition;
  images: PreviewImages;
  onClose(): void;
}) {
  const [answer, setAnswer] = useState('');
  const { question, format, explanation } = definition;
  return (
    <Dialog
      open
      onClose={onClose}
      size="wide"
      title={t(/* a noun */ 'import.preview', 'Preview')}
      description={item.title}
      footer={
        <DialogClose>
          <Button data-autofocus="">{t(/* a button */ 'ui.close', 'Close')}</Button>
        </DialogClose>
      }
    >
      <ImageSource value={(hash) => images.addressOf(hash)}>
        <div className="grid gap-6 pt-2">
          <div dir="auto" className="text-lg wrap-anywhere whitespace-pre-wrap">
            <Content text={question} format={format} links="shown" />
          </div>
          <AnswerField
            question={paperQuestionOf(definition)}
            value={answer}
            dense
            onSelect={setAnswer}
            onType={setAnswer}
            onSettle={() => undefined}
          />
          <Key definition={definition} />
          <Feedback definition={definition} />
          {explanation !== undefined && explanation !== '' && (
            <div className="grid gap-1.5">
              <h3 className="font-semibold">{t('portal.explanation', 'Explanation')}</h3>
              <div dir="auto" className="wrap-anywhere whitespace-pre-wrap">
                <Content text={explanation} format={format} links="shown" />
              </div>
            </div>
          )}
        </div>
      </ImageSource>
    </Dialog>
  );
}

function Feedback({ definition: { options, format } }: { definition: QuestionDefinition }) {
  const given = options.flatMap(({ text, feedback }) => (feedback ? [{ text, feedback }] : []));
  if (given.length === 0) return null;
  return (
    <div className="grid gap-1.5">
      <h3 className="font-semibold">
        {t(/* heading: what candidates read about each option */ 'portal.feedback', 'Feedback')}
      </h3>
      <dl className="grid gap-2">
        {given.map(({ text, feedback }) => (
          <div key={text} className="wrap-anywhere">
            <dt dir="auto" className="text-ink-2">
              <Content text={text} format={format} inline links="shown" />
            </dt>
            <dd dir="auto" className="ps-4">
              <Content text={feedback} format={format} links="shown" />
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

function Key({ definition }: { definition: QuestionDefinition }) {
  const { type, options, format, points, rule } = definition;
  const isWeighted = rule === 'weights';
  const listed = options.filter(({ isCorrect, weight }) => (isWeighted ? weight : isCorrect));
  const accepted = isInRows(type) ? [] : acceptedText(definition);
  return (
    <div className="grid gap-1.5">
      <h3 className="font-semibold">
        {isWeighted
          ? t('portal.rule.weights', 'Weights')
          : t('portal.correctAnswer', 'Correct answer')}
      </h3>
      {isDraft(definition) ? (
        <p className="text-warn-ink">
          {t(/* said of the correct answer */ 'import.noAnswerYet', 'None yet: this is a draft.')}
        </p>
      ) : (
        <ul className="grid gap-1">
          {listed.map(({ text, weight }) => (
            <li key={text} className="wrap-anywhere">
              <Content text={text} format={format} inline links="shown" />
              {isWeighted && <span className="text-ink-2">{` (${weight}%)`}</span>}
            </li>
          ))}
          {isInRows(type) && <KeyRows definition={definition} />}
          {accepted.map((words) => (
            <li key={words} className="wrap-anywhere">
              {words}
            </li>
          ))}
        </ul>
      )}
      <p className="text-sm text-ink-2">
        {listText(
          [pointsText(points), ruleName(definition), ...TYPES[type].keyRules(definition)],
          'unit',
        )}
      </p>
    </div>
  );
}
