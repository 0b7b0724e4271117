import {
  BALANCED_POLICY,
  REVIEW_POLICY,
  STRICT_POLICY,
} from '@invigil/core/domain/violations/violation-policy';
import { t } from '@invigil/core/texts/i18n';
import {
  PRESET_NAMES,
  PRESET_WORDS,
  presetFacts,
  rulesForAuthors,
  SWITCHES,
  switchHint,
  TAB_CHOICES,
} from '@invigil/core/texts/policy-form';
import { ChevronDown } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { Badge } from '../../../ui/badges/badge.tsx';
import { Checkbox } from '../../../ui/fields/checkbox.tsx';
import { Choice, ChoiceGroup, ChoiceRing } from '../../../ui/fields/choice-group.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { Trans } from '../../../ui/trans.tsx';
import { FormSelect } from '../../parts/dialogs.tsx';
import {
  formSummary,
  NUMBER_RULES,
  numberSentence,
  type PolicyFormValues,
  type PolicyNumber,
  presetFormOf,
  presetOf,
  settingsOf,
} from '../../parts/policy-form.ts';
import type { QuizFormValues } from './quiz-form.ts';

/** The presets as cards, each with the rules that the invitation and the instructions tell candidates. */
const CARDS = [
  ['strict', STRICT_POLICY],
  ['balanced', BALANCED_POLICY],
  ['review', REVIEW_POLICY],
] as const;

/** The rules that Strict and Balanced share, which are said once. */
function sharedRules(): string[] {
  const balanced = rulesForAuthors(BALANCED_POLICY);
  return rulesForAuthors(STRICT_POLICY).filter((rule) => balanced.includes(rule));
}
const sharedNoted = () => presetFacts(STRICT_POLICY).noted;

/** `Violation policy: Strict` */
export const policyTitle = (preset: PolicyFormValues['preset']): string =>
  t(/* policy: its name, “Strict” */ 'assessment.policy.title', 'Violation policy: {policy}', {
    policy: PRESET_NAMES[preset](),
  });

const PRESETS = ['strict', 'balanced', 'review', 'off', 'custom'] as const;

/**
 * The violation policy of an assessment: the presets side by side, and, when opened, every number with a
 * sentence about the effect of its value.
 */
export function PolicyEditor({ form }: { form: UseFormReturn<QuizFormValues> }) {
  const [opened, setOpened] = useState(false);
  const id = useId();
  const values = form.watch('policy');
  const { errors, submitCount } = form.formState;
  const hasProblem = errors.policy !== undefined;
  const open = opened || hasProblem;
  const box = useIntoProblem(hasProblem && Object.keys(errors).length === 1, submitCount);
  return (
    <section
      ref={box}
      aria-labelledby={`${id}-name`}
      className="@container grid gap-3 rounded-lg border border-line-2 p-4"
    >
      <h3 id={`${id}-name`}>{policyTitle(presetOf(values))}</h3>
      <PresetChoice form={form} values={values} />
      <p className="text-sm text-ink-2">
        <Trans
          id="assessment.policy.shared"
          comment="Strict, Balanced: names of policies. rules: whole sentences. noted: a row of signals that do not count, as a sentence"
          message="<lead>Strict and Balanced alike:</lead> {rules} Only noted: {noted}"
          values={{ rules: sharedRules().join(' '), noted: sharedNoted() }}
          components={{ lead: LEAD }}
        />
      </p>
      <p className="text-sm text-ink-2">{formSummary(values)}</p>
      <button
        type="button"
        aria-expanded={open}
        aria-controls={`${id}-body`}
        onClick={() => setOpened(!open)}
        className="-mx-2 -mb-2 flex min-h-11 items-center justify-between gap-3 rounded-md px-2 text-start font-medium hover:bg-hover"
      >
        {t(
          /* opens the fields of the numbers; a button */ 'assessment.policy.numbers',
          'Every number of this policy',
        )}
        <ChevronDown className={`size-4.5 flex-none text-ink-3 ${open ? 'rotate-180' : ''}`} />
      </button>
      <div id={`${id}-body`} hidden={!open} className="border-t border-line pt-4">
        {open && (
          <div className="grid gap-5">
            <PolicyNumberFields form={form} values={values} />
            <p className="text-sm text-ink-3">
              {t(
                'assessment.policy.underWay',
                'Attempts in progress keep the policy they started with.',
              )}
            </p>
          </div>
        )}
      </div>
    </section>
  );
}

const CHOICE =
  'group flex min-h-11 items-start gap-3 rounded-lg border border-line px-3 py-2.5 text-start hover:bg-hover data-[state=checked]:border-accent data-[state=checked]:bg-accent-soft';

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
      label={t(/* a policy to choose */ 'assessment.policy.preset', 'Preset')}
      values={PRESETS}
      value={preset}
      onSelect={selectPreset}
      className="grid gap-2 @min-[36rem]:grid-cols-6"
    >
      {CARDS.map(([name, settings]) => (
        <Choice key={name} value={name} className={`${CHOICE} @min-[36rem]:col-span-2`}>
          <ChoiceRing className="mt-0.5" />
          <span className="grid min-w-0 content-start gap-1.5 text-sm text-ink-2">
            <span className="flex flex-wrap items-center gap-x-2 text-base font-medium text-ink">
              {PRESET_NAMES[name]()}
              {name === 'balanced' && (
                <Badge tone="accent">
                  {t(/* a policy */ 'assessment.policy.recommended', 'Recommended')}
                </Badge>
              )}
            </span>
            <PresetFacts facts={presetFacts(settings)} rules={rulesForAuthors(settings)} />
          </span>
        </Choice>
      ))}
      {(['off', 'custom'] as const).map((name) => (
        <Choice key={name} value={name} className={`${CHOICE} @min-[36rem]:col-span-3`}>
          <ChoiceRing className="mt-0.5" />
          <span>
            <span className="block font-medium">{PRESET_NAMES[name]()}</span>
            <span className="block text-sm text-ink-2">{PRESET_WORDS[name]()}</span>
          </span>
        </Choice>
      ))}
    </ChoiceGroup>
  );
}

