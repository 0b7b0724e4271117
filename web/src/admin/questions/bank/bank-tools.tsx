import { DIFFICULTIES, QUESTION_TYPES } from '@invigil/core/domain/questions/question-definition';
import { TYPES } from '@invigil/core/domain/questions/types/question-types';
import { isolated } from '@invigil/core/domain/typed-text';
import { t } from '@invigil/core/texts/i18n';
import { SearchBox } from '../../../ui/fields/search-box.tsx';
import { SelectControl, type SelectOption } from '../../../ui/fields/select-field.tsx';
import { useCategoryOptions, useQuizOptions } from '../../data/assessments.ts';
import { type BankFilter, DIFFICULTY_NAMES, useTags } from '../../data/bank.ts';
import { Filters } from '../../list/filter-select.tsx';

export const difficultyOptions = () =>
  DIFFICULTIES.map((value) => ({ value, label: DIFFICULTY_NAMES[value]() }));
const typeOptions = () => QUESTION_TYPES.map((value) => ({ value, label: TYPES[value].name() }));
const USES = ['never', 'bank'] as const;

const stateOptions = (): SelectOption<BankFilter['state']>[] => [
  {
    value: 'active',
    label: t(/* questions: neither drafts nor archived */ 'bank.state.active', 'Active'),
  },
  { value: 'draft', label: t(/* questions that are not finished */ 'bank.state.drafts', 'Drafts') },
  { value: 'archived', label: t(/* questions */ 'bank.state.archived', 'Archived') },
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
          label={t('portal.searchQuestions', 'Search questions')}
          placeholder={t(
            /* placeholder: where the search looks */ 'portal.questionSearch',
            'Text, note or tag',
          )}
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
          [
            'tag',
            t(/* a filter */ 'bank.filter.tag', 'Tag'),
            t('bank.filter.allTags', 'All tags'),
            tags,
            'sm:min-w-40',
            filter.tag,
          ],
          [
            'type',
            t(/* a filter: the type of a question */ 'portal.type', 'Type'),
            t('bank.filter.allTypes', 'All types'),
            typeOptions(),
            'sm:min-w-44',
            filter.type,
          ],
          [
            'categoryId',
            t(/* a filter: the category of a question */ 'portal.category', 'Category'),
            t('bank.filter.allCategories', 'All categories'),
            categories,
            'sm:min-w-44',
            filter.categoryId,
          ],
          [
            'difficulty',
            t(/* a filter */ 'portal.difficulty', 'Difficulty'),
            t('bank.filter.anyDifficulty', 'Any difficulty'),
            difficultyOptions(),
            'sm:min-w-38',
          ],
        ]}
      >
        <SelectControl
          aria-label={t(/* a noun, a filter: where a question is used */ 'bank.use', 'Use')}
          className="w-full! sm:w-52!"
          options={[
            { value: 'use:', label: t('bank.use.any', 'Any use') },
            { value: 'use:never', label: t(/* questions */ 'bank.use.never', 'Never used') },
            {
              value: 'use:bank',
              label: t(/* the question belongs to no assessment */ 'portal.bankOnly', 'Bank only'),
            },
            ...withCurrent(
              quizzes.map(({ value, label }) => ({
                value,
                label: t('bank.use.usedIn', 'Used in {title}', { title: isolated(label) }),
              })),
              quizId,
              t('bank.use.otherAssessment', 'Used in another assessment'),
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
          aria-label={t(/* a filter: active, drafts or archived */ 'portal.state', 'State')}
          className="w-full! sm:w-32!"
          options={stateOptions()}
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
