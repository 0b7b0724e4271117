import { Plus, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../../../../ui/button.tsx';
import { Checkbox } from '../../../../ui/fields/checkbox.tsx';
import { CONTROL, CONTROL_SIZE, FieldNote } from '../../../../ui/fields/field.tsx';
import { SelectControl } from '../../../../ui/fields/select-field.tsx';
import { IconButton } from '../../../../ui/icon-button.tsx';
import { Card } from '../../../../ui/page.tsx';
import { NEW_NUMBER, type NumberRow, type QuestionValues } from '../state/question-values.ts';
import type { PartProps } from '../state/use-editing.ts';

const KINDS = [
  { value: 'exact', label: 'Exactly' },
  { value: 'range', label: 'Between' },
  { value: 'percent', label: 'Within percent' },
] as const;

export function NumericPart({ values, change, problemAt }: PartProps) {
  const { numeric, rule } = values;
  const { accepted, units, isUnitRequired } = numeric;
  const set = (part: Partial<QuestionValues['numeric']>, field: string | null = null) =>
    change({ numeric: { ...numeric, ...part } }, field);
  const row = (index: number, part: Partial<NumberRow>, field: string | null = null) =>
    set({ accepted: accepted.map((one, i) => (i === index ? { ...one, ...part } : one)) }, field);
  const unit = (index: number, part: Partial<(typeof units)[number]>, field: string) =>
    set({ units: units.map((one, i) => (i === index ? { ...one, ...part } : one)) }, field);
  return (
    <Card title="Accepted numbers">
      <div className="grid gap-3 p-5">
        <p className="text-sm text-ink-3">
          Candidates may type a decimal point or a decimal comma, and no fraction. Unless you add
          units, “%”, “°” and a currency are ignored, and candidates who type another unit are told
          that only a number is expected.
        </p>
        {accepted.map((one, index) => {
          const path = `numeric.accepted.${index}`;
          const problem = ['value', 'min', 'max', 'tolerancePercent', 'weight']
            .map((field) => problemAt(`${path}.${field}`))
            .find((message) => message !== undefined);
          const field = (name: 'value' | 'min' | 'max' | 'tolerancePercent' | 'weight') => ({
            name: `${path}.${name}`,
            value: one[name],
            problem: problemAt(`${path}.${name}`),
            onChange: (value: string) => row(index, { [name]: value }, `${path}.${name}`),
          });
          const n = index + 1;
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no id, and equal ones are possible
            <div key={index} className="grid gap-1">
              <KeyRow
                removeLabel={`Remove accepted number ${n}`}
                onRemove={
                  accepted.length > 1
                    ? () => set({ accepted: accepted.filter((_, i) => i !== index) })
                    : undefined
                }
              >
                <SelectControl
                  aria-label={`How number ${n} is compared`}
                  options={KINDS}
                  value={one.kind}
                  onChange={(kind) => row(index, { kind })}
                  className="w-40! flex-none"
                />
                {one.kind === 'range' ? (
                  <>
                    <RowField
                      {...field('min')}
                      label={`Lower end of number ${n}`}
                      placeholder="From"
                      className="flex-1 basis-20"
                    />
                    <span className="mt-2 text-ink-2">to</span>
                    <RowField
                      {...field('max')}
                      label={`Upper end of number ${n}`}
                      placeholder="To"
                      className="flex-1 basis-20"
                    />
                  </>
                ) : (
                  <RowField
                    {...field('value')}
                    label={`Accepted number ${n}`}
                    placeholder="For example 9.81"
                    className="flex-1 basis-28"
                  />
                )}
                {one.kind === 'percent' && (
                  <RowField
                    {...field('tolerancePercent')}
                    label={`Tolerance of number ${n}, percent`}
                    placeholder="±"
                    suffix="%"
                    className="w-22 flex-none"
                  />
                )}
                {rule === 'weights' && (
                  <RowField
                    {...field('weight')}
                    label={`Weight of number ${n}, percent of the points`}
                    placeholder="Weight"
                    suffix="%"
                    className="w-26 flex-none"
                  />
                )}
              </KeyRow>
              {problem !== undefined && <FieldNote id={`${path}-problem`} error={problem} />}
            </div>
          );
        })}
        {problemAt('numeric.accepted') !== undefined && (
          <FieldNote id="numeric-problem" error={problemAt('numeric.accepted')} />
        )}
        <Button
          size="dense"
          className="justify-self-start"
          icon={<Plus />}
          onClick={() => set({ accepted: [...accepted, NEW_NUMBER] })}
        >
          Add number
        </Button>
        <div className="grid gap-3 border-t border-line pt-4">
          <div>
            <h3>Units</h3>
            <p className="text-sm text-ink-3">
              Units that may follow the number, and what one of each is in the unit of the key: for
              a key in meters, “m” is 1 and “km” is 1000. Case counts only where another unit could
              be meant: “KG” is “kg”, “MW” is not “mW”.
            </p>
          </div>
          {units.map((one, index) => {
            const path = `numeric.units.${index}`;
            const problem = problemAt(`${path}.unit`) ?? problemAt(`${path}.factor`);
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows have no id, and equal ones are possible
              <div key={index} className="grid gap-1">
                <KeyRow
                  removeLabel={`Remove unit ${index + 1}`}
                  onRemove={() => set({ units: units.filter((_, i) => i !== index) })}
                >
                  <RowField
                    label={`Unit ${index + 1}`}
                    name={`${path}.unit`}
                    value={one.unit}
                    problem={problemAt(`${path}.unit`)}
                    placeholder="m"
                    onChange={(value) => unit(index, { unit: value }, `${path}.unit`)}
                    className="w-28 flex-none"
                  />
                  <span className="mt-2 text-ink-2">is</span>
                  <RowField
                    label={`One of unit ${index + 1} in the unit of the key`}
                    name={`${path}.factor`}
                    value={one.factor}
                    problem={problemAt(`${path}.factor`)}
                    inputMode="decimal"
                    placeholder="1"
                    onChange={(value) => unit(index, { factor: value }, `${path}.factor`)}
                    className="w-28 flex-none"
                  />
                </KeyRow>
                {problem !== undefined && <FieldNote id={`${path}-problem`} error={problem} />}
              </div>
            );
          })}
          <Button
            size="dense"
            className="justify-self-start"
            icon={<Plus />}
            onClick={() => set({ units: [...units, { unit: '', factor: '1' }] })}
          >
            Add unit
          </Button>
          {units.length > 0 && (
            <Checkbox
              label="A number without a unit is wrong"
              checked={isUnitRequired}
              onChange={(event) => set({ isUnitRequired: event.target.checked })}
            />
          )}
        </div>
      </div>
    </Card>
  );
}

