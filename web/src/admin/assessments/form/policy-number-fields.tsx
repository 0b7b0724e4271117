import type { ReactNode } from 'react';
import { Controller, type UseFormReturn } from 'react-hook-form';
import { Checkbox } from '../../../ui/fields/checkbox.tsx';
import { SelectField } from '../../../ui/fields/select-field.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import type { PolicyFormValues } from './policy-form.ts';
import { NUMBER_RULES, type PolicyNumber } from './policy-numbers.ts';
import { numberSentence, requiredSentence, TAB_CHOICES } from './policy-sentences.ts';
import type { QuizFormValues } from './quiz-form.ts';

interface Parts {
  form: UseFormReturn<QuizFormValues>;
  values: PolicyFormValues;
}

const TAB_OPTIONS = (['dismiss', 'warn', 'record'] as const).map((value) => ({
  value,
  label: TAB_CHOICES[value].label,
}));

/** Every setting of the policy, in groups, with the effect of each value under it. */
export function PolicyNumberFields({ form, values }: Parts) {
  const number = (field: PolicyNumber) => (
    <NumberField key={field} form={form} values={values} field={field} />
  );
  return (
    <>
      <Group name="Required from candidates">
        <Checkbox
          label="Camera"
          hint={
            values.camera
              ? 'Needed on computers. Phones have no camera check.'
              : 'Not required. Faces are not checked.'
          }
          {...form.register('policy.camera')}
        />
        <Checkbox
          label="Camera required"
          hint={requiredSentence(values)}
          {...form.register('policy.cameraRequired')}
        />
        <Checkbox
          label="Microphone"
          hint={
            values.microphone ? 'Needed on every device.' : 'Not required. Sound is not checked.'
          }
          {...form.register('policy.microphone')}
        />
        <Checkbox
          label="Fullscreen"
          hint={
            values.fullscreen
              ? 'The assessment is covered outside fullscreen. iPhones do not support fullscreen.'
              : 'The assessment runs in a normal window.'
          }
          {...form.register('policy.fullscreen')}
        />
      </Group>
      <Group name="Allowed to candidates">
        <Checkbox
          label="Pen and paper"
          hint={
            values.mayUsePaper
              ? 'The instructions say that looking down to write is fine.'
              : 'The instructions do not mention paper.'
          }
          {...form.register('policy.mayUsePaper')}
        />
        <Checkbox
          label="Translation by the browser"
          hint={
            values.mayTranslate
              ? 'The browser may translate questions. A translation can change what a question asks.'
              : 'The browser is asked not to translate the pages of candidates.'
          }
          {...form.register('policy.mayTranslate')}
        />
      </Group>
      <Group
        name="Limits"
        note="Reaching a limit ends the attempt. Leave a limit empty to turn it off."
      >
        {(['combined', 'face', 'voice', 'exits'] as const).map(number)}
        <Checkbox
          label="Count face violations toward the combined limit"
          {...form.register('policy.addsFace')}
        />
        <Checkbox
          label="Count voice violations toward the combined limit"
          {...form.register('policy.addsVoice')}
        />
      </Group>
      <Group name="Another tab or app">
        <Controller
          control={form.control}
          name="policy.tabHidden"
          render={({ field }) => (
            <SelectField
              label="On a tab switch"
              options={TAB_OPTIONS}
              value={field.value}
              onChange={field.onChange}
              onBlur={field.onBlur}
              controlRef={field.ref}
              hint={TAB_CHOICES[values.tabHidden].words}
            />
          )}
        />
        {number('tabHiddenFor')}
      </Group>
      <Group name="Face">{(['faceAbsent', 'faceEvery'] as const).map(number)}</Group>
      <Group name="Voice and sound" note="Detected from speech or from loudness.">
        {(
          [
            'speechShare',
            'speechWindow',
            'loudAbove',
            'loudSamples',
            'soundEvery',
            'soundEveryIos',
            'voiceWarn',
            'redAbove',
          ] as const
        ).map(number)}
      </Group>
      <Group
        name="Evidence"
        note="Stills before and after each violation are always kept. Leave empty to keep no others."
      >
        {number('stillEvery')}
      </Group>
      <Group name="Timing">{(['cooldown', 'dismissDelay'] as const).map(number)}</Group>
    </>
  );
}

function Group({ name, note, children }: { name: string; note?: string; children: ReactNode }) {
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-2 font-semibold">{name}</legend>
      {note !== undefined && <p className="text-sm text-ink-3">{note}</p>}
      <div className="grid gap-x-4 gap-y-3.5 sm:grid-cols-2">{children}</div>
    </fieldset>
  );
}

function NumberField({ form, values, field }: Parts & { field: PolicyNumber }) {
  const rule = NUMBER_RULES[field];
  const label = 'unit' in rule ? `${rule.label} (${rule.unit})` : rule.label;
  return (
    <TextField
      label={label}
      inputMode={rule.whole ? 'numeric' : 'decimal'}
      autoComplete="off"
      maxLength={8}
      hint={numberSentence(field, values)}
      error={form.formState.errors.policy?.[field]?.message}
      {...form.register(`policy.${field}`)}
    />
  );
}
