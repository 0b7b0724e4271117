import { CategoryBody } from '@invigil/core/contract/assessments/categories';
import type { Quiz } from '@invigil/core/contract/assessments/quiz';
import { getInstitution } from '@invigil/core/contract/installation/institution';
import { findNamesake } from '@invigil/core/domain/category-name';
import { QUIZ_LIMITS } from '@invigil/core/domain/limits';
import { listText } from '@invigil/core/domain/locale';
import { COUNTING } from '@invigil/core/domain/retakes';
import { t } from '@invigil/core/texts/i18n';
import { ENGLISH_ALONE, LANGUAGES, type Language } from '@invigil/core/texts/languages';
import { countsLabel, countsText } from '@invigil/core/texts/retakes';
import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { type KeyboardEvent, type Ref, type RefObject, useEffect, useState } from 'react';
import { Controller, type UseFormReturn, useController, useWatch } from 'react-hook-form';
import { zoneName } from '../../../lib/format.ts';
import { sentenceOf } from '../../../net/api.ts';
import { endpointQuery } from '../../../net/endpoint-query.ts';
import { statusText } from '../../../ui/badges/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Checkbox } from '../../../ui/fields/checkbox.tsx';
import { SelectField } from '../../../ui/fields/select-field.tsx';
import { TextArea } from '../../../ui/fields/text-area.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { toast } from '../../../ui/toast.ts';
import { useCategories, useCreateCategory } from '../../data/assessments.ts';
import { useMay } from '../../data/own-rights.ts';
import { showFailure } from '../../data/show-failure.ts';
import { FormSelect, fieldIn } from '../../parts/dialogs.tsx';
import { startByText } from '../../parts/own-times.tsx';
import { KeyReaders } from '../../parts/release-follows.tsx';
import { PolicyEditor } from './policy-editor.tsx';
import {
  isRepeated,
  NO_LANGUAGES,
  NO_REMINDER,
  opensLonger,
  type QuizFormValues,
  quizFormValuesOf,
  REMINDER_HOURS,
  remindBeforeEndLabel,
  remindBeforeOpeningLabel,
  reminderText,
} from './quiz-form.ts';
import { StartTogetherFields } from './start-together-fields.tsx';

const {
  durationMinMinutes,
  durationMaxMinutes,
  totalQuestionsMin,
  totalQuestionsMax,
  titleMaxCharacters,
  attemptsMax,
} = QUIZ_LIMITS;

/**
 * Creates the category whose name is typed and not created yet; null: there is none. `false`: it was refused, which
 * is said at its field.
 */
export type NewCategoryRef = RefObject<(() => Promise<boolean>) | null>;

