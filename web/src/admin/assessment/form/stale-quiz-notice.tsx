import type { Quiz } from '@invigil/core/contract/assessments/quiz';
import { PRESET_NAMES, SWITCHES, TAB_CHOICES } from '@invigil/core/texts/policy-form';
import { useCategories } from '../../data/assessments.ts';
import {
  differentFields,
  NUMBER_RULES,
  type PolicyField,
  type PolicyFormValues,
  presetOf,
} from '../../parts/policy-form.ts';
import { type Different, StaleNotice } from '../../parts/stale-notice.tsx';
import { FIELDS, type QuizField, type QuizFormValues, quizFormValuesOf } from './quiz-form.ts';

const LABELS: Record<QuizField, string> = {
  title: 'Title',
  description: 'Description',
  categoryId: 'Category',
  duration: 'Duration (minutes)',
  totalQuestions: 'Total Questions',
  opensAt: 'Opens',
  endDate: 'End Date',
  finishAfterEnd: 'Finishing after the end date',
  closingMail: 'Confirmation email',
  languages: 'Language of the candidate’s pages',
  status: 'Status',
};

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
    if (typeof value === 'boolean') return value ? 'on' : 'off';
    if (field === 'categoryId') {
      return categories.data?.find((category) => category.id === value)?.name ?? '–';
    }
    return (/^(?:opensAt|endDate)$/.test(field) ? value.replace('T', ' ') : value) || '–';
  };
  const different = FIELDS.filter((field) => stored[field] !== typed[field]).map((field) => ({
    label: LABELS[field],
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
  const preset = change('Violation policy', (values) => PRESET_NAMES[presetOf(values)]());
  return preset.theirs === preset.yours ? numbers : [preset, ...numbers];
}

function labelOf(field: PolicyField): string {
  switch (field) {
    case 'addsFace':
      return 'Face violations count toward the combined limit';
    case 'addsVoice':
      return 'Voice violations count toward the combined limit';
    case 'tabHidden':
      return 'A tab switch';
    default: {
      const { label } = { ...NUMBER_RULES, ...SWITCHES }[field];
      return typeof label === 'string' ? label : label();
    }
  }
}

function shownAs(field: PolicyField, values: PolicyFormValues): string {
  const value = values[field];
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (field === 'tabHidden') return TAB_CHOICES[values.tabHidden].label();
  return value.trim() === '' ? 'never' : value;
}
