import { differentFields, type PolicyField, type PolicyFormValues } from './policy-form.ts';
import { NUMBER_RULES } from './policy-numbers.ts';
import { presetName, TAB_CHOICES } from './policy-sentences.ts';

export interface PolicyChange {
  label: string;
  theirs: string;
  yours: string;
}

/** Describes the differences between two versions of a policy, the preset first. */
export function policyChanges(theirs: PolicyFormValues, yours: PolicyFormValues): PolicyChange[] {
  const change = (label: string, shown: (values: PolicyFormValues) => string): PolicyChange => ({
    label,
    theirs: shown(theirs),
    yours: shown(yours),
  });
  const numbers = differentFields(theirs, yours).map((field) =>
    change(labelOf(field), (values) => shownAs(field, values)),
  );
  const preset = change('Violation policy', presetName);
  return preset.theirs === preset.yours ? numbers : [preset, ...numbers];
}

function labelOf(field: PolicyField): string {
  switch (field) {
    case 'preset':
      return 'Violation policy';
    case 'camera':
      return 'Camera';
    case 'cameraRequired':
      return 'Camera required';
    case 'microphone':
      return 'Microphone';
    case 'fullscreen':
      return 'Fullscreen';
    case 'mayTranslate':
      return 'Translation by the browser';
    case 'mayUsePaper':
      return 'Pen and paper';
    case 'addsFace':
      return 'Face violations count toward the combined limit';
    case 'addsVoice':
      return 'Voice violations count toward the combined limit';
    case 'tabHidden':
      return 'A tab switch';
    default:
      return NUMBER_RULES[field].label;
  }
}

function shownAs(field: PolicyField, values: PolicyFormValues): string {
  const value = values[field];
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (field === 'tabHidden') return TAB_CHOICES[values.tabHidden].label;
  if (field === 'preset') return presetName(values);
  return value.trim() === '' ? 'never' : value;
}
