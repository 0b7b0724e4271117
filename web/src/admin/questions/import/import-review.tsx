import type { ImportEnd } from '@invigil/core/contract/assessments/imports';
import type { QuestionDefinition } from '@invigil/core/domain/questions/question-definition';
import {
  COLUMN_USES,
  type ColumnUse,
  columnName,
  type FileFormat,
  isRepeatable,
} from '@invigil/core/domain/questions/question-files';
import { isolated } from '@invigil/core/domain/typed-text';
import { t } from '@invigil/core/texts/i18n';
import { useState } from 'react';
import { encodingOptions } from '../../../lib/decode-file.ts';
import { newId } from '../../../lib/new-id.ts';
import { answerWasLost, isAbort, sentenceOf } from '../../../net/api.ts';
import { Button } from '../../../ui/button.tsx';
import { DiscardDialog } from '../../../ui/dialogs/dialog.tsx';
import { useUnsaved } from '../../../ui/dialogs/unsaved.ts';
import { FailureNotice } from '../../../ui/failure-notice.tsx';
import { Checkbox } from '../../../ui/fields/checkbox.tsx';
import { SelectField } from '../../../ui/fields/select-field.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Card } from '../../../ui/page.tsx';
import { scrollIntoViewAndFocus } from '../../../ui/scroll-into-view.ts';
import { useQuizOptions } from '../../data/assessments.ts';
import { progressOf } from '../../data/works.ts';
import { useSelection } from '../../list/selection-bar.tsx';
import { ColumnTable } from '../../parts/column-table.tsx';
import { WorkUnderWay } from '../../parts/work-under-way.tsx';
import { BANK_ONLY } from '../bank/change-dialogs.tsx';
import { TagPicker } from '../bank/tag-picker.tsx';
import { countByStatus, initialSelection, withChanges } from './review-items.ts';
import { ReviewList } from './review-list.tsx';
import { type FileChoices, type FileRead, type Imported, useImport } from './use-import.ts';

const FORMAT_NAMES: Record<FileFormat, string> = {
  csv: 'CSV',
  xlsx: 'Excel',
  gift: 'GIFT',
  aiken: 'Aiken',
  moodle_xml: 'Moodle XML',
  qti_1_2: 'QTI 1.2',
  common_cartridge: 'Common Cartridge',
  qti_2: 'QTI 2',
  qti_3: 'QTI 3.0',
};

interface Target {
  quizId: string | null;
  tags: string[];
}

interface ReviewProps {
  read: FileRead;
  isReading: boolean;
  problem: string | null;
  /** The assessment that the file was selected for. */
  quizId: string | null;
  /** The questions go there and nowhere else, and all of them are wanted, duplicates too. */
  isFixed?: boolean;
  onChoose(choices: FileChoices): void;
  onDiscard(): void;
  onImported(result: Imported, of: Target & { work?: string | undefined }): void;
  onFailed?: ((error: unknown) => void) | undefined;
}

/**
 * Every item of a file with what would become of it; nothing is stored before the confirmation. The
 * selection begins anew when the file is read by other choices; what was entered stays.
 */
