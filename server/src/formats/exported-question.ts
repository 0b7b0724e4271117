import type {
  Difficulty,
  QuestionDefinition,
} from '@invigil/core/domain/questions/question-definition';

/** A question as it is written into a file of any format. */
export interface ExportedQuestion {
  definition: QuestionDefinition;
  title: string;
  tags: readonly string[];
  /** From the outermost category inwards. */
  categoryPath: readonly string[];
  difficulty?: Difficulty | undefined;
  /** The author's note; no format has a place for it. */
  note?: string | undefined;
}

/** Bytes of an image by its hash; `null` when it is gone. */
export type ImageBytes = (hash: string) => Uint8Array | null;