function PresetFacts({
  facts: { ends, noted },
  rules,
}: {
  facts: ReturnType<typeof presetFacts>;
  rules: readonly string[];
}) {
  const shared = sharedRules();
  return (
    <>
      <span>
        {ends === '' ? (
          <span className="font-medium text-ink">
            {t('assessment.policy.endsNothing', 'Nothing ends the attempt.')}
          </span>
        ) : (
          <Trans
            id="assessment.policy.ends"
            comment="limits: what ends the attempt, as a sentence"
            message="<lead>Ends the attempt:</lead> {limits}"
            values={{ limits: ends }}
            components={{ lead: LEAD }}
          />
        )}
      </span>
      {rules
        .filter((rule) => !shared.includes(rule))
        .map((rule) => (
          <span key={rule}>{rule}</span>
        ))}
      {noted !== sharedNoted() && (
        <span>
          <Trans
            id="assessment.policy.onlyNoted"
            comment="noted: a row of signals that do not count, as a sentence"
            message="<lead>Only noted:</lead> {noted}"
            values={{ noted }}
            components={{ lead: LEAD }}
          />
        </span>
      )}
    </>
  );
}

const LEAD = <span className="font-medium text-ink" />;

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

const tabOptions = () =>
  Object.entries(TAB_CHOICES).map(([value, { label }]) => ({ value, label: label() }));

function PolicyNumberFields({ form, values }: Parts) {
  const number = (field: PolicyNumber) => (
    <NumberField key={field} form={form} values={values} field={field} />
  );
  const toggle = (field: keyof typeof SWITCHES) => (
    <Checkbox
      key={field}
      label={SWITCHES[field].label()}
      hint={switchHint(settingsOf(values), field)}
      {...form.register(`policy.${field}`)}
    />
  );
  return (
    <>
      <Group name={t(/* a heading */ 'assessment.policy.required', 'Required from candidates')}>
        {(['camera', 'cameraRequired', 'microphone', 'fullscreen'] as const).map(toggle)}
      </Group>
      <Group name={t(/* a heading */ 'assessment.policy.allowed', 'Allowed to candidates')}>
        {(['mayUsePaper', 'mayTranslate'] as const).map(toggle)}
      </Group>
      <Group
        name={t(/* of violations; a heading */ 'assessment.policy.limits', 'Limits')}
        note={t(
          'assessment.policy.limitsHint',
          'Reaching a limit ends the attempt. Leave a limit empty to turn it off.',
        )}
      >
        {(['combined', 'face', 'voice', 'exits'] as const).map(number)}
        <Checkbox
          label={t(
            'assessment.policy.countFace',
            'Count face violations toward the combined limit',
          )}
          {...form.register('policy.addsFace')}
        />
        <Checkbox
          label={t(
            'assessment.policy.countVoice',
            'Count voice violations toward the combined limit',
          )}
          {...form.register('policy.addsVoice')}
        />
      </Group>
      <Group
        name={t(
          /* what candidates may leave for; a heading */ 'assessment.policy.otherTab',
          'Another tab or app',
        )}
      >
        <FormSelect
          form={form}
          name="policy.tabHidden"
          label={t(
            /* what happens then; a field */ 'assessment.policy.onTabSwitch',
            'On a tab switch',
          )}
          options={tabOptions()}
          hint={TAB_CHOICES[values.tabHidden].words()}
        />
        {number('tabHiddenFor')}
      </Group>
      <Group name={t(/* of the candidate; a heading */ 'assessment.policy.face', 'Face')}>
        {(['faceAbsent', 'faceEvery'] as const).map(number)}
      </Group>
      <Group
        name={t(/* a heading */ 'assessment.policy.voice', 'Voice and sound')}
        note={t(
          /* a voice */ 'assessment.policy.voiceHint',
          'Detected from speech or from loudness.',
        )}
      >
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
        name={t(
          /* photos and sound levels that are kept; a heading */ 'assessment.policy.evidence',
          'Evidence',
        )}
        note={t(
          /* stills: photos of the camera */ 'assessment.policy.evidenceHint',
          'Stills before and after each violation are always kept. Leave empty to keep no others.',
        )}
      >
        {number('stillEvery')}
      </Group>
      <Group name={t(/* of warnings and ends; a heading */ 'assessment.policy.timing', 'Timing')}>
        {(['cooldown', 'dismissDelay'] as const).map(number)}
      </Group>
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
  const label = 'unit' in rule ? `${rule.label()} (${rule.unit()})` : rule.label();
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
