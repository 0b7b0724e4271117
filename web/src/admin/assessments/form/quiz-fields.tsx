import { QUIZ_LIMITS } from '@invigil/core/domain/limits';
import { Controller, type UseFormReturn } from 'react-hook-form';
import { zoneName } from '../../../lib/format.ts';
import { Checkbox } from '../../../ui/fields/checkbox.tsx';
import { SelectField } from '../../../ui/fields/select-field.tsx';
import { TextArea } from '../../../ui/fields/text-area.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { CategoryField } from './category-field.tsx';
import { PolicyEditor } from './policy-editor.tsx';
import type { QuizFormValues } from './quiz-form.ts';

const {
  durationMinMinutes,
  durationMaxMinutes,
  totalQuestionsMin,
  totalQuestionsMax,
  titleMaxCharacters,
} = QUIZ_LIMITS;

/** The fields that creating and editing share; `status` only when editing. */
export function QuizFields({
  form,
  withStatus = false,
}: {
  form: UseFormReturn<QuizFormValues>;
  withStatus?: boolean;
}) {
  const { errors } = form.formState;
  // The first invalid field in registration order gets the focus; a Controller registers late.
  for (const name of ['title', 'description', 'categoryId'] as const) form.register(name);
  return (
    <>
      <TextField
        label="Title"
        required
        maxLength={titleMaxCharacters}
        error={errors.title?.message}
        {...form.register('title')}
      />
      {withStatus && (
        <Controller
          control={form.control}
          name="status"
          render={({ field, fieldState }) => (
            <SelectField
              label="Status"
              options={[
                { value: 'active', label: 'Active' },
                { value: 'inactive', label: 'Inactive' },
              ]}
              value={field.value}
              onChange={field.onChange}
              onBlur={field.onBlur}
              controlRef={field.ref}
              hint="While inactive, no one can start or be invited. Attempts in progress keep their time."
              error={fieldState.error?.message}
            />
          )}
        />
      )}
      <TextArea
        label="Description"
        optional
        error={errors.description?.message}
        {...form.register('description')}
      />
      <CategoryField form={form} />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label="Duration (minutes)"
          type="number"
          inputMode="numeric"
          required
          min={durationMinMinutes}
          max={durationMaxMinutes}
          step={1}
          hint={`${durationMinMinutes} to ${durationMaxMinutes}`}
          error={errors.duration?.message}
          {...form.register('duration')}
        />
        <TextField
          label="Total Questions"
          type="number"
          inputMode="numeric"
          required
          min={totalQuestionsMin}
          max={totalQuestionsMax}
          step={1}
          hint={`${totalQuestionsMin} to ${totalQuestionsMax} for each candidate`}
          error={errors.totalQuestions?.message}
          {...form.register('totalQuestions')}
        />
      </div>
      <TextField
        label="End Date"
        type="datetime-local"
        required={!withStatus}
        optional={withStatus}
        hint={`Your local time, ${zoneName()}`}
        error={errors.endDate?.message}
        {...form.register('endDate')}
      />
      <Checkbox
        label="Let people who have started finish after the end date"
        hint="Otherwise late starters get less time. Attempts in progress keep their deadline."
        {...form.register('finishAfterEnd')}
      />
      <Checkbox
        label="Send a confirmation email"
        hint="“We have your answers”, with a signed receipt but no result."
        {...form.register('closingMail')}
      />
      <PolicyEditor form={form} />
    </>
  );
}
