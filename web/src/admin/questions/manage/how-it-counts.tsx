import type { Correction } from '@invigil/core/contract/assessments/questions';
import type { QuestionDefinition } from '@invigil/core/domain/questions/question-definition';
import { Content } from '../../../question-view/content.tsx';
import { Checkbox } from '../../../ui/fields/checkbox.tsx';
import { SelectField } from '../../../ui/fields/select-field.tsx';

const HINTS: Record<Correction['kind'], string> = {
  key: 'An answer earns what the current key gives it.',
  also_right: 'Each of these answers alone earns the full points.',
  full_points: 'Everyone who has the question earns its points, also with a blank answer.',
  left_out: 'It counts for no one, and results are out of the other questions.',
};

/** Selects what a rescoring goes by: the key, or a decision for everyone. */
export function HowItCounts({
  correction,
  definition,
  onChange,
}: {
  correction: Correction;
  definition: QuestionDefinition;
  onChange(correction: Correction): void;
}) {
  const { kind } = correction;
  const others = othersOf(definition);
  const accepted = kind === 'also_right' ? correction.options : [];
  const words: [Correction['kind'], string][] = [
    ['key', 'By its key'],
    ...(others.length > 0 || kind === 'also_right'
      ? [['also_right', 'Accept another answer'] as [Correction['kind'], string]]
      : []),
    ['full_points', 'Give the points to all'],
    ['left_out', 'Leave this question out'],
  ];
  return (
    <div className="grid gap-2">
      <SelectField
        label="How it counts"
        hint={HINTS[kind]}
        options={words.map(([value, label]) => ({ value, label }))}
        value={kind}
        onChange={(value) => {
          const next = words.find(([each]) => each === value)?.[0] ?? 'key';
          onChange(next === 'also_right' ? { kind: next, options: accepted } : { kind: next });
        }}
      />
      {kind === 'also_right' && (
        <fieldset className="grid gap-1.5">
          <legend className="sr-only">Answers to accept</legend>
          {others.map((text) => (
            <Checkbox
              key={text}
              label={<Content text={text} format={definition.format} inline />}
              checked={accepted.includes(text)}
              onChange={({ target }) =>
                onChange({
                  kind,
                  options: others.filter((other) =>
                    other === text ? target.checked : accepted.includes(other),
                  ),
                })
              }
            />
          ))}
        </fieldset>
      )}
    </div>
  );
}

/** The options that `also_right` may name: the wrong ones of an all-or-nothing question with one right. */
function othersOf({ rule, options }: Pick<QuestionDefinition, 'rule' | 'options'>): string[] {
  const wrong = options.filter((option) => !option.isCorrect);
  const isOne = rule === 'all_or_nothing' && wrong.length === options.length - 1;
  return isOne ? wrong.map((option) => option.text) : [];
}