/** A short field of a row: named for screen readers, its problem in the note under the row. */
export function RowField({
  label,
  name,
  value,
  onChange,
  problem,
  suffix,
  className = '',
  ...input
}: {
  label: string;
  name: string;
  value: string;
  onChange(value: string): void;
  problem: string | undefined;
  /** after the text, inside the outline */
  suffix?: string;
  className?: string;
  placeholder?: string;
  inputMode?: 'decimal' | 'text';
}) {
  return (
    <span className={`relative min-w-0 ${className}`}>
      <input
        type="text"
        autoComplete="off"
        {...input}
        name={name}
        aria-label={label}
        {...(problem === undefined
          ? {}
          : { 'aria-invalid': true, 'aria-describedby': `${name}-note` })}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className={`${CONTROL} ${CONTROL_SIZE.admin} ${suffix === undefined ? '' : 'pe-7! text-end'}`}
      />
      {suffix !== undefined && (
        <span
          aria-hidden="true"
          className="pointer-events-none absolute inset-y-0 inset-e-2.5 grid place-items-center text-ink-3"
        >
          {suffix}
        </span>
      )}
    </span>
  );
}

function KeyRow({
  removeLabel,
  onRemove,
  children,
}: {
  removeLabel: string;
  /** Absent: the only row stays. */
  onRemove?: (() => void) | undefined;
  children: ReactNode;
}) {
  return (
    <div className="flex flex-wrap items-start gap-2">
      {children}
      {onRemove !== undefined && (
        <IconButton label={removeLabel} tooltip="Remove" className="mt-0.5" onClick={onRemove}>
          <X />
        </IconButton>
      )}
    </div>
  );
}

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
