import type { FileFormat } from '@invigil/core/domain/questions/question-files';
import { useMemo, useState } from 'react';
import { answerWasLost, isAbort, sentenceOf } from '../../../net/api.ts';
import { ImageSource } from '../../../question-view/content/image-source.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { useUnsaved } from '../../../ui/dialogs/unsaved.ts';
import { FailureNotice } from '../../../ui/failure-notice.tsx';
import { Checkbox } from '../../../ui/fields/checkbox.tsx';
import { SelectField } from '../../../ui/fields/select-field.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { scrollIntoViewAndFocus } from '../../../ui/scroll-into-view.ts';
import { EmptyState } from '../../../ui/tables/empty-state.tsx';
import { Pagination } from '../../../ui/tables/pagination.tsx';
import { useQuizzes } from '../../assessments/api.ts';
import { WorkUnderWay } from '../../questions/import/work-under-way.tsx';
import { addressOfBank } from '../bank-filter.ts';
import { questionsWords } from '../bank-words.ts';
import { BANK_ONLY } from '../move-dialog.tsx';
import { TagPicker } from '../tag-picker.tsx';
import { FileReading } from './file-reading.tsx';
import { ImportItemRow } from './import-item-row.tsx';
import { ImportPreview } from './import-preview.tsx';
import { ImportStatuses } from './import-statuses.tsx';
import { countByStatus, type ImportStatus, initialSelection, positionsOf } from './review-items.ts';
import { type FileChoices, type FileRead, type Imported, useImport } from './use-import.ts';

/** Items shown at once: a file may have twenty thousand. */
const PAGE_ROWS = 50;