export function QuizFields({
  form,
  quiz,
  newCategory,
}: {
  form: UseFormReturn<QuizFormValues>;
  /** Present if the form changes one. */
  quiz?: Quiz;
  newCategory: NewCategoryRef;
}) {
  const withStatus = quiz !== undefined;
  // They decide how many questions there are.
  const hasSections = quiz?.hasSections === true;
  // The first invalid field in registration order gets the focus; a Controller registers late.
  for (const name of ['title', 'description', 'categoryId'] as const) form.register(name);
  return (
    // Beside each other where both have room: what and when, and what is monitored.
    <div className="@container">
      <div className="grid items-start gap-x-6 gap-y-4 @min-[44rem]:grid-cols-2">
        <div className="grid gap-4">
          <TextField
            label={t(/* of an assessment; a field */ 'portal.title', 'Title')}
            required
            maxLength={titleMaxCharacters}
            {...fieldIn(form, 'title')}
          />
          {withStatus && (
            <FormSelect
              form={form}
              name="status"
              label={t(
                /* of an assessment: active or inactive; a field */ 'portal.status',
                'Status',
              )}
              options={[
                { value: 'active', label: statusText('active') },
                { value: 'inactive', label: statusText('inactive') },
              ]}
              hint={t(
                'assessment.status.hint',
                'While inactive, no one can start or be invited. Attempts in progress keep their time.',
              )}
            />
          )}
          <TextArea
            label={t(/* of an assessment; a field */ 'portal.description', 'Description')}
            optional
            {...fieldIn(form, 'description')}
          />
          <CategoryField form={form} newCategory={newCategory} />
          <div className="grid gap-4 sm:grid-cols-2">
            <TextField
              label={t(/* a field */ 'assessment.duration.label', 'Duration (minutes)')}
              type="number"
              inputMode="numeric"
              required
              min={durationMinMinutes}
              max={durationMaxMinutes}
              step={1}
              hint={t(
                /* minutes that are possible */ 'assessment.duration.hint',
                '{min} to {max}',
                {
                  min: durationMinMinutes,
                  max: durationMaxMinutes,
                },
              )}
              {...fieldIn(form, 'duration')}
            />
            <TextField
              label={t(/* a field */ 'assessment.totalQuestions.label', 'Total Questions')}
              type="number"
              inputMode="numeric"
              required
              min={totalQuestionsMin}
              max={totalQuestionsMax}
              step={1}
              readOnly={hasSections}
              hint={
                hasSections
                  ? t(
                      /* how many questions; its: of the assessment */ 'assessment.totalQuestions.sections',
                      'Its sections decide',
                    )
                  : t(
                      /* questions */ 'assessment.totalQuestions.hint',
                      '{min} to {max} for each candidate',
                      {
                        min: totalQuestionsMin,
                        max: totalQuestionsMax,
                      },
                    )
              }
              {...fieldIn(form, 'totalQuestions')}
            />
          </div>
          <div className="grid gap-4 sm:grid-cols-2">
            <TextField
              label={t(/* when an assessment does; a field */ 'assessment.opens.label', 'Opens')}
              type="datetime-local"
              optional
              hint={t(
                /* it: this time */ 'assessment.opens.hint',
                'Before it no one can start. Empty: open at once.',
              )}
              {...fieldIn(form, 'opensAt')}
            />
            <TextField
              label={t(/* a field */ 'assessment.endDate.label', 'End Date')}
              type="datetime-local"
              required={!withStatus}
              optional={withStatus}
              hint={t(
                /* zone: “Europe/London” */ 'assessment.endDate.hint',
                'Your local time, {zone}',
                {
                  zone: zoneName(),
                },
              )}
              {...fieldIn(form, 'endDate')}
            />
          </div>
          <TextField
            label={startByText()}
            type="datetime-local"
            optional
            hint={t(
              /* of the latest time to start an assessment */ 'assessment.startBy.hint',
              'After it no one can start; those who have started go on until the end. Empty: until the end date.',
            )}
            {...fieldIn(form, 'startBy')}
          />
          {quiz !== undefined && <LongerOpen form={form} quiz={quiz} />}
          <StartTogetherFields form={form} />
          <Checkbox
            label={t(
              'assessment.finishAfterEnd.label',
              'Let people who have started finish after the end date',
            )}
            hint={t(
              'assessment.finishAfterEnd.hint',
              'Otherwise late starters get less time. Attempts in progress keep their deadline.',
            )}
            {...form.register('finishAfterEnd')}
          />
          <Checkbox
            label={t('assessment.closingMail.label', 'Send a confirmation email')}
            hint={t(
              /* “We have your answers”: the subject of the email */ 'assessment.closingMail.hint',
              '“We have your answers”, with a signed receipt but no result.',
            )}
            {...form.register('closingMail')}
          />
          <RetakeFields form={form} isSet={quiz?.retakes !== undefined} />
          <RemindersFields form={form} />
          <LanguagesField form={form} stored={quiz?.languages} />
        </div>
        <PolicyEditor form={form} />
      </div>
    </div>
  );
}

/**
 * How often each person may take it. The rest of the rule is not there while that is once only.
 *
 * @param isSet there is a rule, on which those for groups rest
 */
function RetakeFields({ form, isSet }: { form: UseFormReturn<QuizFormValues>; isSet: boolean }) {
  const attempts = useWatch({ control: form.control, name: 'attempts' });
  const hasRule = isSet || isRepeated({ attempts });
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <TextField
        label={t(
          /* the most of each candidate; a field */ 'assessment.attempts.label',
          'Attempts per person',
        )}
        type="number"
        inputMode="numeric"
        min={1}
        max={attemptsMax}
        required
        hint={t(
          /* the number 1 in the field */ 'assessment.attempts.hint',
          '1: each person can take it only once.',
        )}
        {...fieldIn(form, 'attempts')}
      />
      {hasRule && (
        <>
          <FormSelect
            form={form}
            name="counts"
            label={countsLabel()}
            options={COUNTING.map((value) => ({ value, label: countsText(value) }))}
            hint={t(
              /* which attempt counts */ 'assessment.counts.hint',
              'Stays as it is once someone has taken it again.',
            )}
          />
          <TextField
            label={t(
              /* the time between two attempts; a field */ 'assessment.wait.label',
              'Wait before the next',
            )}
            type="number"
            inputMode="numeric"
            min={0}
            optional
            {...fieldIn(form, 'wait')}
          />
          <FormSelect
            form={form}
            name="waitUnit"
            label={t(/* minutes, hours or days; a field */ 'assessment.waitUnit.label', 'Unit')}
            options={[
              { value: 'minutes', label: t(/* a unit */ 'assessment.waitUnit.minutes', 'minutes') },
              { value: 'hours', label: t(/* a unit */ 'assessment.waitUnit.hours', 'hours') },
              { value: 'days', label: t(/* a unit */ 'assessment.waitUnit.days', 'days') },
            ]}
          />
        </>
      )}
    </div>
  );
}

