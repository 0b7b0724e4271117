import { Plus } from 'lucide-react';
import { Button } from '../../../../ui/button.tsx';
import { Card } from '../../../../ui/card.tsx';
import { Checkbox } from '../../../../ui/fields/checkbox.tsx';
import { FieldNote } from '../../../../ui/fields/field.tsx';
import type { QuestionValues } from '../state/question-values.ts';
import type { PartProps } from '../state/use-editing.ts';
import { KeyRow, RowField } from './key-row.tsx';

/** The accepted texts, and how they are compared. */
export function ShortTextPart({ values, change, problemAt }: PartProps) {
  const { shortText, rule } = values;
  const { accepted, isCaseSensitive, isSpaceExact } = shortText;
  const set = (part: Partial<QuestionValues['shortText']>, field: string | null = null) =>
    change({ shortText: { ...shortText, ...part } }, field);
  const row = (index: number, part: Partial<(typeof accepted)[number]>, field: string) =>
    set({ accepted: accepted.map((one, i) => (i === index ? { ...one, ...part } : one)) }, field);
  return (
    <Card title="Accepted answers">
      <div className="grid gap-3 p-5">
        <p className="text-sm text-ink-3">
          Any of these is right. Add the spellings that you accept. Kinds of quotation marks, dashes
          and spaces never matter; accents do.
        </p>
        {accepted.map(({ text, weight }, index) => {
          const path = `shortText.accepted.${index}`;
          const problem = problemAt(`${path}.text`) ?? problemAt(`${path}.weight`);
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no id, and equal ones are possible
            <div key={index} className="grid gap-1">
              <KeyRow
                removeLabel={`Remove accepted answer ${index + 1}`}
                onRemove={
                  accepted.length > 1
                    ? () => set({ accepted: accepted.filter((_, i) => i !== index) })
                    : undefined
                }
              >
                <RowField
                  label={`Accepted answer ${index + 1}`}
                  name={`${path}.text`}
                  value={text}
                  problem={problemAt(`${path}.text`)}
                  onChange={(value) => row(index, { text: value }, `${path}.text`)}
                  className="flex-1 basis-40"
                />
                {rule === 'weights' && (
                  <RowField
                    label={`Weight of answer ${index + 1}, percent of the points`}
                    name={`${path}.weight`}
                    value={weight}
                    problem={problemAt(`${path}.weight`)}
                    inputMode="decimal"
                    placeholder="Weight"
                    suffix="%"
                    onChange={(value) => row(index, { weight: value }, `${path}.weight`)}
                    className="w-26 flex-none"
                  />
                )}
              </KeyRow>
              {problem !== undefined && <FieldNote id={`${path}-problem`} error={problem} />}
            </div>
          );
        })}
        {problemAt('shortText.accepted') !== undefined && (
          <FieldNote id="short-text-problem" error={problemAt('shortText.accepted')} />
        )}
        <Button
          size="dense"
          className="justify-self-start"
          icon={<Plus />}
          onClick={() => set({ accepted: [...accepted, { text: '', weight: '' }] })}
        >
          Add answer
        </Button>
        <div className="grid gap-2.5 border-t border-line pt-4">
          <Checkbox
            label="Upper and lower case must match"
            hint="Otherwise “Straße” and “STRASSE” are the same, and so are I, i, İ and ı."
            checked={isCaseSensitive}
            onChange={(event) => set({ isCaseSensitive: event.target.checked })}
          />
          <Checkbox
            label="Spaces must match"
            hint="Otherwise several spaces count as one. Spaces at the ends never count."
            checked={isSpaceExact}
            onChange={(event) => set({ isSpaceExact: event.target.checked })}
          />
        </div>
      </div>
    </Card>
  );
}
