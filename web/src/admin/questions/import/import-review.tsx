import type { FileFormat } from '@invigil/core/domain/questions/question-files';
import { type ReactNode, useMemo, useState } from 'react';
import { questionsWords } from '../../../lib/question-labels.ts';
import { answerWasLost, isAbort, sentenceOf } from '../../../net/api.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { useUnsaved } from '../../../ui/dialogs/unsaved.ts';
import { FailureNotice } from '../../../ui/failure-notice.tsx';
import { SelectField } from '../../../ui/fields/select-field.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { scrollIntoViewAndFocus } from '../../../ui/scroll-into-view.ts';
import { useQuizzes } from '../../assessments/api.ts';
import { BANK_ONLY } from '../../bank/change-dialogs.tsx';
import { TagPicker } from '../../bank/tag-picker.tsx';
import { useSelection } from '../selection-bar.tsx';
import { WorkUnderWay } from '../work-under-way.tsx';
import { FileReading } from './file-reading.tsx';
import { countByStatus, initialSelection } from './review-items.ts';
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

/** Where imported questions belong, and the tags that each gets. */
interface Target {
  quizId: string | null;
  tags: string[];
}

interface ReviewProps {
  read: FileRead;
  /** The file is read again by other choices. */
  isReading: boolean;
  /** Why it could not be read again. */
  problem: string | null;
  /** The assessment that the file was selected for. */
  quizId: string | null;
  /** The questions go there and nowhere else, and all of them are wanted, duplicates too. */
  isFixed?: boolean;
  onChoose(choices: FileChoices): void;
  onDiscard(): void;
  onImported(result: Imported, target: Target): void;
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
  const { file, end, items } = read;
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
            {`${FORMAT_NAMES[end.format]}, ${questionsWords(items.length)}. Nothing is stored yet.`}
          </p>
        </div>
        <Button onClick={onDiscard}>Discard file</Button>
      </div>
      {end.problems.length > 0 && (
        <Notice tone="warn" {...(isFixed ? {} : { title: 'Parts of this file could not be read' })}>
          <ul className="mt-1 grid gap-1">
            {end.problems.map((one) => (
              <li key={one}>{one}</li>
            ))}
          </ul>
        </Notice>
      )}
      <FileReading {...{ end, isReading, problem, onChoose }} choices={read.choices} />
      <ReviewedItems
        // Items of another reading are others.
        key={read.id}
        {...{ read, isReading, isFixed, target, onImported, onFailed }}
      >
        {!isFixed && <TargetCard target={target} onChange={setTarget} />}
      </ReviewedItems>
    </section>
  );
}

/** The items to select from, what `children` add to them, and the button that imports. */
function ReviewedItems({
  read: { file, choices, items, images },
  isReading,
  isFixed,
  target,
  onImported,
  onFailed,
  children,
}: Pick<ReviewProps, 'read' | 'isReading' | 'onImported' | 'onFailed'> & {
  isFixed: boolean;
  target: Target;
  children: ReactNode;
}) {
  const { selected, select } = useSelection(() => initialSelection(items, isFixed));
  const { importing, cancel } = useImport();
  useUnsaved(selected.size > 0 && !importing.isSuccess);
  const counts = useMemo(() => countByStatus(items), [items]);
  const store = async () => {
    const wanted = [...selected].sort((a, b) => a - b);
    const withDuplicates = isFixed || wanted.some((i) => items[i]?.isDuplicate === true);
    const order = { name: file.name, ...choices, items: wanted, ...target, withDuplicates };
    try {
      onImported(await importing.mutateAsync({ file, order }), target);
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
            Every question of this file is in the bank already. Select those that you want to add a
            second time.
          </Notice>
        )}
      <ReviewList
        {...{ items, images, counts, selected }}
        isBrokenFirst={isFixed}
        onSelect={select}
      />
      {children}
      <div
        // A dialog has a footer of its own at the bottom.
        className={`flex flex-wrap items-end justify-end gap-3 ${isFixed ? '' : 'sticky bottom-0 z-20 -mx-4 border-t border-line bg-canvas px-4 py-3 md:-mx-1 md:px-1'}`}
      >
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
    </>
  );
}

const NO_ANSWER =
  'The server did not respond. The questions may have been imported. Check the list of questions before you try again.';

const CANCELED =
  'Nothing was imported, unless it was too late: check the list of questions before you import the file again.';

function sentenceAfter(error: unknown): string {
  if (isAbort(error)) return CANCELED;
  return answerWasLost(error) ? NO_ANSWER : sentenceOf(error);
}

function TargetCard({ target, onChange }: { target: Target; onChange(target: Target): void }) {
  const quizzes = useQuizzes();
  return (
    <Card title="Import to">
      <div className="grid gap-4 p-5 sm:grid-cols-2">
        <SelectField
          label="Assessment"
          options={[
            { value: BANK_ONLY, label: 'Bank only' },
            ...(quizzes.data ?? []).map(({ id, title }) => ({ value: id, label: title })),
          ]}
          value={target.quizId ?? BANK_ONLY}
          onChange={(value) => onChange({ ...target, quizId: value === BANK_ONLY ? null : value })}
        />
        <TagPicker
          label="Extra tags"
          hint="Added to each question. Press Enter after each tag."
          tags={target.tags}
          onChange={(tags) => onChange({ ...target, tags })}
        />
      </div>
    </Card>
  );
}
