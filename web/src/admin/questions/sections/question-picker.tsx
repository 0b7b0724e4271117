import type { BankQuestion } from '@invigil/core/contract/assessments/bank';
import { TYPES } from '@invigil/core/domain/questions/types/question-types';
import { useState } from 'react';
import { pointsText } from '../../../lib/format.ts';
import { questionsText } from '../../../lib/question-labels.ts';
import { Dialog } from '../../../ui/dialogs/dialog.tsx';
import { FormFooter } from '../../../ui/dialogs/form-footer.tsx';
import { Checkbox } from '../../../ui/fields/checkbox.tsx';
import { SearchBox } from '../../../ui/fields/search-box.tsx';
import { SelectControl } from '../../../ui/fields/select-field.tsx';
import { EmptyState } from '../../../ui/page.tsx';
import { SkeletonRows } from '../../../ui/skeleton.tsx';
import { Pagination } from '../../../ui/tables/pagination.tsx';
import { BANK_PAGE_ROWS, useBank, useTags } from '../../data/bank.ts';
import { FilterSelect } from '../../list/filter-select.tsx';
import { LoadFailure } from '../../parts/failures.tsx';
import { FirstWords } from '../manage/question-row.tsx';

/** Selects questions for a section, of the whole bank; without `taken`, those that belong to the bank alone. */
export function QuestionPicker({
  quizId,
  taken,
  isBusy = false,
  onClose,
  onPick,
}: {
  quizId: string;
  /** Questions that a section has already; null: there are no sections. */
  taken: ReadonlySet<string> | null;
  isBusy?: boolean;
  onClose(): void;
  onPick(questions: BankQuestion[]): void;
}) {
  const [search, setSearch] = useState('');
  const [place, setPlace] = useState('all');
  const [tag, setTag] = useState<string | null>(null);
  const tags = useTags();
  const [page, setPage] = useState(1);
  const [picked, setPicked] = useState<ReadonlyMap<string, BankQuestion>>(new Map());
  const match = {
    state: 'active' as const,
    ...(search === '' ? {} : { search }),
    ...(tag === null ? {} : { tag }),
    ...(taken === null ? { use: 'bank' as const } : place === 'own' ? { quizId } : {}),
  };
  const bank = useBank(match, page);
  const pick = (question: BankQuestion, isPicked: boolean) => {
    const next = new Map(picked);
    if (isPicked) next.set(question.id, question);
    else next.delete(question.id);
    setPicked(next);
  };
  return (
    <Dialog
      open
      onClose={onClose}
      size="wide"
      title="Add questions"
      description={
        taken === null
          ? 'Questions that belong to no assessment. Those that you add become questions of this one.'
          : 'Every candidate gets them.'
      }
      footer={
        <FormFooter
          busy={isBusy && 'Adding…'}
          isOff={picked.size === 0}
          onSubmit={() => onPick([...picked.values()])}
        >
          {picked.size === 0 ? 'Add' : `Add ${questionsText(picked.size)}`}
        </FormFooter>
      }
    >
      <div className="grid gap-4 pt-1">
        <search
          className={`grid gap-3 ${taken === null ? 'sm:grid-cols-[1fr_12rem]' : 'sm:grid-cols-[1fr_12rem_12rem]'}`}
        >
          <SearchBox
            label="Search questions"
            placeholder="Text, note or tag"
            maxLength={320}
            value={search}
            onSearch={(next) => {
              setSearch(next);
              setPage(1);
            }}
          />
          <FilterSelect
            label="Tag"
            any="Any tag"
            className=""
            options={(tags.data ?? []).map((one) => ({ value: one.tag, label: one.tag }))}
            value={tag}
            onChange={(next) => {
              setTag(next);
              setPage(1);
            }}
          />
          {taken !== null && (
            <SelectControl
              aria-label="Questions"
              options={[
                { value: 'all', label: 'Of the whole bank' },
                { value: 'own', label: 'Of this assessment' },
              ]}
              value={place}
              onChange={(next) => {
                setPlace(next);
                setPage(1);
              }}
            />
          )}
        </search>
        {bank.isError ? (
          <LoadFailure title="Failed to load questions" read={bank} />
        ) : bank.isPending ? (
          <SkeletonRows>Loading questions...</SkeletonRows>
        ) : bank.data.rows.length === 0 ? (
          <EmptyState>
            {taken === null && search === '' && tag === null
              ? 'Every question of the bank belongs to an assessment. Write a question, or import a file.'
              : 'No question matches.'}
          </EmptyState>
        ) : (
          <ul aria-label="Questions" className="rounded-lg border border-line">
            {bank.data.rows.map((question) => (
              <li key={question.id} className="border-b border-line px-4 py-2.5 last:border-b-0">
                <Checkbox
                  label={
                    <span className="wrap-anywhere">
                      <FirstWords definition={question.definition} />
                    </span>
                  }
                  hint={[
                    TYPES[question.definition.type].name(),
                    pointsText(question.definition.points),
                    ...question.tags,
                    ...(taken?.has(question.id) ? ['already in a section'] : []),
                  ].join(', ')}
                  disabled={taken?.has(question.id)}
                  checked={picked.has(question.id) || taken?.has(question.id) === true}
                  onChange={(event) => pick(question, event.target.checked)}
                />
              </li>
            ))}
          </ul>
        )}
        {(bank.data?.total ?? 0) > BANK_PAGE_ROWS && (
          <Pagination
            page={page}
            pages={Math.ceil((bank.data?.total ?? 0) / BANK_PAGE_ROWS)}
            onPage={setPage}
          />
        )}
      </div>
    </Dialog>
  );
}
