import { z } from 'zod';
import { QUESTION_LIMITS } from '../../domain/limits.ts';
import {
  COLUMN_USES,
  EXPORT_FORMATS,
  FILE_FORMATS,
  FIRST_ROWS,
  IMPORT_LIMITS,
  isRepeatable,
} from '../../domain/questions/question-files.ts';
import { ENCODINGS } from '../../domain/text-encoding.ts';
import { t } from '../../texts/i18n.ts';
import { endpoint, Id, Instant } from '../definition/endpoint.ts';
import { BankQuery, DifficultyLevel } from './bank.ts';
import { QuestionDefinition } from './question-definition.ts';

/** One item of a file, in the order of the file, before anything is stored. */
export const ImportItem = z.object({
  /** Identifiers repeat between the files of a package, so an item is named by both. */
  source: z.object({
    file: z.string(),
    identifier: z.string().optional(),
    line: z.int().optional(),
  }),
  title: z.string(),
  /** null: not supported; its images are `image:HASH` with the hash of the file's own bytes. */
  definition: QuestionDefinition.nullable(),
  /** Only if there is no definition: what a row of a sheet has, without its key, for a person to correct. */
  attempt: QuestionDefinition.optional(),
  /** Reports what was changed, or why the item is not supported. */
  notes: z.array(z.string()),
  isDraft: z.boolean(),
  tags: z.array(z.string()),
  difficulty: DifficultyLevel.optional(),
  categoryPath: z.array(z.string()),
  /** A question of the bank, or an earlier item, is the same. */
  isDuplicate: z.boolean(),
});
export type ImportItem = z.infer<typeof ImportItem>;

const ColumnUse = z.enum(COLUMN_USES);

/** The last line: how the file was read. */
export const ImportEnd = z.object({
  format: z.enum(FILE_FORMATS),
  /** Problems of parts of the file that are not items. */
  problems: z.array(z.string()),
  /** Further notes: rows above the header, columns that are not used. */
  notes: z.array(z.string()).optional(),
  /** Only for a text file without markup (CSV, GIFT, Aiken). */
  encoding: z.enum(ENCODINGS).optional(),
  /** The columns of a sheet in order, with their heads and first cells; without a header, '' as head. */
  columns: z
    .array(
      z.object({
        ...{ head: z.string(), use: ColumnUse, example: z.string() },
        /** The cells of the first rows, blank ones too. */
        cells: z.array(z.string()).optional(),
      }),
    )
    .optional(),
  /** Only for a file read by `firstRow`: its first row would be a valid question. */
  isFirstRowQuestion: z.boolean().optional(),
});
export type ImportEnd = z.infer<typeof ImportEnd>;

/** A line of the response: each has exactly one of the fields. */
export const ImportLine = z.object({
  item: ImportItem.optional(),
  /** An image of the items, for the preview; large ones are left out. */
  image: z.object({ hash: z.string(), mediaType: z.string(), base64: z.string() }).optional(),
  end: ImportEnd.optional(),
  /** The last line of a file that cannot be read. */
  error: z.string().optional(),
});
export type ImportLine = z.infer<typeof ImportLine>;

/** Both calls send the same file: nothing of it is stored between them. */
const File = z.instanceof(Uint8Array);

const ColumnUses = z
  .array(ColumnUse)
  .max(IMPORT_LIMITS.columnsMax)
  .refine((uses) => uses.every((use, i) => isRepeatable(use) || uses.indexOf(use) === i), {
    error: () =>
      t(
        /* of a table of questions */ 'field.severalColumns',
        'Only options can have several columns',
      ),
  });

/** How a person wants the file to be read; absent: as it is likeliest. Both calls need the same. */
const FileChoices = {
  /** Only for a text file without markup. */
  encoding: z.enum(ENCODINGS).optional(),
  /**
   * Reads a CSV file by the rules of product 8, whatever its header: question, two to four options, key.
   * Its first row is skipped as the header, or is a question.
   */
  firstRow: z.enum(FIRST_ROWS).optional(),
};

