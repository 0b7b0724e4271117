import { QUESTION_TYPES } from '@invigil/core/domain/questions/question-definition';
import { isolated } from '@invigil/core/domain/typed-text';
import { QUESTION_TYPE_NAMES } from '../../../lib/question-labels.ts';
import { SearchBox } from '../../../ui/fields/search-box.tsx';
import { SelectControl, type SelectOption } from '../../../ui/fields/select-field.tsx';
import { useCategories, useQuizzes } from '../../data/assessments.ts';
import { type BankFilter, bankFilterFrom, useTags } from '../../data/bank.ts';
import { FilterSelect, Filters } from '../../list/filter-select.tsx';
import { DIFFICULTY_NAMES } from './bank-cells.tsx';

export const DIFFICULTY_OPTIONS: SelectOption[] = Object.entries(DIFFICULTY_NAMES).map(
  ([value, label]) => ({ value, label }),
);

const STATES: SelectOption[] = [
  { value: 'active', label: 'Active' },
  { value: 'draft', label: 'Drafts' },
  { value: 'archived', label: 'Archived' },
];

export function BankTools({
  filter,
  onChange,
}: {
  filter: BankFilter;
  onChange(next: BankFilter, replace?: boolean): void;
}) {
  const tags = useTags();
  const categories = useCategories();
  const quizzes = useQuizzes();
  const set = (change: Record<string, string>, replace = false) => {
    // Read like a URL, so that only known values become a filter.
    const { search, tag, type, categoryId, difficulty, quizId, use, state, createdAt } = filter;
    const known = { search, tag, type, categoryId, difficulty, quizId, use, state, createdAt };
    const address = new URLSearchParams();
    for (const [name, value] of Object.entries({ ...known, ...change })) {
      if (value) address.set(name, value);
    }
    onChange(bankFilterFrom(address), replace);
  };
  const useValue =
    filter.quizId === undefined ? `use:${filter.use ?? ''}` : `quiz:${filter.quizId}`;
  const { tag, type, categoryId, difficulty, quizId, use, state } = filter;
  const used = [tag, type, categoryId, difficulty, quizId ?? use, state !== 'active'].filter(
    Boolean,
  ).length;
  return (
    <search className="mb-4 flex flex-wrap items-center gap-3">
      <div className="min-w-0 flex-1 sm:max-w-80 sm:basis-60">
        <SearchBox
          label="Search questions"
          placeholder="Text, note or tag"
          maxLength={320}
          value={filter.search ?? ''}
          onSearch={(search) => set({ search }, true)}
        />
      </div>
      <Filters used={used}>
        <FilterSelect
          label="Tag"
          any="All tags"
          className="sm:w-40!"
          value={filter.tag}
          unlisted={filter.tag}
          options={(tags.data ?? []).map(({ tag, count }) => ({
            value: tag,
            label: `${tag} (${count})`,
          }))}
          onChange={(tag) => set({ tag: tag ?? '' })}
        />
        <FilterSelect
          label="Type"
          any="All types"
          className="sm:w-44!"
          value={filter.type}
          unlisted={filter.type}
          options={QUESTION_TYPES.map((type) => ({
            value: type,
            label: QUESTION_TYPE_NAMES[type],
          }))}
          onChange={(type) => set({ type: type ?? '' })}
        />
        <FilterSelect
          label="Category"
          any="All categories"
          className="sm:w-44!"
          value={filter.categoryId}
          unlisted={filter.categoryId}
          options={(categories.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
          onChange={(categoryId) => set({ categoryId: categoryId ?? '' })}
        />
        <FilterSelect
          label="Difficulty"
          any="Any difficulty"
          className="sm:w-38!"
          value={filter.difficulty}
          unlisted={filter.difficulty}
          options={DIFFICULTY_OPTIONS}
          onChange={(difficulty) => set({ difficulty: difficulty ?? '' })}
        />
        <SelectControl
          aria-label="Use"
          className="w-full! sm:w-52!"
          options={[
            { value: 'use:', label: 'Any use' },
            { value: 'use:never', label: 'Never used' },
            { value: 'use:bank', label: 'Bank only' },
            ...withCurrent(
              (quizzes.data ?? []).map(({ id, title }) => ({
                value: id,
                label: `Used in ${isolated(title)}`,
              })),
              filter.quizId,
              'Used in another assessment',
            ).map(({ value, label }) => ({ value: `quiz:${value}`, label })),
          ]}
          value={useValue}
          onChange={(value) => {
            const [kind = '', what = ''] = value.split(':');
            set(kind === 'quiz' ? { quizId: what, use: '' } : { use: what, quizId: '' });
          }}
        />
        <SelectControl
          aria-label="State"
          className="w-full! sm:w-32!"
          options={STATES}
          value={filter.state}
          onChange={(state) => set({ state })}
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
