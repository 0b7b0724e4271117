import { ruleSentences } from '@invigil/core/domain/violations/rule-sentences';
import {
  BALANCED_POLICY,
  OFF_POLICY,
  REVIEW_POLICY,
  STRICT_POLICY,
} from '@invigil/core/domain/violations/violation-policy';
import { ChevronDown } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { Controller, type UseFormReturn } from 'react-hook-form';
import { Checkbox } from '../../../ui/fields/checkbox.tsx';
import { Choice, ChoiceGroup } from '../../../ui/fields/choice-group.tsx';
import { SelectField } from '../../../ui/fields/select-field.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { scrollIntoView } from '../../../ui/scroll-into-view.ts';
import {
  NUMBER_RULES,
  type PolicyFormValues,
  type PolicyNumber,
  presetFormOf,
  presetOf,
} from './policy-form.ts';
import {
  numberSentence,
  PRESET_NAMES,
  PRESET_WORDS,
  policySummary,
  SWITCHES,
  TAB_CHOICES,
} from './policy-sentences.ts';
import type { QuizFormValues } from './quiz-form.ts';

const COMPARED = [
  ['strict', STRICT_POLICY],
  ['balanced', BALANCED_POLICY],
  ['review', REVIEW_POLICY],
  ['off', OFF_POLICY],
] as const;

const PRESETS = ['strict', 'balanced', 'review', 'off', 'custom'] as const;

/**
 * The violation policy of an assessment. Collapsed: one line and a summary; expanded: the presets and
 * every number with a sentence about the effect of its value.
 */
export function PolicyEditor({ form }: { form: UseFormReturn<QuizFormValues> }) {
  const [opened, setOpened] = useState(false);
  const id = useId();
  const values = form.watch('policy');
  const { errors, submitCount } = form.formState;
  const hasProblem = errors.policy !== undefined;
  const open = opened || hasProblem;
  const box = useIntoProblem(hasProblem && Object.keys(errors).length === 1, submitCount);
  // Scroll into view: it may open at the lower edge of the dialog.
  useEffect(() => {
    if (opened) scrollIntoView(box.current);
  }, [opened, box]);
  return (
    <section
      ref={box}
      aria-labelledby={`${id}-name`}
      className="scroll-mt-2 rounded-lg border border-line-2"
    >
      <h3 id={`${id}-name`}>
        <button
          type="button"
          aria-expanded={open}
          aria-controls={`${id}-body`}
          onClick={() => setOpened(!open)}
          className="flex min-h-11 w-full items-center justify-between gap-3 rounded-lg px-4 py-2 text-left text-base font-medium hover:bg-hover"
        >
          <span>{`Violation policy: ${PRESET_NAMES[presetOf(values)]}`}</span>
          <ChevronDown className={`size-4.5 flex-none text-ink-3 ${open ? 'rotate-180' : ''}`} />
        </button>
      </h3>
      <p className="px-4 pb-3 text-sm text-ink-2">{policySummary(values)}</p>
      <div id={`${id}-body`} hidden={!open} className="border-t border-line px-4 py-4">
        {open && (
          <div className="grid gap-5">
            <PresetChoice form={form} values={values} />
            <PresetComparison />
            <PolicyNumberFields form={form} values={values} />
            <p className="text-sm text-ink-3">
              Attempts in progress keep the policy they started with.
            </p>
          </div>
        )}
      </div>
    </section>
  );
}

function PresetChoice({
  form,
  values,
}: {
  form: UseFormReturn<QuizFormValues>;
  values: PolicyFormValues;
}) {
  const preset = presetOf(values);
  const own = useRef<PolicyFormValues | null>(null);
  const selectPreset = (name: string) => {
    const selected = PRESETS.find((one) => one === name);
    if (selected === undefined || selected === preset) return;
    if (preset === 'custom') own.current = values;
    const next: PolicyFormValues =
      selected === 'custom'
        ? { ...(own.current ?? values), preset: 'custom' }
        : presetFormOf(selected, values);
    form.setValue('policy', next, { shouldDirty: true });
    form.clearErrors('policy');
  };
  return (
    <ChoiceGroup
      label="Preset"
      values={PRESETS}
      value={preset}
      onSelect={selectPreset}
      className="grid gap-2"
    >
      {PRESETS.map((name) => (
        <Choice
          key={name}
          value={name}
          className="group flex min-h-11 items-start gap-3 rounded-lg border border-line px-3 py-2.5 text-left hover:bg-hover data-[state=checked]:border-accent data-[state=checked]:bg-accent-soft"
        >
          <span
            aria-hidden="true"
            data-shape=""
            className="mt-0.5 grid size-4.5 flex-none place-items-center rounded-full border-[1.5px] border-line-strong bg-surface group-data-[state=checked]:border-accent"
          >
            <span className="size-2.25 rounded-full group-data-[state=checked]:bg-accent" />
          </span>
          <span>
            <span className="block font-medium">{PRESET_NAMES[name]}</span>
            <span className="block text-sm text-ink-2">{PRESET_WORDS[name]}</span>
          </span>
        </Choice>
      ))}
    </ChoiceGroup>
  );
}

function PresetComparison() {
  return (
    <details className="rounded-lg border border-line px-3 py-2">
      <summary className="cursor-pointer font-medium">Compare what candidates are told</summary>
      <div className="mt-2 grid gap-3 md:grid-cols-2">
        {COMPARED.map(([name, settings]) => {
          const rules = ruleSentences(settings);
          return (
            <section key={name} aria-label={PRESET_NAMES[name]} className="text-sm text-ink-2">
              <h4 className="font-medium text-ink">{PRESET_NAMES[name]}</h4>
              {rules.length === 0 ? (
                <p>Nothing ends the assessment automatically.</p>
              ) : (
                <ul className="list-disc pl-4">
                  {rules.map((rule) => (
                    <li key={rule}>{rule}</li>
                  ))}
                </ul>
              )}
            </section>
          );
        })}
      </div>
    </details>
  );
}

/**
 * Focuses the first invalid number if no other field is invalid: the form cannot focus a field in an
 * editor that was collapsed on submit.
 */
function useIntoProblem(onlyHere: boolean, submitCount: number) {
  const box = useRef<HTMLElement>(null);
  const led = useRef(0);
  useEffect(() => {
    if (!onlyHere || led.current === submitCount) return;
    led.current = submitCount;
    box.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [onlyHere, submitCount]);
  return box;
}

interface Parts {
  form: UseFormReturn<QuizFormValues>;
  values: PolicyFormValues;
}

const TAB_OPTIONS = (['dismiss', 'warn', 'record'] as const).map((value) => ({
  value,
  label: TAB_CHOICES[value].label,
}));

function PolicyNumberFields({ form, values }: Parts) {
  const number = (field: PolicyNumber) => (
    <NumberField key={field} form={form} values={values} field={field} />
  );
  const toggle = (field: keyof typeof SWITCHES) => (
    <Checkbox
      key={field}
      label={SWITCHES[field].label}
      hint={SWITCHES[field].hint(values)}
      {...form.register(`policy.${field}`)}
    />
  );
  return (
    <>
      <Group name="Required from candidates">
        {(['camera', 'cameraRequired', 'microphone', 'fullscreen'] as const).map(toggle)}
      </Group>
      <Group name="Allowed to candidates">
        {(['mayUsePaper', 'mayTranslate'] as const).map(toggle)}
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