const FORMAT_WORDS: Record<FileFormat, string> = {
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

const NO_ANSWER =
  'The server did not respond. The questions may have been imported. Check the list of questions before you try again.';

const CANCELED =
  'Nothing was imported, unless it was too late: check the list of questions before you import the file again.';

function sentenceAfter(error: unknown): string {
  if (isAbort(error)) return CANCELED;
  return answerWasLost(error) ? NO_ANSWER : sentenceOf(error);
}

/** Every item of a file with what would become of it; nothing is stored before the confirmation. */
export function ImportReview({
  read,
  isReading,
  problem,
  quizId,
  onChoose,
  onDiscard,
  onImported,
}: {
  read: FileRead;
  /** The file is read again by other choices. */
  isReading: boolean;
  /** Why it could not be read again. */
  problem: string | null;
  /** The assessment that the page was opened for. */
  quizId: string | null;
  onChoose(choices: FileChoices): void;
  onDiscard(): void;
  onImported(result: Imported, shown: URLSearchParams): void;
}) {
  const { file, choices, items, end, images } = read;
  const { format, problems } = end;
  const quizzes = useQuizzes();
  const [status, setStatus] = useState<ImportStatus | null>(null);
  const [page, setPage] = useState(1);
  const [previewed, setPreviewed] = useState<number | null>(null);
  // Of these items: other ones begin with their own.
  const [selection, setSelection] = useState({ items, selected: initialSelection(items) });
  if (selection.items !== items) {
    setSelection({ items, selected: initialSelection(items) });
    setPage(1);
    setPreviewed(null);
  }
  const { selected } = selection;
  const [tags, setTags] = useState<string[]>([]);
  const [target, setTarget] = useState(quizId ?? BANK_ONLY);
  const { importing, cancel } = useImport();
  useUnsaved(selected.size > 0 && !importing.isSuccess);

  const counts = useMemo(() => countByStatus(items), [items]);
  const positions = useMemo(() => positionsOf(items, status), [items, status]);
  const selectable = useMemo(
    () => positions.filter((i) => items[i]?.definition !== null),
    [positions, items],
  );
  const pages = Math.max(1, Math.ceil(positions.length / PAGE_ROWS));
  const select = (some: readonly number[], isSelected: boolean) => {
    const next = new Set(selected);
    for (const i of some) {
      if (isSelected) next.add(i);
      else next.delete(i);
    }
    setSelection({ items, selected: next });
  };
  const store = async () => {
    const wanted = [...selected].sort((a, b) => a - b);
    const ownQuizId = target === BANK_ONLY ? null : target;
    try {
      const result = await importing.mutateAsync({
        file,
        order: {
          name: file.name,
          ...choices,
          items: wanted,
          quizId: ownQuizId,
          withDuplicates: wanted.some((i) => items[i]?.isDuplicate === true),
          tags,
        },
      });
      const [tag] = tags;
      onImported(
        result,
        addressOfBank({
          ...(tag === undefined ? {} : { tag }),
          ...(ownQuizId === null ? {} : { quizId: ownQuizId }),
        }),
      );
    } catch {
      // Shown above the button.
    }
  };
  const preview = previewed === null ? undefined : items[previewed];
  const all = items.length;

  return (
    <section
      aria-label={`Review of ${file.name}`}
      ref={scrollIntoViewAndFocus}
      tabIndex={-1}
      className="grid scroll-mt-4 gap-4 outline-none"
    >
      <div className="flex flex-wrap items-end justify-between gap-3">
        <div className="min-w-0">
          <h2 className="wrap-anywhere">{file.name}</h2>
          <p role="status" className="text-ink-2">
            {`${FORMAT_WORDS[format]}, ${questionsWords(all)}. Nothing is stored yet.`}
          </p>
        </div>
        <Button onClick={onDiscard}>Discard file</Button>
      </div>
      {problems.length > 0 && (
        <Notice tone="warn" title="Parts of this file could not be read">
          <ul className="mt-1 grid gap-1">
            {problems.map((problem) => (
              <li key={problem}>{problem}</li>
            ))}
          </ul>
        </Notice>
      )}
      <FileReading
        end={end}
        choices={choices}
        isReading={isReading}
        problem={problem}
        onChoose={onChoose}
      />
      {all > 0 && counts.duplicate === all - counts.unsupported && counts.duplicate > 0 && (
        <Notice>
          Every question of this file is in the bank already. Select those that you want to add a
          second time.
        </Notice>
      )}
      <ImportStatuses
        counts={counts}
        all={all}
        status={status}
        onStatus={(next) => {
          setStatus(next);
          setPage(1);
        }}
      />
      <Card>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line px-4 py-2.5 md:px-5">
          <Checkbox
            label={
              status === null
                ? `Select all ${selectable.length.toLocaleString('en-GB')}`
                : `Select these ${selectable.length.toLocaleString('en-GB')}`
            }
            disabled={selectable.length === 0}
            checked={selectable.length > 0 && selectable.every((i) => selected.has(i))}
            onChange={(event) => select(selectable, event.target.checked)}
          />
          <span role="status" className="text-sm text-ink-2 tabular-nums">
            {`${selected.size.toLocaleString('en-GB')} selected`}
          </span>
        </div>
        {positions.length === 0 ? (
          <EmptyState>
            {all === 0 ? 'This file has no questions.' : 'No question of this kind.'}
          </EmptyState>
        ) : (
          <ImageSource value={(hash) => images.addressOf(hash)}>
            <ul aria-label="Questions of the file">
              {positions.slice((page - 1) * PAGE_ROWS, page * PAGE_ROWS).map((i) => {
                const item = items[i];
                return item === undefined ? null : (
                  <ImportItemRow
                    key={i}
                    item={item}
                    number={i + 1}
                    isSelected={selected.has(i)}
                    onSelect={(isSelected) => select([i], isSelected)}
                    onPreview={() => setPreviewed(i)}
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
      <Card title="Import to">
        <div className="grid gap-4 p-5 sm:grid-cols-2">
          <SelectField
            label="Assessment"
            options={[
              { value: BANK_ONLY, label: 'Bank only' },
              ...(quizzes.data ?? []).map(({ id, title }) => ({ value: id, label: title })),
            ]}
            value={target}
            onChange={setTarget}
          />
          <TagPicker
            label="Extra tags"
            hint="Added to each question. Press Enter after each tag."
            tags={tags}
            onChange={setTags}
          />
        </div>
      </Card>
      <div className="sticky bottom-0 z-20 -mx-4 flex flex-wrap items-end justify-end gap-3 border-t border-line bg-canvas px-4 py-3 md:-mx-1 md:px-1">
        {importing.isError && (
          <div className="basis-full">
            <FailureNotice
              title={isAbort(importing.error) ? 'Import canceled' : 'Nothing was imported'}
            >
              {sentenceAfter(importing.error)}
            </FailureNotice>
          </div>
        )}
        {importing.isPending && (
          <>
            <div className="min-w-0 flex-1 basis-60">
              <WorkUnderWay>{`Importing ${questionsWords(selected.size)}…`}</WorkUnderWay>
            </div>
            <Button onClick={cancel}>Cancel</Button>
          </>
        )}
        <Button
          variant="primary"
          busy={importing.isPending && 'Importing…'}
          aria-disabled={selected.size === 0 || isReading}
          onClick={() => void store()}
        >
          {selected.size === 0 ? 'Nothing is selected' : `Import ${questionsWords(selected.size)}`}
        </Button>
      </div>
      {preview !== undefined && preview.definition !== null && (
        <ImportPreview
          item={preview}
          definition={preview.definition}
          images={images}
          onClose={() => setPreviewed(null)}
        />
      )}
    </section>
  );
}
