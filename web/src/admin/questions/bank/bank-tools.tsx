import { DIFFICULTIES, QUESTION_TYPES } from '@invigil/core/domain/questions/question-definition';
import { TYPES } from '@invigil/core/domain/questions/types/question-types';
import { isolated } from '@invigil/core/domain/typed-text';
import { SearchBox } from '../../../ui/fields/search-box.tsx';
import { SelectControl, type SelectOption } from '../../../ui/fields/select-field.tsx';
import { useCategoryOptions, useQuizOptions } from '../../data/assessments.ts';
import { type BankFilter, useTags } from '../../data/bank.ts';
import { Filters } from '../../list/filter-select.tsx';
import { DIFFICULTY_NAMES } from './bank-cells.tsx';

export const DIFFICULTY_OPTIONS = DIFFICULTIES.map((value) => ({
  value,
  label: DIFFICULTY_NAMES[value],
}));
const typeOptions = () => QUESTION_TYPES.map((value) => ({ value, label: TYPES[value].name() }));
const USES = ['never', 'bank'] as const;

const STATES: SelectOption<BankFilter['state']>[] = [
  { value: 'active', label: 'Active' },
  { value: 'draft', label: 'Drafts' },
  { value: 'archived', label: 'Archived' },
];

export function BankTools({
  filter,
  onNarrow,
}: {
  filter: BankFilter;
  onNarrow(change: Partial<BankFilter>, replace?: boolean): void;
}) {
  const tags = (useTags().data ?? []).map(({ tag, count }) => ({
    value: tag,
    label: `${tag} (${count})`,
  }));
  const categories = useCategoryOptions();
  const quizzes = useQuizOptions();
  const { quizId, use, state } = filter;
  return (
    <search className="mb-4 flex flex-wrap items-center gap-3">
      <div className="min-w-0 flex-1 sm:max-w-80 sm:basis-60">
        <SearchBox
          label="Search questions"
          placeholder="Text, note or tag"
          maxLength={320}
          value={filter.search ?? ''}
          onSearch={(search) => onNarrow({ search }, true)}
        />
      </div>
      <Filters
        view={filter}
        onNarrow={onNarrow}
        alsoUsed={[quizId ?? use, state !== 'active'].filter(Boolean).length}
        filters={[
          ['tag', 'Tag', 'All tags', tags, 'sm:w-40!', filter.tag],
          ['type', 'Type', 'All types', typeOptions(), 'sm:w-44!', filter.type],
          ['categoryId', 'Category', 'All categories', categories, 'sm:w-44!', filter.categoryId],
          ['difficulty', 'Difficulty', 'Any difficulty', DIFFICULTY_OPTIONS, 'sm:w-38!'],
        ]}
      >
        <SelectControl
          aria-label="Use"
          className="w-full! sm:w-52!"
          options={[
            { value: 'use:', label: 'Any use' },
            { value: 'use:never', label: 'Never used' },
            { value: 'use:bank', label: 'Bank only' },
            ...withCurrent(
              quizzes.map(({ value, label }) => ({ value, label: `Used in ${isolated(label)}` })),
              quizId,
              'Used in another assessment',
            ).map(({ value, label }) => ({ value: `quiz:${value}`, label })),
          ]}
          value={quizId === undefined ? `use:${use ?? ''}` : `quiz:${quizId}`}
          onChange={(value) => {
            const used = USES.find((one) => value === `use:${one}`);
            const isQuiz = value.startsWith('quiz:');
            onNarrow({ use: used, quizId: isQuiz ? value.slice('quiz:'.length) : undefined });
          }}
        />
        <SelectControl
          aria-label="State"
          className="w-full! sm:w-32!"
          options={STATES}
          value={state}
          onChange={(next) => onNarrow({ state: next })}
        />
      </Filters>
    </search>
  );
}

/** The options with the selected one: a link may name what is not listed any more. */
function withCurrent(options: SelectOption[], value: string | undefined, label: string) {
  return value === undefined || options.some((option) => option.value === value)
    ? options
    : [...options, { value, label }];
}
