import type { ImportEnd, ImportItem } from '@invigil/core/contract/assessments/imports';
import { QUESTION_LIMITS } from '@invigil/core/domain/limits';
import { figureText } from '@invigil/core/domain/locale';
import {
  type ColumnUse,
  type FirstRow,
  IMPORT_LIMITS,
} from '@invigil/core/domain/questions/question-files';
import type { Encoding } from '@invigil/core/domain/text-encoding';
import { t } from '@invigil/core/texts/i18n';

/** One item of a file, and what became of it; without a key its question is a draft. */
export type ImportedItem = Omit<ImportItem, 'isDraft' | 'isDuplicate'>;

/** The facts about a file besides its items. None of them is stored. */
export type ReadSummary = ImportEnd;

/** Takes what a file has as it is read, so that a long file is never in memory as a whole. */
export interface ImportSink {
  item(item: ImportedItem): void;
  /** Bytes that texts of later items name by their SHA-256 in hexadecimal; each image once. */
  image(hash: string, bytes: Uint8Array): void;
}

/**
 * An item as it leaves the process that read it. Each field has a bound, whatever the format: what follows
 * holds items by the hundred and shows all of them. No text has what a database cannot store (NUL, half a
 * surrogate pair).
 */
export function boundedItem(item: ImportedItem): ImportedItem {
  const { source, title, notes, tags, categoryPath, ...rest } = mapTexts(item, storable);
  const { tagsMax, tagMaxCharacters } = QUESTION_LIMITS;
  const { labelMaxCharacters, noteMaxCharacters, notesMax, categoriesMax } = IMPORT_LIMITS;
  const { file, identifier, ...line } = source;
  const lost = tags.length > tagsMax ? [tooManyTagsText(tagsMax)] : [];
  return {
    ...rest,
    source: {
      ...line,
      file: cut(file, labelMaxCharacters),
      ...(identifier === undefined ? {} : { identifier: cut(identifier, labelMaxCharacters) }),
    },
    title: cut(title, labelMaxCharacters),
    notes: [...lost, ...notes].slice(0, notesMax).map((note) => cut(note, noteMaxCharacters)),
    tags: tags.slice(0, tagsMax).map((tag) => cut(tag, tagMaxCharacters)),
    categoryPath: categoryPath.slice(0, categoriesMax).map((one) => cut(one, labelMaxCharacters)),
  };
}

const tooManyTagsText = (max: number): string =>
  t(
    /* a question of a file */ 'import.tooManyTags',
    '{max, plural, one {It has more than # tag.} other {It has more than # tags.}}',
    { max },
  );

/** A summary with the first problems, each with a bound. */
export function boundedSummary({ problems, notes, columns, ...rest }: ReadSummary): ReadSummary {
  const { problemsMax, noteMaxCharacters, labelMaxCharacters } = IMPORT_LIMITS;
  const sentences = (all: readonly string[]) =>
    all.slice(0, problemsMax).map((text) => cut(storable(text), noteMaxCharacters));
  const more = problems.length - problemsMax;
  const label = (text: string) => cut(storable(text), labelMaxCharacters);
  return {
    ...rest,
    problems: [...sentences(problems), ...(more > 0 ? [moreProblemsText(more)] : [])],
    ...(notes === undefined ? {} : { notes: sentences(notes) }),
    ...(columns === undefined
      ? {}
      : {
          columns: columns.map(({ head, use, example }) => ({
            head: label(head),
            use,
            example: label(example),
          })),
        }),
  };
}

const moreProblemsText = (more: number): string =>
  t(
    /* ends a list of problems of a file; {figure} is the same number as {more} */ 'import.moreProblems',
    '{more, plural, one {And {figure} more problems.} other {And {figure} more problems.}}',
    { more, figure: figureText(more) },
  );

/** A text, or its beginning with an ellipsis. */
export function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1).toWellFormed()}…`;
}

/** A sentence about a line of a file. */
export const atLine = (line: number, problem: string): string =>
  t(
    /* {problem} is a sentence about a line of a file */ 'import.atLine',
    'Line {line}: {problem}',
    {
      line,
      problem,
    },
  );

/** The text with marks for what a database cannot store: NUL, and half a surrogate pair. */
export function storable(text: string): string {
  return text.replaceAll('\0', '\ufffd').toWellFormed();
}

function mapTexts<T>(value: T, replace: (text: string) => string): T;
function mapTexts(value: unknown, replace: (text: string) => string): unknown {
  if (typeof value === 'string') return replace(value);
  if (Array.isArray(value)) return value.map((one) => mapTexts(one, replace));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, mapTexts(one, replace)]),
  );
}

/** How a person wants a file to be read; absent: as it is likeliest. */
export interface ReadChoices {
  encoding?: Encoding | undefined;
  /** The use of each column of a sheet, in order. */
  columns?: readonly ColumnUse[] | undefined;
  /** The use of the first row of a CSV file that is read by the rules of product 8, whatever its header. */
  firstRow?: FirstRow | undefined;
}

/** A file as it was uploaded. */
export interface UploadedFile extends ReadChoices {
  name: string;
  bytes: Uint8Array;
}

/** The whole file cannot be read; the message is for the person who chose it. */
export class UnreadableFile extends Error {}

/** The whole file is refused, not one part of it. */
export class TooManyItems extends UnreadableFile {}

/** Throws TooManyItems. */
export function refuseTooMany(count: number): void {
  if (count > IMPORT_LIMITS.itemsMax) {
    throw new TooManyItems(
      t(
        'import.tooManyQuestions',
        '{max, plural, one {The file has more than # question. Split it.} other {The file has more than # questions. Split it.}}',
        { max: IMPORT_LIMITS.itemsMax },
      ),
    );
  }
}

/** Reads one format. Throws UnreadableFile. */
export type ReadFile = (file: UploadedFile, sink: ImportSink) => Promise<ReadSummary>;
