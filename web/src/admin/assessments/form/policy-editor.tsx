import { ruleSentences } from '@invigil/core/domain/violations/rule-sentences';
import {
  BALANCED_POLICY,
  OFF_POLICY,
  REVIEW_POLICY,
  STRICT_POLICY,
} from '@invigil/core/domain/violations/violation-policy';
import { ChevronDown } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { Choice, ChoiceGroup } from '../../../ui/fields/choice-group.tsx';
import { scrollIntoView } from '../../../ui/scroll-into-view.ts';
import { type PolicyFormValues, presetFormOf, presetOf } from './policy-form.ts';
import { PolicyNumberFields } from './policy-number-fields.tsx';
import { PRESET_NAMES, PRESET_WORDS, policySummary } from './policy-sentences.ts';
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

/** Selecting a preset fills in the numbers; Custom restores those last typed. */
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

/** What the presets tell candidates, side by side. */
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
