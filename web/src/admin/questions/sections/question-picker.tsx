import type { BankQuestion } from '@invigil/core/contract/assessments/bank';
import { listText } from '@invigil/core/domain/locale';
import { TYPES } from '@invigil/core/domain/questions/types/question-types';
import { t } from '@invigil/core/texts/i18n';
import { useState } from 'react';
import { pointsText } from '../../../lib/format.ts';
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
      title={t('portal.addQuestions', 'Add questions')}
      description={
        taken === null
          ? t(
              'sections.picker.bankOnly',
              'Questions that belong to no assessment. Those that you add become questions of this one.',
            )
          : t(
              /* questions that are added to a section */ 'sections.picker.everyCandidate',
              'Every candidate gets them.',
            )
      }
      footer={
        <FormFooter
          busy={isBusy && t('portal.adding', 'Adding…')}
          isOff={picked.size === 0}
          onSubmit={() => onPick([...picked.values()])}
        >
          {picked.size === 0
            ? t(/* a button */ 'sections.add', 'Add')
            : t(
                /* a button */ 'sections.addCount',
                '{count, plural, one {Add # question} other {Add # questions}}',
                { count: picked.size },
              )}
        </FormFooter>
      }
    >
      <div className="grid gap-4 pt-1">
        <search
          className={`grid gap-3 ${taken === null ? 'sm:grid-cols-[1fr_12rem]' : 'sm:grid-cols-[1fr_12rem_12rem]'}`}
        >
          <SearchBox
            label={t('portal.searchQuestions', 'Search questions')}
            placeholder={t(
              /* placeholder: where the search looks */ 'portal.questionSearch',
              'Text, note or tag',
            )}
            maxLength={320}
            value={search}
            onSearch={(next) => {
              setSearch(next);
              setPage(1);
            }}
          />
          <FilterSelect
            label={t(/* a filter */ 'sections.picker.tag', 'Tag')}
            any={t('sections.picker.anyTag', 'Any tag')}
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
              aria-label={t(/* a list of questions */ 'portal.questions', 'Questions')}
              options={[
                {
                  value: 'all',
                  label: t(/* questions */ 'sections.picker.wholeBank', 'Of the whole bank'),
                },
                {
                  value: 'own',
                  label: t(/* questions */ 'sections.picker.ofAssessment', 'Of this assessment'),
                },
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
          <LoadFailure
            title={t('portal.questionsFailed', 'Failed to load questions')}
            read={bank}
          />
        ) : bank.isPending ? (
          <SkeletonRows>{t('portal.loadingQuestions', 'Loading questions...')}</SkeletonRows>
        ) : bank.data.rows.length === 0 ? (
          <EmptyState>
            {taken === null && search === '' && tag === null
              ? t(
                  'sections.picker.noneLeft',
                  'Every question of the bank belongs to an assessment. Write a question, or import a file.',
                )
              : t('sections.picker.noMatch', 'No question matches.')}
          </EmptyState>
        ) : (
          <PickerRows rows={bank.data.rows} {...{ taken, picked }} onPick={pick} />
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

function PickerRows({
  rows,
  taken,
  picked,
  onPick,
}: {
  rows: readonly BankQuestion[];
  taken: ReadonlySet<string> | null;
  picked: ReadonlyMap<string, BankQuestion>;
  onPick(question: BankQuestion, isPicked: boolean): void;
}) {
  return (
    <ul
      aria-label={t(/* a list of questions */ 'portal.questions', 'Questions')}
      className="rounded-lg border border-line"
    >
      {rows.map((question) => (
        <li key={question.id} className="border-b border-line px-4 py-2.5 last:border-b-0">
          <Checkbox
            label={
              <bdi className="wrap-anywhere">
                <FirstWords definition={question.definition} />
              </bdi>
            }
            hint={listText(
              [
                TYPES[question.definition.type].name(),
                pointsText(question.definition.points),
                ...question.tags,
                ...(taken?.has(question.id)
                  ? [
                      t(
                        /* said of a question, in a row of facts */ 'sections.taken',
                        'already in a section',
                      ),
                    ]
                  : []),
              ],
              'unit',
            )}
            disabled={taken?.has(question.id)}
            checked={picked.has(question.id) || taken?.has(question.id) === true}
            onChange={(event) => onPick(question, event.target.checked)}
          />
        </li>
      ))}
    </ul>
  );
}
