import { emailKey, isEmailAddress } from '@invigil/core/domain/email-address';
import type { PersonField } from '@invigil/core/domain/people';
import { t } from '@invigil/core/texts/i18n';
import { type ClipboardEvent, type DragEvent, useId, useState } from 'react';
import { TextArea } from '../../../ui/fields/text-area.tsx';
import { toast } from '../../../ui/toast.ts';
import { showFailure } from '../../data/show-failure.ts';
import {
  LIST_FILES,
  type PeopleSheet,
  readListFile,
  saysMore,
  sheetOf,
  whyNotRead,
} from '../sheet/people-sheet.ts';

/** Parser of the invitation box: one address per line (specification 5), or a list copied from a mail program. */
interface InviteLines {
  /** Each address once, valid or not; the server returns a result for each. */
  addresses: string[];
  valid: number;
  invalid: string[];
  duplicates: number;
  /** The head row of a spreadsheet, which is left out. */
  head?: string;
}

/** A word of a head row, as Excel files in a few languages have it; no part of an address. */
const HEAD_WORD =
  /(?<![\p{L}\p{N}.@-])(?:e-?mails?|mail|courriel|correo)(?:[-_ ]?ad{1,2}ress(?:e|en|es)?)?(?![\p{L}\p{N}.@-])/iu;
const isHead = (line: string) => !line.includes('@') && HEAD_WORD.test(line);

export function validateInviteLines(text: string): InviteLines {
  const seen = new Set<string>();
  const lines: InviteLines = { addresses: [], valid: 0, invalid: [], duplicates: 0 };
  const all = linesOf(text);
  const head = all.find(isHead);
  if (head !== undefined) lines.head = head;
  for (const address of all.filter((line) => !isHead(line)).flatMap(addressesOfLine)) {
    const key = emailKey(address);
    if (seen.has(key)) {
      lines.duplicates += 1;
      continue;
    }
    seen.add(key);
    lines.addresses.push(address);
    if (isEmailAddress(address)) lines.valid += 1;
    else lines.invalid.push(address);
  }
  return lines;
}

/**
 * The addresses of spreadsheet cells or a CSV file, one per line. Of a row with several cells only the
 * addresses are used; a row without one stays visible unchanged, unless it is the header.
 */
export function addressLines(sheet: string): string {
  const rows = linesOf(sheet);
  return rows
    .flatMap((row, index) => {
      const addresses = row
        .split('\t')
        .flatMap(addressesOfLine)
        .filter((address) => address.includes('@'));
      if (addresses.length > 0) return addresses;
      return index === 0 && rows.length > 1 && !row.includes('@') ? [] : [row];
    })
    .join('\n');
}

/** The addresses of a list in its Email column; of a row without one, what stays visible. */
export function listedAddresses({ rows, columns, hasHead }: PeopleSheet): string[] {
  const at = columns.indexOf('email');
  if (at < 0) return [];
  return rows.slice(hasHead ? 1 : 0).flatMap((row) => {
    const found = linesOf(row[at] ?? '').flatMap(addressesOfLine);
    const others = row.filter((cell) => !cell.includes('@')).join(' ');
    return found.length > 0 ? found : linesOf(others);
  });
}

/** A text with further lines below it. */
export const withLines = (text: string, ...lines: string[]): string =>
  [text.trimEnd(), ...lines].filter((part) => part !== '').join('\n');

/**
 * Invisible characters that web pages and office programs add to copied text: soft
 * hyphens, zero-width and directional marks (Unicode category Cf), control characters.
 */
const INVISIBLE = /\p{Cf}|(?!\s)\p{Cc}/gu;