export function ImportReview({
  read,
  isReading,
  problem,
  quizId,
  isFixed = false,
  onChoose,
  onDiscard,
  onImported,
  onFailed,
}: ReviewProps) {
  const [target, setTarget] = useState<Target>({ quizId, tags: [] });
  /** The reading whose questions were changed. */
  const [changed, setChanged] = useState<string | null>(null);
  const [asked, setAsked] = useState<FileChoices | null>(null);
  const { file, end, items } = read;
  return (
    <section
      aria-label={t(
        /* a noun: what a file has, before it is imported */ 'import.reviewOf',
        'Review of {file}',
        { file: isolated(file.name) },
      )}
      ref={scrollIntoViewAndFocus}
      tabIndex={-1}
      className="grid scroll-mt-4 gap-4 outline-none"
    >
      <div className="flex flex-wrap items-end justify-between gap-3">
        <div className="min-w-0">
          <h2 className="wrap-anywhere">{file.name}</h2>
          <p role="status" className="text-ink-2">
            {t(
              /* said of a file: “Excel, 12 questions. …” */ 'import.found',
              '{count, plural, one {{format}, # question. Nothing is stored yet.} other {{format}, # questions. Nothing is stored yet.}}',
              { format: FORMAT_NAMES[end.format], count: items.length },
            )}
          </p>
        </div>
        <Button onClick={onDiscard}>{t('import.discard', 'Discard file')}</Button>
      </div>
      {end.problems.length > 0 && (
        <Notice
          tone="warn"
          {...(isFixed
            ? {}
            : { title: t('import.partsUnread', 'Parts of this file could not be read') })}
        >
          <ul className="mt-1 grid gap-1">
            {end.problems.map((one) => (
              <li key={one}>{one}</li>
            ))}
          </ul>
        </Notice>
      )}
      {!isFixed && <TargetCard target={target} onChange={setTarget} />}
      <FileReading
        {...{ end, isReading, problem }}
        choices={read.choices}
        onChoose={changed === read.id ? setAsked : onChoose}
      />
      <ReviewedItems
        // Items of another reading are others.
        key={read.id}
        {...{ read, isReading, isFixed, target, onImported, onFailed }}
        onChanged={() => setChanged(read.id)}
      />
      <DiscardDialog
        open={asked !== null}
        onCancel={() => setAsked(null)}
        onConfirm={() => {
          if (asked !== null) onChoose(asked);
          setAsked(null);
        }}
      />
    </section>
  );
}

function ReviewedItems({
  read: { file, choices, items: found, images },
  isReading,
  isFixed,
  target,
  onImported,
  onFailed,
  onChanged,
}: Pick<ReviewProps, 'read' | 'isReading' | 'onImported' | 'onFailed'> & {
  isFixed: boolean;
  target: Target;
  onChanged(): void;
}) {
  const [changes, setChanges] = useState<ReadonlyMap<number, QuestionDefinition>>(new Map());
  const items = withChanges(found, changes);
  const { selected, select } = useSelection({ initial: () => initialSelection(items, isFixed) });
  const { importing, work, cancel } = useImport();
  // An import of the page goes on without it.
  useUnsaved(selected.size > 0 && !importing.isSuccess && (isFixed || !importing.isPending));
  const counts = countByStatus(items);
  const store = async () => {
    const wanted = [...selected].sort((a, b) => a - b);
    const withDuplicates = isFixed || wanted.some((i) => items[i]?.isDuplicate === true);
    const changed = wanted.flatMap((item) => {
      const definition = changes.get(item);
      return definition === undefined ? [] : [{ item, definition }];
    });
    const order = {
      name: file.name,
      ...choices,
      items: wanted,
      ...(changed.length === 0 ? {} : { changed }),
      ...target,
      withDuplicates,
      ...(isFixed ? {} : { work: newId() }),
    };
    try {
      onImported(await importing.mutateAsync({ file, order }), { ...target, work: order.work });
    } catch (error) {
      // Shown above the button.
      if (!isAbort(error)) onFailed?.(error);
    }
  };
  return (
    <>
      {!isFixed &&
        counts.duplicate > 0 &&
        counts.duplicate === items.length - counts.unsupported && (
          <Notice>
            {t(
              'import.allInBank',
              'Every question of this file is in the bank already. Select those that you want to add a second time.',
            )}
          </Notice>
        )}
      <ReviewList
        {...{ items, images, counts, selected }}
        isBrokenFirst={isFixed}
        onSelect={select}
        onChange={(position, definition) => {
          setChanges(new Map([...changes, [position, definition]]));
          select([position], true);
          onChanged();
        }}
      />
      <div
        // A dialog has a footer of its own at the bottom.
        className={`flex flex-wrap items-end justify-end gap-3 ${isFixed ? '' : 'sticky bottom-0 z-20 -mx-4 border-t border-line bg-canvas px-4 py-3 md:-mx-1 md:px-1'}`}
      >
        {importing.isError && (
          <div className="basis-full">
            <FailureNotice
              title={
                isAbort(importing.error)
                  ? t('import.canceled', 'Import canceled')
                  : t('import.nothingImported', 'Nothing was imported')
              }
            >
              {sentenceAfter(importing.error)}
            </FailureNotice>
          </div>
        )}
        {importing.isPending && (
          <>
            <div className="min-w-0 flex-1 basis-60">
              <WorkUnderWay done={work?.done} total={work?.total}>
                {work === undefined
                  ? t(
                      'import.importingCount',
                      '{count, plural, one {Importing # question…} other {Importing # questions…}}',
                      { count: selected.size },
                    )
                  : progressOf(work)}
              </WorkUnderWay>
            </div>
            <Button onClick={cancel}>
              {t(/* a button: stops what is under way */ 'ui.cancel', 'Cancel')}
            </Button>
          </>
        )}
        <Button
          variant="primary"
          busy={importing.isPending && t('portal.importing', 'Importing…')}
          aria-disabled={selected.size === 0 || isReading}
          onClick={() => void store()}
        >
          {selected.size === 0
            ? t(
                /* on a button that cannot be used */ 'import.nothingSelected',
                'Nothing is selected',
              )
            : t(
                /* a button */ 'import.importCount',
                '{count, plural, one {Import # question} other {Import # questions}}',
                { count: selected.size },
              )}
        </Button>
      </div>
    </>
  );
}

