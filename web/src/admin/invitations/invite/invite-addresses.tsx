import { whyNotEmailAddress } from '@invigil/core/domain/email-address';
import { type ClipboardEvent, type DragEvent, useId, useState } from 'react';
import { decodeFile, ENCODING_NAMES } from '../../../lib/decode-file.ts';
import { TextArea } from '../../../ui/fields/text-area.tsx';
import { toast } from '../../../ui/toasts/toast.ts';
import { addressLines, type InviteLines } from './invite-lines.ts';

const FILE_MOST_BYTES = 1_048_576;
const NOT_TEXT = 'Select a CSV or text file. Save a spreadsheet as CSV first.';

/** One address per line: typed, pasted from a spreadsheet, or from a CSV file. */
export function InviteAddresses({
  text,
  lines,
  onText,
}: {
  text: string;
  lines: InviteLines;
  onText(text: string): void;
}) {
  const fileId = useId();
  const [over, setOver] = useState(false);
  const add = (sheet: string) =>
    onText([text.trimEnd(), addressLines(sheet)].filter((part) => part !== '').join('\n'));

  const addFile = async (file: File | undefined) => {
    if (file === undefined) return;
    const refuse = (description: string) =>
      toast({ title: 'Cannot read this file', description, variant: 'destructive' });
    if (file.size > FILE_MOST_BYTES) return refuse('Select a file of at most 1 MiB.');
    const bytes = await file.arrayBuffer().catch(() => null);
    const { text: content, encoding } = decodeFile(new Uint8Array(bytes ?? [0]));
    // A picture or a workbook has zero bytes.
    if (bytes === null || /[\0\uFFFD]/.test(content)) return refuse(NOT_TEXT);
    add(content);
    if (encoding !== 'utf-8') {
      toast({
        title: `Read as ${ENCODING_NAMES[encoding]}`,
        description: 'Check addresses with letters beyond a to z.',
      });
    }
  };
  const paste = (event: ClipboardEvent) => {
    const pasted = event.clipboardData.getData('text');
    if (!pasted.includes('\t')) return;
    event.preventDefault();
    add(pasted);
  };
  const drop = (event: DragEvent) => {
    if (event.dataTransfer.files.length === 0) return;
    event.preventDefault();
    setOver(false);
    void addFile(event.dataTransfer.files[0]);
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a shortcut; the input inside is the control
    <div
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes('Files')) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      className={`grid gap-2 rounded-lg ${over ? 'outline-2 outline-offset-4 outline-accent' : ''}`}
    >
      <TextArea
        label="Email addresses"
        required
        rows={8}
        spellCheck={false}
        autoCapitalize="off"
        placeholder={'name@example.org\nother@example.org'}
        hint="One address per line, or a list copied from Outlook or Gmail. You can also paste a spreadsheet column or drop a CSV file here."
        value={text}
        onChange={(event) => onText(event.target.value)}
        onPaste={paste}
      />
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <InviteCounts lines={lines} />
        <span className="relative rounded-sm text-sm has-[input:focus-visible]:outline-2 has-[input:focus-visible]:outline-offset-2 has-[input:focus-visible]:outline-focus">
          <label
            htmlFor={fileId}
            className="font-medium text-accent-ink underline underline-offset-4 touch:inline-flex touch:min-h-11 touch:items-center"
          >
            Add from a CSV file
          </label>
          <input
            id={fileId}
            type="file"
            accept=".csv,.txt,text/csv,text/plain"
            className="absolute inset-0 w-full cursor-pointer opacity-0"
            onChange={(event) => {
              const file = event.target.files?.[0];
              // Reset, so that the same file can be selected again.
              event.target.value = '';
              void addFile(file);
            }}
          />
        </span>
      </div>
    </div>
  );
}

/** Counts of valid, invalid and repeated lines, while typing. */
function InviteCounts({ lines }: { lines: InviteLines }) {
  const { valid, invalid, duplicates } = lines;
  // That it is none is said above; a sign that no mail server takes is not seen by looking.
  const reason = invalid.map(whyNotEmailAddress).find((why) => why?.includes('@'));
  return (
    <div role="status" className="grid gap-1 text-sm text-ink-2 tabular-nums">
      <p>{`${valid} valid, ${invalid.length} invalid, ${duplicates} duplicate`}</p>
      {invalid.length > 0 && (
        <p className="break-words text-bad-ink">
          Not an address: {invalid.slice(0, 3).join(', ')}
          {invalid.length > 3 && ` and ${invalid.length - 3} more`}
        </p>
      )}
      {reason !== undefined && <p className="break-words text-bad-ink">{`${reason}.`}</p>}
    </div>
  );
}
