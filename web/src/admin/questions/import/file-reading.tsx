import type { ImportEnd } from '@invigil/core/contract/assessments/imports';
import {
  COLUMN_USES,
  type ColumnUse,
  columnName,
  isRepeatable,
} from '@invigil/core/domain/questions/question-files';
import { useId } from 'react';
import { ENCODING_OPTIONS, isEncoding } from '../../../lib/decode-file.ts';
import { Card } from '../../../ui/card.tsx';
import { FailureNotice } from '../../../ui/failure-notice.tsx';
import { Checkbox } from '../../../ui/fields/checkbox.tsx';
import { SelectControl, SelectField } from '../../../ui/fields/select-field.tsx';
import type { FileChoices } from './use-import.ts';

const USE_NAMES: Record<ColumnUse, string> = {
  question: 'Question',
  option: 'Option',
  answer: 'Correct answer',
  points: 'Points',
  explanation: 'Explanation',
  tags: 'Tags',
  category: 'Category',
  type: 'Type',
  number: 'Number',
  unused: 'Not used',
};
const USE_OPTIONS = COLUMN_USES.map((value) => ({ value, label: USE_NAMES[value] }));

/** How a text file or a sheet was read, with another choice: encoding, columns, first row. */
export function FileReading({
  end: { encoding, columns, notes = [], isFirstRowQuestion = false },
  choices,
  isReading,
  problem,
  onChoose,
}: {
  end: ImportEnd;
  choices: FileChoices;
  /** The file is read again. */
  isReading: boolean;
  /** Why it could not be read again. */
  problem: string | null;
  onChoose(choices: FileChoices): void;
}) {
  if (encoding === undefined && columns === undefined) return null;
  const uses = columns?.map(({ use }) => use) ?? [];
  return (
    <Card
      title="How this file was read"
      aside={
        <span role="status" className="text-sm text-ink-2">
          {isReading && 'Reading again…'}
        </span>
      }
    >
      <div className="grid gap-5 p-5">
        {problem !== null && (
          <FailureNotice title="The file could not be read like this">{problem}</FailureNotice>
        )}
        {encoding !== undefined && (
          <div className="max-w-88">
            <SelectField
              label="Text encoding"
              hint={
                /^utf-/.test(encoding)
                  ? 'Found in the file.'
                  : 'The likeliest one or your choice. If letters with accents look wrong, select another.'
              }
              size="dense"
              options={ENCODING_OPTIONS}
              value={encoding}
              disabled={isReading}
              onChange={(next) => isEncoding(next) && onChoose({ ...choices, encoding: next })}
            />
          </div>
        )}
        {isFirstRowQuestion && (
          <Checkbox
            label="Keep the first row"
            hint="It looks like a question. Normally the first row is a header and is skipped."
            disabled={isReading}
            checked={choices.firstRow === 'question'}
            onChange={({ target }) =>
              onChoose({ ...choices, firstRow: target.checked ? 'question' : 'header' })
            }
          />
        )}
        {columns !== undefined && (
          <fieldset className="min-w-0">
            <legend className="font-medium">Columns</legend>
            <p className="text-sm text-ink-3">
              {columns.some(({ head }) => head !== '')
                ? 'By the header of the file. If a column is something else, change it here.'
                : 'The file has no header. If a column is something else, change it here.'}
            </p>
            <div className="mt-3 grid grid-cols-2 gap-x-4 gap-y-3.5 sm:grid-cols-3 lg:grid-cols-4 xl:grid-cols-5">
              {columns.map((column, i) => (
                <ColumnField
                  // biome-ignore lint/suspicious/noArrayIndexKey: columns are their places
                  key={i}
                  name={columnName(i)}
                  column={column}
                  disabled={isReading}
                  onChange={(use) => onChoose({ ...choices, columns: withUse(uses, i, use) })}
                />
              ))}
            </div>
          </fieldset>
        )}
        {notes.length > 0 && (
          <ul className="grid gap-1 text-sm text-ink-2">
            {notes.map((note) => (
              <li key={note} className="wrap-anywhere">
                {note}
              </li>
            ))}
          </ul>
        )}
      </div>
    </Card>
  );
}

function ColumnField({
  name,
  column: { head, use, example },
  disabled,
  onChange,
}: {
  name: string;
  column: NonNullable<ImportEnd['columns']>[number];
  disabled: boolean;
  onChange(use: ColumnUse): void;
}) {
  const id = useId();
  return (
    <div className="grid min-w-0 content-start gap-1">
      <span id={`${id}-name`} className="flex min-w-0 gap-1.5 text-sm">
        <span className="font-semibold">{name}</span>
        <span className="truncate text-ink-2" title={head}>
          {head !== '' && `“${head}”`}
        </span>
      </span>
      <SelectControl
        aria-labelledby={`${id}-name`}
        aria-describedby={example === '' ? undefined : `${id}-example`}
        size="dense"
        className={use === 'unused' ? 'text-ink-3!' : ''}
        options={USE_OPTIONS}
        value={use}
        disabled={disabled}
        onChange={(value) => {
          const chosen = COLUMN_USES.find((one) => one === value);
          if (chosen !== undefined) onChange(chosen);
        }}
      />
      <span id={`${id}-example`} className="truncate text-xs text-ink-3" title={example}>
        {example}
      </span>
    </div>
  );
}

/** The uses with another one for a column; a use that only one column can have leaves its column. */
function withUse(uses: readonly ColumnUse[], index: number, use: ColumnUse): ColumnUse[] {
  return uses.map((one, i) =>
    i === index ? use : one === use && !isRepeatable(use) ? 'unused' : one,
  );
}
