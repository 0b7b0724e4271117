import { QUIZ_LIMITS } from '@invigil/core/domain/limits';
import { t } from '@invigil/core/texts/i18n';
import { type UseFormReturn, useWatch } from 'react-hook-form';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { FormSelect, fieldIn } from '../../parts/dialogs.tsx';
import type { QuizFormValues } from './quiz-form.ts';

export const startLabel = () => t(/* of candidates; a setting */ 'assessment.start.label', 'Start');
export const lateLabel = () =>
  t(/* a field; of candidates who come late */ 'assessment.late.label', 'Late start (minutes)');

const STARTS: Record<QuizFormValues['startTogether'], () => string> = {
  each: () => t(/* a start */ 'assessment.start.each', 'Each when they like'),
  time: () => t(/* a start */ 'assessment.start.time', 'Everyone together, when it opens'),
  button: () =>
    t(
      /* a start: with a button */ 'assessment.start.button',
      'Everyone together, by an invigilator',
    ),
};

export const startText = (value: string): string =>
  Object.entries(STARTS).find(([name]) => name === value)?.[1]() ?? value;

/** Whether all start together, and how long those who are late can still start. */
export function StartTogetherFields({ form }: { form: UseFormReturn<QuizFormValues> }) {
  const value = useWatch({ control: form.control, name: 'startTogether' });
  const { lateMinMinutes: min, lateMaxMinutes: max } = QUIZ_LIMITS;
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <FormSelect
        form={form}
        name="startTogether"
        label={startLabel()}
        options={Object.entries(STARTS).map(([name, label]) => ({ value: name, label: label() }))}
        hint={
          value === 'time'
            ? t(
                'assessment.start.time.hint',
                'After the device check everyone waits. Groups with other times start at theirs.',
              )
            : value === 'button'
              ? t(
                  /* Live now: the page with that title */ 'assessment.start.button.hint',
                  'After the device check everyone waits. You start them under “Live now”.',
                )
              : null
        }
      />
      {value !== 'each' && (
        <TextField
          label={lateLabel()}
          type="number"
          inputMode="numeric"
          required
          min={min}
          max={max}
          step={1}
          hint={t(
            /* after: after the common start */ 'assessment.late.hint',
            'How long after it those who are late can start, with all of their time. {min} to {max}.',
            { min, max },
          )}
          {...fieldIn(form, 'lateMinutes')}
        />
      )}
    </div>
  );
}