export const readImport = endpoint(
  'POST /api/questions/import/read',
  ['anywhere: questions.edit'],
  {
    audit: { none: 'reads only' },
    summary:
      'Read a question file (the body) and return every item, one JSON object per line; stores nothing',
    query: z.object({
      name: z.string().max(500),
      ...FileChoices,
      /** The use of each column of a sheet, in order: `number,question,option,option,answer`. */
      columns: z
        .string()
        .max(1_000)
        .transform((list) => list.split(','))
        .pipe(ColumnUses)
        .optional(),
    }),
    body: File,
    responses: { 200: z.unknown() },
    errors: ['TOO_LARGE', 'IMPORT_BUSY'],
    bodyLimit: IMPORT_LIMITS.fileMaxBytes,
    consumes: ['application/octet-stream'],
    produces: 'application/x-ndjson',
    isBulk: true,
    cost: 50,
  },
);

/** The first line of the body, before the file: what to import of it. */
export const ImportOrder = z.object({
  name: z.string().max(500),
  ...FileChoices,
  columns: ColumnUses.optional(),
  /** Positions of the items to import, from 0; absent: all that are supported. */
  items: z.array(z.int().min(0)).max(100_000).optional(),
  /** Items that a person corrected before the import, each with the question that is stored instead. */
  changed: z
    .array(z.object({ item: z.int().min(0), definition: QuestionDefinition }))
    .max(1_000, {
      error: () =>
        t(
          'field.changedQuestions',
          '{max, plural, one {At most # changed question at a time} other {At most # changed questions at a time}}',
          { max: 1_000 },
        ),
    })
    .optional(),
  /** The assessment they shall belong to; null: to the bank only. */
  quizId: Id.nullable().default(null),
  /** Duplicates are left out unless this is set. */
  withDuplicates: z.boolean().default(false),
  /** Added to each, beside the file's own tags and category. */
  tags: z
    .array(z.string().trim().min(1).max(QUESTION_LIMITS.tagMaxCharacters))
    .max(QUESTION_LIMITS.tagsMax)
    .default([]),
  /** Goes on when its caller leaves, and is found under this id (`listWorks`). */
  work: Id.optional(),
});

/** The questions that an import has added. */
export const Imported = z.object({
  added: z.int(),
  /** The ids of the added questions, in their order. */
  ids: z.array(z.string()),
  duplicates: z.int(),
  /** The `createdAt` of each, by which the bank lists them. */
  createdAt: Instant,
  /** Items that could not be imported, with the reason: an image that cannot be read, for one. */
  left: z.array(z.object({ title: z.string(), reason: z.string() })),
  /** The encoding in which the file was read; only for a text file without markup. */
  encoding: z.enum(ENCODINGS).optional(),
});

export const importFile = endpoint('POST /api/questions/import', ['anywhere: questions.edit'], {
  audit: 'questions.imported',
  summary:
    'Add the items of a question file, all or nothing. The body: one line of JSON (what to import), then the file',
  body: File,
  responses: {
    201: Imported,
  },
  errors: ['NOT_FOUND', 'TOO_LARGE', 'IMPORT_BUSY', 'WORK_BEGUN', 'INVALID_QUESTIONS'],
  bodyLimit: IMPORT_LIMITS.fileMaxBytes + IMPORT_LIMITS.orderMaxBytes,
  consumes: ['application/octet-stream'],
  isBulk: true,
  cost: 50,
});

const ExportQuery = BankQuery.omit({ limit: true, offset: true }).extend({
  format: z.enum(EXPORT_FORMATS, {
    error: () => t(/* of a file */ 'field.exportFormat', 'Select a format'),
  }),
});

export const checkExport = endpoint(
  'GET /api/questions/export/check',
  ['anywhere: questions.edit'],
  {
    summary: 'What a format cannot hold of the questions that a filter selects',
    query: ExportQuery,
    responses: {
      200: z.object({
        /** How many questions the file has. */
        questions: z.int(),
        /** How many lose something or are left out, and how many for each reason, most first. */
        affected: z.int(),
        reasons: z.array(z.object({ reason: z.string(), questions: z.int() })),
        /** The first thousand. */
        losses: z.array(
          z.object({ id: z.string(), title: z.string(), reasons: z.array(z.string()) }),
        ),
      }),
    },
    errors: ['TOO_LARGE'],
    cost: 50,
  },
);

export const exportQuestions = endpoint('GET /api/questions/export', ['anywhere: questions.edit'], {
  audit: 'questions.exported',
  summary:
    'The questions that a filter selects as a file; what the format cannot hold of a question is lost',
  query: ExportQuery,
  responses: { 200: z.unknown() },
  errors: ['TOO_LARGE', 'IMPORT_BUSY'],
  produces: 'application/octet-stream',
  cost: 50,
});
