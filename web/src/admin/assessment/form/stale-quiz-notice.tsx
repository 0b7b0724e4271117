import type { Quiz } from '@invigil/core/contract/assessments/quiz';
import { COUNTING } from '@invigil/core/domain/retakes';
import { t } from '@invigil/core/texts/i18n';
import { PRESET_NAMES, SWITCHES, TAB_CHOICES } from '@invigil/core/texts/policy-form';
import { countsLabel, countsText } from '@invigil/core/texts/retakes';
import { useCategories } from '../../data/assessments.ts';
import { startByText } from '../../parts/own-times.tsx';
import {
  differentFields,
  NUMBER_RULES,
  type PolicyField,
  type PolicyFormValues,
  presetOf,
} from '../../parts/policy-form.ts';
import { type Different, StaleNotice } from '../../parts/stale-notice.tsx';
import {
  FIELDS,
  type QuizField,
  type QuizFormValues,
  quizFormValuesOf,
  remindBeforeEndLabel,
  remindBeforeOpeningLabel,
  reminderText,
} from './quiz-form.ts';
import { lateLabel, startLabel, startText } from './start-together-fields.tsx';

const LABELS: Record<QuizField, () => string> = {
  title: () => t(/* of an assessment; a field */ 'portal.title', 'Title'),
  description: () => t(/* of an assessment; a field */ 'portal.description', 'Description'),
  categoryId: () => t(/* of an assessment; a field */ 'portal.category', 'Category'),
  duration: () => t(/* a field */ 'assessment.duration.label', 'Duration (minutes)'),
  totalQuestions: () => t(/* a field */ 'assessment.totalQuestions.label', 'Total Questions'),
  opensAt: () => t(/* when an assessment does; a field */ 'assessment.opens.label', 'Opens'),
  endDate: () => t(/* a field */ 'assessment.endDate.label', 'End Date'),
  startBy: startByText,
  startTogether: startLabel,
  lateMinutes: lateLabel,
  finishAfterEnd: () =>
    t(/* a setting: on or off */ 'assessment.finishAfterEnd.name', 'Finishing after the end date'),
  closingMail: () =>
    t(/* a setting: on or off */ 'assessment.closingMail.name', 'Confirmation email'),
  attempts: () =>
    t(/* the most of each candidate; a field */ 'assessment.attempts.label', 'Attempts per person'),
  wait: () =>
    t(/* the time between two attempts; a field */ 'assessment.wait.label', 'Wait before the next'),
  waitUnit: () => t(/* minutes, hours or days; a field */ 'assessment.waitUnit.label', 'Unit'),
  counts: countsLabel,
  remindBeforeOpening: remindBeforeOpeningLabel,
  remindBeforeEnd: remindBeforeEndLabel,
  languages: () =>
    t(/* a setting */ 'assessment.languages.name', 'Language of the candidate’s pages'),
  status: () => t(/* of an assessment: active or inactive; a field */ 'portal.status', 'Status'),
};

const onOrOff = (isOn: boolean) =>
  isOn
    ? t(/* a setting; after its name */ 'assessment.stale.on', 'on')
    : t(/* a setting; after its name */ 'assessment.stale.off', 'off');

export function StaleQuizNotice({
  theirs,
  typed,
  onTakeTheirs,
  onKeepMine,
}: {
  theirs: Quiz;
  typed: QuizFormValues;
  onTakeTheirs(): void;
  onKeepMine(): void;
}) {
  const categories = useCategories();
  const stored = quizFormValuesOf(theirs);
  const shown = (field: QuizField, value: string | boolean) => {
    if (typeof value === 'boolean') return onOrOff(value);
    if (field === 'status') {
      return value === 'active'
        ? t(/* an assessment that can be taken */ 'assessment.stale.active', 'active')
        : t(/* an assessment that is switched off */ 'assessment.stale.inactive', 'inactive');
    }
    const counts = COUNTING.find((one) => field === 'counts' && one === value);
    if (counts) return countsText(counts);
    if (field === 'remindBeforeOpening' || field === 'remindBeforeEnd') return reminderText(value);
    if (field === 'startTogether') return startText(value);
    if (field === 'categoryId') {
      return categories.data?.find((category) => category.id === value)?.name ?? '–';
    }
    return (/^(?:opensAt|endDate|startBy)$/.test(field) ? value.replace('T', ' ') : value) || '–';
  };
  const different = FIELDS.filter((field) => stored[field] !== typed[field]).map((field) => ({
    label: LABELS[field](),
    theirs: shown(field, stored[field]),
    yours: shown(field, typed[field]),
  }));
  const changes = [...different, ...policyChanges(stored.policy, typed.policy)];
  return <StaleNotice what="assessment" {...{ changes, onTakeTheirs, onKeepMine }} />;
}

export function policyChanges(theirs: PolicyFormValues, yours: PolicyFormValues): Different[] {
  const change = (label: string, shown: (values: PolicyFormValues) => string): Different => ({
    label,
    theirs: shown(theirs),
    yours: shown(yours),
  });
  const numbers = differentFields(theirs, yours).map((field) =>
    change(labelOf(field), (values) => shownAs(field, values)),
  );
  const preset = change(t('assessment.stale.policy', 'Violation policy'), (values) =>
    PRESET_NAMES[presetOf(values)](),
  );
  return preset.theirs === preset.yours ? numbers : [preset, ...numbers];
}

function labelOf(field: PolicyField): string {
  switch (field) {
    case 'addsFace':
      return t(
        /* a setting: on or off */ 'assessment.stale.countFace',
        'Face violations count toward the combined limit',
      );
    case 'addsVoice':
      return t(
        /* a setting: on or off */ 'assessment.stale.countVoice',
        'Voice violations count toward the combined limit',
      );
    case 'tabHidden':
      return t(/* a setting: what happens then */ 'assessment.stale.tabSwitch', 'A tab switch');
    default: {
      const { label } = { ...NUMBER_RULES, ...SWITCHES }[field];
      return typeof label === 'string' ? label : label();
    }
  }
}

function shownAs(field: PolicyField, values: PolicyFormValues): string {
  const value = values[field];
  if (typeof value === 'boolean') return onOrOff(value);
  if (field === 'tabHidden') return TAB_CHOICES[values.tabHidden].label();
  return value.trim() === ''
    ? t(/* in the place of a number that is not set */ 'assessment.stale.never', 'never')
    : value;
}