/** Emails before the opening and the end; hours that were set by a program can be selected too. */
function RemindersFields({ form }: { form: UseFormReturn<QuizFormValues> }) {
  const optionsOf = (value: string) =>
    [...new Set([NO_REMINDER, ...REMINDER_HOURS, value])].map((one) => ({
      value: one,
      label: reminderText(one),
    }));
  const [opening, end] = useWatch({
    control: form.control,
    name: ['remindBeforeOpening', 'remindBeforeEnd'],
  });
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <FormSelect
        form={form}
        name="remindBeforeOpening"
        label={remindBeforeOpeningLabel()}
        options={optionsOf(opening)}
        hint={t(
          /* of a reminder: an email */ 'assessment.reminder.opening.hint',
          'An email to each person who is invited, by their own times.',
        )}
      />
      <FormSelect
        form={form}
        name="remindBeforeEnd"
        label={remindBeforeEndLabel()}
        options={optionsOf(end)}
        hint={t(
          /* of a reminder: an email */ 'assessment.reminder.end.hint',
          'An email to those who have not started.',
        )}
      />
    </div>
  );
}

/** Not there while the institution offers English only. */
function LanguagesField({
  form,
  stored,
}: {
  form: UseFormReturn<QuizFormValues>;
  stored: Language[] | undefined;
}) {
  const { field } = useController({ control: form.control, name: 'languages' });
  const { data: institution } = useQuery(endpointQuery(getInstitution, {}));
  const offered = institution?.languages ?? ENGLISH_ALONE;
  if (offered.length === 1 && stored === undefined) return null;
  const [first = 'en'] = offered;
  const names = (tags: readonly Language[]) => listText(tags.map((tag) => LANGUAGES[tag]));
  const values = [
    ...offered.map((tag) => [tag]),
    ...(offered.length > 1 ? [offered] : []),
    ...(stored === undefined ? [] : [stored]),
  ];
  const options = new Map([
    [
      stored === undefined ? '' : NO_LANGUAGES,
      t(
        /* the language that the institution has set */ 'assessment.languages.institution',
        'The institution’s: {language}',
        {
          language: LANGUAGES[first],
        },
      ),
    ],
    ...values.map(
      (tags) =>
        [
          tags.join(' '),
          tags.length === 1
            ? names(tags)
            : t(
                /* among languages */ 'assessment.languages.choice',
                'Each candidate chooses: {languages}',
                {
                  languages: names(tags),
                },
              ),
        ] as const,
    ),
  ]);
  return (
    <SelectField
      label={t('assessment.languages.label', 'Language of the candidate’s pages and emails')}
      hint={t(
        'assessment.languages.hint',
        'Questions stay as they are written. Candidates can always change to English.',
      )}
      value={field.value}
      onChange={field.onChange}
      onBlur={field.onBlur}
      options={[...options].map(([value, label]) => ({ value, label }))}
    />
  );
}

/** Says, before starts are possible for longer, who could learn right answers from others. */
function LongerOpen({ form, quiz }: { form: UseFormReturn<QuizFormValues>; quiz: Quiz }) {
  const [status, endDate] = useWatch({ control: form.control, name: ['status', 'endDate'] });
  if (!opensLonger(quizFormValuesOf(quiz), { status, endDate })) return null;
  return (
    <KeyReaders quizId={quiz.id}>
      {t(
        /* them: right answers */ 'assessment.longerOpen',
        'Whoever starts then could learn them from others, or know them.',
      )}
    </KeyReaders>
  );
}

