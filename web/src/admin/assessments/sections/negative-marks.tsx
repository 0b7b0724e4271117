import { SCORING_RULE_NAMES } from '../../../lib/question-words.ts';
import { Card } from '../../../ui/card.tsx';
import { Checkbox } from '../../../ui/fields/checkbox.tsx';
import { SelectField } from '../../../ui/fields/select-field.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { exampleOf, type NegativeDraft, negativeOf } from './negative-draft.ts';

/** What wrong answers cost. */
export function NegativeMarksCard({
  draft,
  onChange,
}: {
  draft: NegativeDraft;
  onChange(next: NegativeDraft): void;
}) {
  const read = negativeOf(draft);
  return (
    <Card title="Scoring">
      <div className="grid gap-4 p-5">
        <Checkbox
          label="Take points off for wrong answers"
          hint="A question without an answer never costs anything."
          checked={draft.isOn}
          onChange={(event) => onChange({ ...draft, isOn: event.target.checked })}
        />
        {draft.isOn && (
          <div className="grid max-w-160 gap-4 sm:grid-cols-2">
            <TextField
              label="Percent of the question’s points"
              inputMode="decimal"
              value={draft.percent}
              error={'problem' in read ? read.problem : undefined}
              onChange={(event) => onChange({ ...draft, percent: event.target.value })}
            />
            <SelectField
              label="Never below zero"
              options={[
                { value: 'total', label: 'The total' },
                { value: 'question', label: 'Each question' },
              ]}
              value={draft.floor}
              onChange={(value) =>
                onChange({ ...draft, floor: value === 'question' ? 'question' : 'total' })
              }
            />
            {'marks' in read && read.marks !== null && (
              <p className="text-sm text-ink-2 sm:col-span-2">{exampleOf(read.marks)}</p>
            )}
            <p className="text-sm text-ink-2 sm:col-span-2">
              {`Under “${SCORING_RULE_NAMES.right_minus_wrong}” a wrong selection is then charged twice: it is subtracted from the right ones, and it takes points off.`}
            </p>
          </div>
        )}
      </div>
    </Card>
  );
}
