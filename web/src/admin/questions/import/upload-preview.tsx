import type { CsvSeparator } from '@invigil/core/domain/questions/csv-separator';
import type { ValidatedFile, ValidatedRow } from '@invigil/core/domain/questions/question-csv';
import type { Encoding } from '@invigil/core/domain/text-encoding';
import { Check, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { ENCODING_NAMES } from '../../../lib/decode-file.ts';
import { Button } from '../../../ui/button.tsx';
import { Checkbox } from '../../../ui/fields/checkbox.tsx';
import { scrollIntoViewAndFocus } from '../../../ui/scroll-into-view.ts';
import { KeyedOptions } from '../keyed-options.tsx';
import { EncodingField } from './encoding-field.tsx';
import type { QuestionFile } from './read-question-file.ts';
import { WorkUnderWay } from './work-under-way.tsx';

const SEPARATORS: Record<CsvSeparator, string> = { ',': 'comma', ';': 'semicolon', '\t': 'tab' };

/**
 * Previews every row as it will be stored, or its problem, before anything is stored.
 */
export function UploadPreview({
  name,
  file,
  validated,
  refusals,
  keepFirstRow,
  onKeepFirstRow,
  onEncoding,
  busy,
  onImport,
  onDiscard,
}: {
  name: string;
  file: QuestionFile;
  validated: ValidatedFile;
  refusals: ReadonlyMap<number, string>;
  keepFirstRow: boolean;
  onKeepFirstRow(keep: boolean): void;
  onEncoding(encoding: Encoding): void;
  busy: boolean;
  onImport(): void;
  onDiscard(): void;
}) {
  const [onlyGood, setOnlyGood] = useState(false);
  const good = validated.rows.filter((row) => row.question !== null).length;
  const bad = validated.rows.length - good;
  const ready = validated.problem === null && good > 0 && (bad === 0 || onlyGood);
  // Rows with problems first; each row keeps its index in the request.
  let sent = -1;
  const rows = validated.rows
    .map((row) => {
      if (row.question !== null) sent += 1;
      return { row, problem: row.problem ?? (row.question && refusals.get(sent)) ?? null };
    })
    .sort((a, b) => Number(a.problem === null) - Number(b.problem === null));

  return (
    <section
      aria-label={`Preview of ${name}`}
      ref={scrollIntoViewAndFocus}
      tabIndex={-1}
      className="grid scroll-mt-4 gap-4 outline-none"
    >
      <div>
        <p role="status" className="font-medium break-words">
          {name}: {count(good, 'question')} can be added
          {bad > 0 && `, ${count(bad, 'row')} with a problem`}
        </p>
        <p className="text-sm text-ink-3">{howRead(file)}</p>
      </div>
      <div className="max-w-88">
        <EncodingField encoding={file.encoding} disabled={busy} onChange={onEncoding} />
      </div>
      {validated.problem !== null && <p className="text-bad-ink">{validated.problem}</p>}
      {(validated.headerLooksLikeQuestion || keepFirstRow) && (
        <Checkbox
          label="Keep the first row"
          hint="It looks like a question. Normally the first row is a header and is skipped."
          checked={keepFirstRow}
          onChange={(event) => onKeepFirstRow(event.target.checked)}
        />
      )}
      {bad > 0 && good > 0 && (
        <Checkbox
          label={
            good === 1 ? 'Import the valid row only' : `Import the ${count(good, 'valid row')} only`
          }
          hint="Otherwise correct the file and select it again. A file is imported completely or not at all."
          checked={onlyGood}
          onChange={(event) => setOnlyGood(event.target.checked)}
        />
      )}
      <ol
        aria-label="Rows"
        // A scrolling region must be reachable by keyboard.
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region takes the focus
        tabIndex={0}
        className="max-h-[min(24rem,40dvh)] overflow-y-auto rounded-lg border border-line"
      >
        {rows.map(({ row, problem }) => (
          <PreviewRow key={row.line} row={row} problem={problem} />
        ))}
      </ol>
      {busy && <WorkUnderWay>{`Importing ${count(good, 'question')}…`}</WorkUnderWay>}
      <div className="flex flex-wrap justify-end gap-3">
        <Button onClick={onDiscard}>Discard file</Button>
        <Button
          variant="primary"
          busy={busy && 'Importing…'}
          aria-disabled={!ready}
          onClick={onImport}
        >
          {good === 0 ? 'Nothing to import' : `Import ${count(good, 'question')}`}
        </Button>
      </div>
    </section>
  );
}

function PreviewRow({ row, problem }: { row: ValidatedRow; problem: string | null }) {
  return (
    <li className="flex gap-3 border-b [contain-intrinsic-size:auto_9rem] [content-visibility:auto] border-line px-4 py-3 last:border-b-0">
      {problem === null ? (
        <Check className="size-5 flex-none text-ok-ink" strokeWidth={1.75} />
      ) : (
        <TriangleAlert className="size-5 flex-none text-bad-ink" />
      )}
      <div className="min-w-0 flex-1">
        {problem !== null && <p className="font-medium break-words text-bad-ink">{problem}</p>}
        {row.question === null ? (
          <p className="break-words text-ink-2">{row.fields.join(' | ')}</p>
        ) : (
          <>
            <p className="font-medium break-words whitespace-pre-wrap">{row.question.question}</p>
            <KeyedOptions
              options={row.question.options}
              correctAnswer={row.question.correctAnswer}
            />
          </>
        )}
      </div>
      <span className="flex-none text-xs text-ink-3 tabular-nums">Line {row.line}</span>
    </li>
  );
}

const count = (n: number, noun: string) =>
  `${n.toLocaleString('en-GB')} ${noun}${n === 1 ? '' : 's'}`;

function howRead({ encoding, separator }: QuestionFile): string {
  const read = `Read as ${ENCODING_NAMES[encoding]}, fields separated by ${SEPARATORS[separator]}.`;
  return /^utf-/.test(encoding)
    ? read
    : `${read} The file is not UTF-8: check letters with accents before you import.`;
}
