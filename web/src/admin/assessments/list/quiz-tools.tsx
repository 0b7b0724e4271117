import { SearchBox } from '../../../ui/fields/search-box.tsx';
import { SelectControl } from '../../../ui/fields/select-field.tsx';
import { useCategories } from '../api.ts';
import { QUIZ_SORTS, type QuizFilter } from '../quiz-filter.ts';

const ALL = 'all';
const STATUSES = [
  { value: 'active', label: 'Active' },
  { value: 'ended', label: 'Ended' },
  { value: 'inactive', label: 'Inactive' },
] as const;

/** Search, category, status and order of the assessments. */
export function QuizTools({
  filter,
  onChange,
}: {
  filter: QuizFilter;
  /** `replace`: without a new history entry. */
  onChange(next: QuizFilter, replace?: boolean): void;
}) {
  const categories = useCategories();
  return (
    <search className="mb-4 grid grid-cols-2 items-center gap-3 sm:flex sm:flex-wrap">
      <div className="col-span-2 min-w-0 flex-1 basis-48 sm:max-w-65">
        <SearchBox
          label="Search assessments"
          placeholder="Title or description"
          maxLength={200}
          value={filter.search}
          onSearch={(search) => onChange({ ...filter, search }, true)}
        />
      </div>
      <SelectControl
        aria-label="Category"
        className="w-full! sm:w-44!"
        options={[
          { value: ALL, label: 'All categories' },
          ...(categories.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
        ]}
        value={filter.categoryId ?? ALL}
        onChange={(value) => onChange({ ...filter, categoryId: value === ALL ? null : value })}
      />
      <SelectControl
        aria-label="Status"
        className="w-full! sm:w-36!"
        options={[{ value: ALL, label: 'Any status' }, ...STATUSES]}
        value={filter.status ?? ALL}
        onChange={(value) =>
          onChange({ ...filter, status: STATUSES.find((s) => s.value === value)?.value ?? null })
        }
      />
      <SelectControl
        aria-label="Order"
        className="col-span-2 w-full! sm:w-52!"
        options={QUIZ_SORTS}
        value={filter.sort}
        onChange={(value) =>
          onChange({
            ...filter,
            sort: QUIZ_SORTS.find((s) => s.value === value)?.value ?? 'newest',
          })
        }
      />
    </search>
  );
}
