import {
  hasOptions,
  type QuestionDefinition,
  SCORING_RULES,
} from '@invigil/core/domain/questions/question-definition';
import { SCORING_RULE_NAMES } from '../../../../lib/question-labels.ts';
import { Card } from '../../../../ui/card.tsx';
import { SelectField } from '../../../../ui/fields/select-field.tsx';
import { TextField } from '../../../../ui/fields/text-field.tsx';
import { ruleSentence, workedExample } from '../preview/trial.ts';
import type { PartProps } from '../state/use-editing.ts';

/** Points, how an answer becomes points with an example, and how many options may be selected. */
export function ScoringPart({
  values,
  change,
  problemAt,
  definition,
}: PartProps & { definition: QuestionDefinition }) {
  const { type, rule } = values;
  const rules = SCORING_RULES.filter(
    (one) => hasOptions(type) || one === 'all_or_nothing' || one === 'weights',
  );
  const example = workedExample(definition);
  const selection = (field: 'minSelections' | 'maxSelections', label: string, hint: string) => (
    <TextField
      label={label}
      optional
      hint={hint}
      name={field}
      inputMode="numeric"
      error={field === 'maxSelections' ? problemAt('maxSelections') : undefined}
      value={values[field]}
      onChange={(event) => change({ [field]: event.target.value }, field)}
    />
  );
  return (
    <Card title="Scoring">
      <div className="grid gap-4 p-5">
        <div className="grid gap-4 sm:grid-cols-[8rem_minmax(0,1fr)]">
          <TextField
            label="Points"
            name="points"
            inputMode="decimal"
            error={problemAt('points')}
            value={values.points}
            onChange={(event) => change({ points: event.target.value }, 'points')}
          />
          <SelectField
            label="Scoring rule"
            options={rules.map((value) => ({ value, label: SCORING_RULE_NAMES[value] }))}
            value={rule}
            error={problemAt('rule')}
            onChange={(value) => {
              const next = SCORING_RULES.find((known) => known === value);
              if (next !== undefined) change(withRule(values, next));
            }}
          />
        </div>
        <div className="rounded-lg bg-sunken px-3.5 py-2.5">
          <p className="text-ink-2">{ruleSentence(definition)}</p>
          <p className="mt-0.5 tabular-nums">
            {example === null
              ? 'Mark the correct answer to see an example.'
              : `Example: ${example}`}
          </p>
        </div>
        {type === 'multiple_response' && (
          <div className="grid gap-4 sm:grid-cols-2">
            {selection('minSelections', 'Select at least', 'Leave empty for 1.')}
            {selection('maxSelections', 'Select at most', 'Leave empty for no limit.')}
          </div>
        )}
      </div>
    </Card>
  );
}

/** Weights start from the key, and the key from the weights: nothing has to be marked twice. */
function withRule(
  values: PartProps['values'],
  rule: PartProps['values']['rule'],
): Partial<PartProps['values']> {
  const { options, numeric, shortText } = values;
  if (rule === 'weights' && values.rule !== 'weights') {
    const right = options.filter((option) => option.isCorrect).length;
    const share = values.type === 'multiple_response' && right > 1 ? shareOf(right) : '100';
    const full = <T extends { weight: string }>(row: T) => ({
      ...row,
      weight: row.weight || '100',
    });
    return {
      rule,
      options: options.map((option) => ({ ...option, weight: option.isCorrect ? share : '0' })),
      numeric: { ...numeric, accepted: numeric.accepted.map(full) },
      shortText: { ...shortText, accepted: shortText.accepted.map(full) },
    };
  }
  if (rule === 'weights' || values.rule !== 'weights') return { rule };
  const isEarning = ({ weight }: { weight: string }) => Number(weight.replace(',', '.')) > 0;
  return { rule, options: options.map((option) => ({ ...option, isCorrect: isEarning(option) })) };
}

/** 33.33333: five decimals are the most. */
const shareOf = (parts: number) => String(Math.floor(1e7 / parts) / 1e5);
