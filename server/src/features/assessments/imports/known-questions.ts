import { createHash } from 'node:crypto';
import {
  type QuestionDefinition,
  textsOf,
} from '@invigil/core/domain/questions/question-definition';
import { definitionKey, definitionOf } from '@invigil/core/domain/questions/question-versions';
import type { Queryable } from '../../../db/database.ts';
import { listByText } from '../../../db/queries/question-bank.ts';

/** Questions of the bank and of the file so far, to find the same one again. */
export class KnownQuestions {
  readonly #db: Queryable;
  readonly #seen = new Set<string>();

  constructor(db: Queryable) {
    this.#db = db;
  }

  /**
   * Whether each definition is a duplicate of a question in the bank or of an earlier definition; null
   * is none. Images must have the hashes they are stored under.
   */
  async areDuplicates(definitions: readonly (QuestionDefinition | null)[]): Promise<boolean[]> {
    const texts = definitions.flatMap((definition) => definition?.question ?? []);
    const found = texts.length === 0 ? [] : await listByText(this.#db, texts);
    for (const { version } of found) this.#seen.add(hashOf(definitionOf(version)));
    return definitions.map((definition) => {
      if (!definition) return false;
      const key = hashOf(definition);
      const isDuplicate = this.#seen.has(key);
      this.#seen.add(key);
      return isDuplicate;
    });
  }
}

/** Of what makes questions equal; the texts of a whole file are too much to keep. */
function hashOf(definition: QuestionDefinition): string {
  return createHash('sha256').update(definitionKey(definition)).digest('base64');
}

const IMAGE = /image:([0-9a-f]{64})/g;

/** The hashes of all images that the texts of a definition name. */
export function imagesIn(definition: QuestionDefinition): string[] {
  return textsOf(definition).flatMap((text) =>
    Array.from(text.matchAll(IMAGE), ([, hash = '']) => hash),
  );
}

/** Replaces the hashes of a file's images by those they are stored under; others stay. */
export function withStoredImages(
  definition: QuestionDefinition,
  storedOf: ReadonlyMap<string, string>,
): QuestionDefinition {
  if (storedOf.size === 0) return definition;
  const renamed = (text: string) =>
    text.replace(IMAGE, (_, hash: string) => `image:${storedOf.get(hash) ?? hash}`);
  const { explanation } = definition;
  return {
    ...definition,
    question: renamed(definition.question),
    options: definition.options.map((option) => ({ ...option, text: renamed(option.text) })),
    ...(explanation === undefined ? {} : { explanation: renamed(explanation) }),
  };
}