const noAnswer = () =>
  t(
    'import.noAnswer',
    'The server did not respond. The questions may have been imported. Check the list of questions before you try again.',
  );

const canceled = () =>
  t(
    'import.canceledSentence',
    'Nothing was imported, unless it was too late: check the list of questions before you import the file again.',
  );

function sentenceAfter(error: unknown): string {
  if (isAbort(error)) return canceled();
  return answerWasLost(error) ? noAnswer() : sentenceOf(error);
}

function TargetCard({ target, onChange }: { target: Target; onChange(target: Target): void }) {
  const quizzes = useQuizOptions();
  return (
    <Card
      title={t(
        /* title: the assessment into which questions are imported */ 'import.to',
        'Import to',
      )}
    >
      <div className="grid gap-4 p-5 sm:grid-cols-2">
        <SelectField
          label={t('portal.assessment', 'Assessment')}
          options={[
            {
              value: BANK_ONLY,
              label: t(
                /* the questions will belong to no assessment */ 'portal.bankOnly',
                'Bank only',
              ),
            },
            ...quizzes,
          ]}
          value={target.quizId ?? BANK_ONLY}
          onChange={(value) => onChange({ ...target, quizId: value === BANK_ONLY ? null : value })}
        />
        <TagPicker
          label={t('import.extraTags', 'Extra tags')}
          hint={t('import.extraTags.hint', 'Added to each question. Press Enter after each tag.')}
          tags={target.tags}
          onChange={(tags) => onChange({ ...target, tags })}
        />
      </div>
    </Card>
  );
}

const USE_NAMES: Record<ColumnUse, () => string> = {
  question: () => t(/* what a column of a file holds */ 'portal.question', 'Question'),
  option: () =>
    t(
      /* what a column of a file holds: an option of the answer */ 'import.column.option',
      'Option',
    ),
  answer: () => t(/* what a column of a file holds */ 'portal.correctAnswer', 'Correct answer'),
  points: () => t(/* what a column of a file holds */ 'portal.points', 'Points'),
  explanation: () => t(/* what a column of a file holds */ 'portal.explanation', 'Explanation'),
  tags: () => t(/* what a column of a file holds */ 'portal.tags', 'Tags'),
  category: () => t(/* what a column of a file holds */ 'portal.category', 'Category'),
  type: () => t(/* what a column of a file holds: the type of a question */ 'portal.type', 'Type'),
  number: () =>
    t(
      /* what a column of a file holds: the number of a question */ 'import.column.number',
      'Number',
    ),
  unused: () => t(/* a column of a file that is not read */ 'import.column.unused', 'Not used'),
};
const columnUseOptions = () => COLUMN_USES.map((value) => ({ value, label: USE_NAMES[value]() }));

