import type {
  Difficulty,
  QuestionDefinition,
} from '@invigil/core/domain/questions/question-definition';
import { type FileFormat, IMPORT_LIMITS } from '@invigil/core/domain/questions/question-files';

/** Where in the uploaded file an item is; identifiers repeat between the files of a package. */
export interface ItemSource {
  /** Path inside the package; the name of the uploaded file where there is none. */
  file: string;
  /** The item's own identifier or name, as the file has it. */
  identifier?: string;
  /** 1-based line or row */
  line?: number;
}

/** One item of a file, and what became of it. */
export interface ImportedItem {
  source: ItemSource;
  /** For lists: the item's title, or the beginning of its text. */
  title: string;
  /**
   * The question; without a key it is a draft. Images in its texts are `image:HASH` with the SHA-256 of
   * the file's own bytes, before re-encoding. `null`: not supported.
   */
  definition: QuestionDefinition | null;
  /** Sentences: what was changed, or why the item is not supported. Empty: taken over as it is. */
  notes: string[];
  tags: string[];
  difficulty?: Difficulty;
  /** Category of the file, from the outermost inwards. */
  categoryPath: string[];
}

/** Takes what a file has as it is read, so that a long file is never in memory as a whole. */
export interface ImportSink {
  item(item: ImportedItem): void;
  /** Bytes that texts of later items name by their SHA-256 in hexadecimal; each image once. */
  image(hash: string, bytes: Uint8Array): void;
}

/** What is said about a file besides its items. Nothing of it is stored. */
export interface ReadSummary {
  format: FileFormat;
  /** Sentences about parts that are not items: a broken file of a package, for one, with its name. */
  problems: string[];
}

/** The whole file cannot be read; the message is for the person who chose it. */
export class UnreadableFile extends Error {}

/** The whole file is refused, not one part of it. */
export class TooManyItems extends UnreadableFile {}

/** Throws TooManyItems. */
export function refuseTooMany(count: number): void {
  if (count > IMPORT_LIMITS.itemsMax) {
    const most = IMPORT_LIMITS.itemsMax.toLocaleString('en-GB');
    throw new TooManyItems(`The file has more than ${most} questions. Split it.`);
  }
}

/** Reads one format. Throws UnreadableFile. */
export type ReadFile = (
  file: { name: string; bytes: Uint8Array },
  sink: ImportSink,
) => Promise<ReadSummary>;