function linesOf(text: string): string[] {
  return text
    .replace(INVISIBLE, '')
    .replace(/[“”„«»＂]/g, '"')
    .split(/[\r\n\u2028\u2029]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/**
 * `a@x; "Doe, Jane" <b@x>, c@x` as copied from Outlook and Gmail. A part without an address stays
 * visible unchanged, unless it is the beginning of a name: `Doe, Jane <b@x>`.
 */
function addressesOfLine(line: string): string[] {
  return splitOutside(line, /[;；]/).flatMap((entry) => {
    const parts = joinedDomains(splitOutside(entry, /[,，]/));
    const lastNamed = parts.findLastIndex(isNamed);
    return parts.flatMap((part, index) =>
      !part.includes('@') && index < lastNamed ? [] : addressesOfPart(part),
    );
  });
}

/** `a@gmx,de` and `a@mail.gmx,de` are one address with a comma for a dot: no list holds a bare ending. */
function joinedDomains(parts: readonly string[]): string[] {
  const joined: string[] = [];
  for (const part of parts) {
    const before = joined.at(-1);
    if (before !== undefined && /@[^@\s]+$/.test(before) && ENDING.test(part)) {
      joined[joined.length - 1] = `${before},${part}`;
    } else joined.push(part);
  }
  return joined;
}

const ENDING = /^(?:at|be|ch|com|cz|de|dk|edu|es|eu|fi|fr|gov|info|io|it|net|nl|no|org|pl|se|uk)$/i;

const isNamed = (part: string) => /<[^<>]+@[^<>]+>/.test(part);

/** `Jane Doe <a@x>`, `a@x (Jane Doe)`, `a@x b@x`, `mailto:a@x`. */
function addressesOfPart(part: string): string[] {
  const named = [...part.matchAll(/<([^<>]*@[^<>]*)>/g)].map(([, inner]) => bare(inner ?? ''));
  if (named.length > 0) return named;
  const words = part.split(/\s+/).filter((word) => word.includes('@'));
  const addresses = words.map(bare);
  return addresses.some(isEmailAddress) ? addresses : [part];
}

function bare(word: string): string {
  const inner = word
    .trim()
    .replace(/^["'([<]+(?=\S)/, '')
    .replace(/[)\]>"'.,:]+$/, '')
    .replace(/^mailto:/i, '');
  return isEmailAddress(inner) ? inner : word.trim();
}

/** Splits at separators outside quotation marks and angle brackets; drops blanks. */
function splitOutside(text: string, separator: RegExp): string[] {
  const parts = [''];
  // An unpaired quotation mark is an ordinary character.
  for (const [piece] of text.matchAll(/"[^"]*"|<[^<>]*>|[^"<,;，；]+|./gsu)) {
    if (separator.test(piece) && [...piece].length === 1) parts.push('');
    else parts[parts.length - 1] += piece;
  }
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}

/** Lists of people to invite may have their times. */
const TIMED = { mayHaveTimes: true };

export function InviteAddresses({
  text,
  lines,
  fields,
  onText,
  onSheet,
}: {
  text: string;
  lines: InviteLines;
  fields: readonly PersonField[];
  onText(text: string | ((now: string) => string)): void;
  /** A list was pasted or read whose columns have more than addresses. */
  onSheet(sheet: PeopleSheet): void;
}) {
  const fileId = useId();
  const [over, setOver] = useState(false);
  const add = (list: string, sheet = sheetOf(list, fields, TIMED)) => {
    // A workbook takes a moment, in which someone may type.
    const isListed = saysMore(sheet);
    const found = isListed ? listedAddresses(sheet) : [addressLines(list)];
    onText((now) => withLines(now, ...found));
    if (isListed) onSheet(sheet);
  };

  const addFile = async (file: File | undefined) => {
    if (file === undefined) return;
    try {
      const { text: list, encoded, note } = await readListFile(file);
      add(list, { ...sheetOf(list, fields, TIMED), ...(encoded ? { encoded } : {}) });
      if (note !== null) toast(note);
    } catch (error) {
      showFailure(t('people.list.unreadable', 'Cannot read this file'), whyNotRead(error));
    }
  };
  const paste = (event: ClipboardEvent) => {
    const pasted = event.clipboardData.getData('text');
    const sheet = sheetOf(pasted, fields, TIMED);
    if (!pasted.includes('\t') && !saysMore(sheet)) return;
    event.preventDefault();
    add(pasted, sheet);
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
        label={t('invite.addresses', 'Email addresses')}
        required
        rows={8}
        spellCheck={false}
        autoCapitalize="off"
        placeholder={'name@example.org\nother@example.org'}
        hint={t(
          'invite.addresses.hint',
          'One address per line, or a list copied from Outlook or Gmail. You can also paste a spreadsheet or drop a CSV or Excel file here.',
        )}
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
            {t('invite.addresses.file', 'Add from a CSV or Excel file')}
          </label>
          <input
            id={fileId}
            type="file"
            accept={LIST_FILES}
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

function InviteCounts({ lines }: { lines: InviteLines }) {
  const { valid, invalid, duplicates, head } = lines;
  return (
    <div role="status" className="grid gap-1 text-sm text-ink-2 tabular-nums">
      <p>
        {t(
          /* said of addresses */ 'invite.addresses.counts',
          '{valid, plural, one {{valid} valid} other {{valid} valid}}, {invalid, plural, one {{invalid} invalid} other {{invalid} invalid}}, {duplicates, plural, one {{duplicates} duplicate} other {{duplicates} duplicate}}',
          { valid, invalid: invalid.length, duplicates },
        )}
      </p>
      {head !== undefined && (
        <p className="wrap-anywhere">
          {t(
            /* the row of a list that names its columns */ 'invite.addresses.head',
            'Head row left out: {head}',
            { head },
          )}
        </p>
      )}
    </div>
  );
}
