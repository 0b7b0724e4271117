import { t } from '@invigil/core/texts/i18n';
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

const kinds = () =>
  [
    {
      value: 'exact',
      label: t(
        /* how a number is compared: it must be this one */ 'editor.number.exact',
        'Exactly',
      ),
    },
    {
      value: 'range',
      label: t(
        /* how a number is compared: it must be in this range */ 'editor.number.range',
        'Between',
      ),
    },
    {
      value: 'percent',
      label: t(
        /* how a number is compared: it may differ by a percentage */ 'editor.number.percent',
        'Within percent',
      ),
    },
  ] as const;

export function NumericPart({ values, change, problemAt }: PartProps) {
  const { numeric, rule } = values;
  const { accepted } = numeric;
  const set: SetNumeric = (part, field = null) =>
    change({ numeric: { ...numeric, ...part } }, field);
  const row = (index: number, part: Partial<NumberRow>, field: string | null = null) =>
    set({ accepted: accepted.map((one, i) => (i === index ? { ...one, ...part } : one)) }, field);
  return (
    <Card title={t('editor.numbers', 'Accepted numbers')}>
      <div className="grid gap-3 p-5">
        <p className="text-sm text-ink-3">
          {t(
            'editor.numbers.hint',
            'Candidates may type a decimal point or a decimal comma, and no fraction. Unless you add units, “%”, “°” and a currency are ignored, and candidates who type another unit are told that only a number is expected.',
          )}
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
                removeLabel={t(
                  /* {n} is its place: 1, 2 */ 'editor.number.remove',
                  'Remove accepted number {n}',
                  { n },
                )}
                onRemove={
                  accepted.length > 1
                    ? () => set({ accepted: accepted.filter((_, i) => i !== index) })
                    : undefined
                }
              >
                <SelectControl
                  aria-label={t(
                    /* {n} is its place: 1, 2 */ 'editor.number.kind',
                    'How number {n} is compared',
                    { n },
                  )}
                  options={kinds()}
                  value={one.kind}
                  onChange={(kind) => row(index, { kind })}
                  className="w-40! flex-none"
                />
                {one.kind === 'range' ? (
                  <>
                    <RowField
                      {...field('min')}
                      label={t(
                        /* of a range; {n} is its place: 1, 2 */ 'editor.number.lower',
                        'Lower end of number {n}',
                        { n },
                      )}
                      placeholder={t(
                        /* the lower end of a range of numbers, in the empty field */ 'editor.number.from',
                        'From',
                      )}
                      className="flex-1 basis-20"
                    />
                    <span className="mt-2 text-ink-2">
                      {t(
                        /* stands between the fields of the lower and the upper end of a range of numbers */ 'editor.number.between',
                        'to',
                      )}
                    </span>
                    <RowField
                      {...field('max')}
                      label={t(
                        /* of a range; {n} is its place: 1, 2 */ 'editor.number.upper',
                        'Upper end of number {n}',
                        { n },
                      )}
                      placeholder={t(
                        /* the upper end of a range of numbers, in the empty field */ 'editor.number.to',
                        'To',
                      )}
                      className="flex-1 basis-20"
                    />
                  </>
                ) : (
                  <RowField
                    {...field('value')}
                    label={t(/* {n} is its place: 1, 2 */ 'editor.number', 'Accepted number {n}', {
                      n,
                    })}
                    placeholder={t('editor.number.example', 'For example 9.81')}
                    className="flex-1 basis-28"
                  />
                )}
                {one.kind === 'percent' && (
                  <RowField
                    {...field('tolerancePercent')}
                    label={t(
                      /* how much it may differ; {n} is its place: 1, 2 */ 'editor.number.tolerance',
                      'Tolerance of number {n}, percent',
                      { n },
                    )}
                    placeholder="±"
                    suffix="%"
                    className="w-22 flex-none"
                  />
                )}
                {rule === 'weights' && (
                  <RowField
                    {...field('weight')}
                    label={t(
                      /* what it earns; {n} is its place: 1, 2 */ 'editor.number.weight',
                      'Weight of number {n}, percent of the points',
                      { n },
                    )}
                    placeholder={t(
                      /* the percentage of the points that an answer earns, in the empty field */ 'editor.weight',
                      'Weight',
                    )}
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
          {t(/* a button: another accepted number */ 'editor.numbers.add', 'Add number')}
        </Button>
        <Units {...{ numeric, set, problemAt }} />
      </div>
    </Card>
  );
}

type SetNumeric = (part: Partial<QuestionValues['numeric']>, field?: string | null) => void;

/** The units that may follow a number. */
function Units({
  numeric: { units, isUnitRequired },
  set,
  problemAt,
}: {
  numeric: QuestionValues['numeric'];
  set: SetNumeric;
  problemAt: PartProps['problemAt'];
}) {
  const unit = (index: number, part: Partial<(typeof units)[number]>, field: string) =>
    set({ units: units.map((one, i) => (i === index ? { ...one, ...part } : one)) }, field);
  return (
    <div className="grid gap-3 border-t border-line pt-4">
      <div>
        <h3>{t(/* of measure */ 'editor.units', 'Units')}</h3>
        <p className="text-sm text-ink-3">
          {t(
            /* the key is the correct answer */ 'editor.units.hint',
            'Units that may follow the number, and what one of each is in the unit of the key: for a key in meters, “m” is 1 and “km” is 1000. Case counts only where another unit could be meant: “KG” is “kg”, “MW” is not “mW”.',
          )}
        </p>
      </div>
      {units.map((one, index) => {
        const path = `numeric.units.${index}`;
        const problem = problemAt(`${path}.unit`) ?? problemAt(`${path}.factor`);
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no id, and equal ones are possible
          <div key={index} className="grid gap-1">
            <KeyRow
              removeLabel={t(/* {n} is its place: 1, 2 */ 'editor.unit.remove', 'Remove unit {n}', {
                n: index + 1,
              })}
              onRemove={() => set({ units: units.filter((_, i) => i !== index) })}
            >
              <RowField
                label={t(/* of measure; {n} is its place: 1, 2 */ 'editor.unit', 'Unit {n}', {
                  n: index + 1,
                })}
                name={`${path}.unit`}
                value={one.unit}
                problem={problemAt(`${path}.unit`)}
                placeholder="m"
                onChange={(value) => unit(index, { unit: value }, `${path}.unit`)}
                className="w-28 flex-none"
              />
              <span className="mt-2 text-ink-2">
                {t(
                  /* stands between the field of a unit and that of its size: “km” is 1000 */ 'editor.unit.is',
                  'is',
                )}
              </span>
              <RowField
                label={t(
                  /* how many of the correct answer’s unit make one of this: 1000 for km, if the answer is in m */ 'editor.unit.factor',
                  'One of unit {n} in the unit of the key',
                  { n: index + 1 },
                )}
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
        {t(/* a button */ 'editor.units.add', 'Add unit')}
      </Button>
      {units.length > 0 && (
        <Checkbox
          label={t('editor.units.required', 'A number without a unit is wrong')}
          checked={isUnitRequired}
          onChange={(event) => set({ isUnitRequired: event.target.checked })}
        />
      )}
    </div>
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
        <IconButton
          label={removeLabel}
          tooltip={t(/* a button: this row of a list */ 'portal.remove', 'Remove')}
          className="mt-0.5"
          onClick={onRemove}
        >
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
    <Card title={t('editor.answers', 'Accepted answers')}>
      <div className="grid gap-3 p-5">
        <p className="text-sm text-ink-3">
          {t(
            'editor.answers.hint',
            'Any of these is right. Add the spellings that you accept. Kinds of quotation marks, dashes and spaces never matter; accents do.',
          )}
        </p>
        {accepted.map(({ text, weight }, index) => {
          const path = `shortText.accepted.${index}`;
          const problem = problemAt(`${path}.text`) ?? problemAt(`${path}.weight`);
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no id, and equal ones are possible
            <div key={index} className="grid gap-1">
              <KeyRow
                removeLabel={t(
                  /* {n} is its place: 1, 2 */ 'editor.answer.remove',
                  'Remove accepted answer {n}',
                  { n: index + 1 },
                )}
                onRemove={
                  accepted.length > 1
                    ? () => set({ accepted: accepted.filter((_, i) => i !== index) })
                    : undefined
                }
              >
                <RowField
                  label={t(/* {n} is its place: 1, 2 */ 'editor.answer', 'Accepted answer {n}', {
                    n: index + 1,
                  })}
                  name={`${path}.text`}
                  value={text}
                  problem={problemAt(`${path}.text`)}
                  onChange={(value) => row(index, { text: value }, `${path}.text`)}
                  className="flex-1 basis-40"
                />
                {rule === 'weights' && (
                  <RowField
                    label={t(
                      /* what it earns; {n} is its place: 1, 2 */ 'editor.answer.weight',
                      'Weight of answer {n}, percent of the points',
                      { n: index + 1 },
                    )}
                    name={`${path}.weight`}
                    value={weight}
                    problem={problemAt(`${path}.weight`)}
                    inputMode="decimal"
                    placeholder={t(
                      /* the percentage of the points that an answer earns, in the empty field */ 'editor.weight',
                      'Weight',
                    )}
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
          {t(/* a button: another accepted answer */ 'editor.answers.add', 'Add answer')}
        </Button>
        <div className="grid gap-2.5 border-t border-line pt-4">
          <Checkbox
            label={t('editor.answers.case', 'Upper and lower case must match')}
            hint={t(
              'editor.answers.caseHint',
              'Otherwise “Straße” and “STRASSE” are the same, and so are I, i, İ and ı.',
            )}
            checked={isCaseSensitive}
            onChange={(event) => set({ isCaseSensitive: event.target.checked })}
          />
          <Checkbox
            label={t('editor.answers.spaces', 'Spaces must match')}
            hint={t(
              'editor.answers.spacesHint',
              'Otherwise several spaces count as one. Spaces at the ends never count.',
            )}
            checked={isSpaceExact}
            onChange={(event) => set({ isSpaceExact: event.target.checked })}
          />
        </div>
      </div>
    </Card>
  );
}
