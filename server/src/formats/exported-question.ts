import { plainTextOf } from '@invigil/core/content/content-facts';
import type {
  Difficulty,
  QuestionDefinition,
} from '@invigil/core/domain/questions/question-definition';

export interface ExportedQuestion {
  definition: QuestionDefinition;
  title: string;
  tags: readonly string[];
  /** The names of its categories, from the outermost inwards. */
  categoryPath: readonly string[];
  difficulty?: Difficulty | undefined;
  /** The author's note; no format has a place for it. */
  note?: string | undefined;
}

/** A question as the bank stores it. */
export type UntitledQuestion = Omit<ExportedQuestion, 'title'>;

const TITLE_CHARACTERS = 80;

/** The beginning of a question's text, on one line. Parses it. */
export function shortTitleOf({ question, format }: QuestionDefinition): string {
  const text = format === 'plain' ? question : plainTextOf(question);
  return text.length <= TITLE_CHARACTERS ? text : `${text.slice(0, TITLE_CHARACTERS - 1).trim()}…`;
}

/** Bytes of an image by its hash; `null` when it is gone. */
export type ImageBytes = (hash: string) => Uint8Array | null;