function CategoryField({
  form,
  newCategory,
}: {
  form: UseFormReturn<QuizFormValues>;
  newCategory: NewCategoryRef;
}) {
  const categories = useCategories();
  const [adding, setAdding] = useState(false);
  const may = useMay();
  const stored = form.formState.defaultValues?.categoryId;
  // A move out of what is theirs would be refused; the category it has stays.
  const options = (categories.data ?? [])
    .filter(({ id }) => id === stored || may('quizzes.edit', { categoryId: id }))
    .map(({ id, name }) => ({ value: id, label: name }));
  const hint =
    categories.isError && categories.data === undefined
      ? t(
          'assessment.category.failed',
          'The categories could not be loaded. Close this and try again.',
        )
      : null;
  const select = (id: string) =>
    form.setValue('categoryId', id, { shouldDirty: true, shouldValidate: true });
  if (categories.data?.length === 0) {
    return (
      <Controller
        control={form.control}
        name="categoryId"
        render={({ field, fieldState }) => (
          <NewCategory
            isFirst
            createRef={newCategory}
            inputRef={field.ref}
            isMissing={fieldState.invalid}
            onDone={(id) => id !== null && select(id)}
          />
        )}
      />
    );
  }
  return (
    <div className="grid gap-2">
      <FormSelect
        form={form}
        name="categoryId"
        label={t(/* of an assessment; a field */ 'portal.category', 'Category')}
        options={options}
        placeholder={
          categories.isPending
            ? t('assessment.category.loading', 'Loading categories...')
            : t('assessment.category.select', 'Select a category')
        }
        hint={hint}
      />
      {adding ? (
        <NewCategory
          createRef={newCategory}
          onDone={(id) => {
            setAdding(false);
            if (id !== null) select(id);
          }}
        />
      ) : (
        categories.data !== undefined &&
        may('categories.edit') && (
          <Button
            variant="ghost"
            size="dense"
            className="-ms-3 justify-self-start"
            icon={<Plus />}
            onClick={() => setAdding(true)}
          >
            {t(/* a button */ 'assessment.category.new', 'New category')}
          </Button>
        )
      )}
    </div>
  );
}

/** Not a form, because it is inside the assessment's form: Enter creates the category. */
function NewCategory({
  createRef,
  isFirst = false,
  inputRef,
  isMissing = false,
  onDone,
}: {
  createRef: NewCategoryRef;
  /** There are no categories yet: replaces the list. */
  isFirst?: boolean;
  /** The form was submitted without a category. */
  isMissing?: boolean;
  inputRef?: Ref<HTMLInputElement>;
  onDone(id: string | null): void;
}) {
  const categories = useCategories();
  const create = useCreateCategory();
  const [name, setName] = useState('');
  const [problem, setProblem] = useState<string | null>(null);

  const add = async () => {
    const parsed = CategoryBody.shape.name.safeParse(name);
    if (!parsed.success) {
      setProblem(parsed.error.issues[0]?.message ?? t('field.name', 'Enter a name'));
      return false;
    }
    const namesake = findNamesake(categories.data ?? [], parsed.data);
    if (namesake !== undefined) {
      toast({
        title: t('assessment.category.exists', 'This category already exists'),
        description: namesake.name,
      });
      onDone(namesake.id);
      return true;
    }
    try {
      onDone((await create.mutateAsync({ name: parsed.data })).id);
      return true;
    } catch (error) {
      setProblem(sentenceOf(error));
      showFailure(t('assessment.category.createFailed', 'Failed to create category'), error);
      return false;
    }
  };
  useEffect(() => {
    createRef.current = name.trim() === '' ? null : add;
    return () => {
      createRef.current = null;
    };
  });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    if (!create.isPending) void add();
  };
  return (
    <div className="grid gap-3 rounded-lg bg-sunken px-4 py-3.5">
      <TextField
        label={
          isFirst
            ? t(/* of an assessment; a field */ 'portal.category', 'Category')
            : t('assessment.category.name', 'New category name')
        }
        hint={
          isFirst
            ? t('assessment.category.first', 'There are no categories yet. Name the first one.')
            : undefined
        }
        required
        autoFocus={!isFirst}
        autoComplete="off"
        error={
          problem ??
          (isMissing
            ? name === ''
              ? t('field.name', 'Enter a name')
              : t('assessment.category.createFirst', 'Create this category first')
            : undefined)
        }
        ref={inputRef}
        value={name}
        onChange={(event) => {
          setName(event.target.value);
          setProblem(null);
        }}
        onKeyDown={onKeyDown}
      />
      <div className="flex flex-wrap justify-end gap-2">
        {!isFirst && (
          <Button size="dense" onClick={() => onDone(null)}>
            {t(/* a button: no new category */ 'ui.cancel', 'Cancel')}
          </Button>
        )}
        <Button
          size="dense"
          busy={
            create.isPending && t(/* a category; on the button */ 'portal.creating', 'Creating…')
          }
          onClick={() => void add()}
        >
          {t(/* a button */ 'assessment.category.create', 'Create category')}
        </Button>
      </div>
    </div>
  );
}