function FileReading({
  end: { encoding, columns, notes = [], isFirstRowQuestion = false },
  choices,
  isReading,
  problem,
  onChoose,
}: {
  end: ImportEnd;
  choices: FileChoices;
  isReading: boolean;
  problem: string | null;
  onChoose(choices: FileChoices): void;
}) {
  if (encoding === undefined && columns === undefined) return null;
  const uses = columns?.map(({ use }) => use) ?? [];
  return (
    <Card
      title={t('import.reading.title', 'How this file was read')}
      aside={
        <span role="status" className="text-sm text-ink-2">
          {isReading && t('import.reading.again', 'Reading again…')}
        </span>
      }
    >
      <div className="grid gap-5 p-5">
        {problem !== null && (
          <FailureNotice title={t('import.reading.failed', 'The file could not be read like this')}>
            {problem}
          </FailureNotice>
        )}
        {encoding !== undefined && (
          <div className="max-w-88">
            <SelectField
              label={t(/* of a file: UTF-8 and such */ 'import.encoding', 'Text encoding')}
              hint={
                /^utf-/.test(encoding)
                  ? t(
                      /* the encoding was found in the file */ 'import.encoding.found',
                      'Found in the file.',
                    )
                  : t(
                      'import.encoding.guessed',
                      'The likeliest one or your choice. If letters with accents look wrong, select another.',
                    )
              }
              size="dense"
              options={encodingOptions()}
              value={encoding}
              disabled={isReading}
              onChange={(next) => onChoose({ ...choices, encoding: next })}
            />
          </div>
        )}
        {isFirstRowQuestion && (
          <Checkbox
            label={t('import.keepFirstRow', 'Keep the first row')}
            hint={t(
              'import.keepFirstRow.hint',
              'It looks like a question. Normally the first row is a header and is skipped.',
            )}
            disabled={isReading}
            checked={choices.firstRow === 'question'}
            onChange={({ target }) =>
              onChoose({ ...choices, firstRow: target.checked ? 'question' : 'header' })
            }
          />
        )}
        {columns !== undefined && (
          <fieldset className="min-w-0">
            <legend className="font-medium">{t('import.columns', 'Columns')}</legend>
            <p className="text-sm text-ink-3">
              {columns.some(({ head }) => head !== '')
                ? t(
                    'import.columns.byHeader',
                    'By the header of the file. If a column is something else, change it here.',
                  )
                : t(
                    'import.columns.noHeader',
                    'The file has no header. If a column is something else, change it here.',
                  )}
            </p>
            <div className="mt-3">
              <ColumnTable
                label={t('import.columns.table', 'Columns of the file')}
                columns={columns.map(({ head, use }, i) => ({ name: columnName(i), head, use }))}
                rows={rowsOf(columns)}
                options={columnUseOptions()}
                unused="unused"
                disabled={isReading}
                onUse={(i, use) => onChoose({ ...choices, columns: withUse(uses, i, use) })}
              />
            </div>
          </fieldset>
        )}
        {notes.length > 0 && (
          <ul className="grid gap-1 text-sm text-ink-2">
            {notes.map((note) => (
              <li key={note} className="wrap-anywhere">
                {note}
              </li>
            ))}
          </ul>
        )}
      </div>
    </Card>
  );
}

/** The first rows of a file. */
const rowsOf = (columns: NonNullable<ImportEnd['columns']>) =>
  (columns[0]?.cells ?? []).map((_, i) => ({
    ...{ id: String(i), number: '' },
    cells: columns.map(({ cells = [] }) => cells[i] ?? ''),
  }));

/** The uses with another one for a column; a use that only one column can have leaves its column. */
function withUse(uses: readonly ColumnUse[], index: number, use: ColumnUse): ColumnUse[] {
  return uses.map((one, i) =>
    i === index ? use : one === use && !isRepeatable(use) ? 'unused' : one,
  );
}
