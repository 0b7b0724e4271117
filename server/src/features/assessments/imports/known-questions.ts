import { createHash } from 'node:crypto';
import {
  type QuestionDefinition,
  textsOf,
} from '@invigil/core/domain/questions/question-definition';
import { definitionKey, definitionOf } from '@invigil/core/domain/questions/question-versions';
import type { Queryable } from '../../../db/database.ts';
import { nextByText } from '../../../db/queries/question-bank.ts';

/** Questions of the bank that are compared between two turns of other requests. */
const AT_A_TIME = 500;

/** Questions of the bank and of the file so far, to find the same one again. */
export class KnownQuestions {
  readonly #db: Queryable;
  readonly #seen = new Set<string>();
  /** Texts whose questions in the bank are among those seen: thousands may share one. */
  readonly #asked = new Set<string>();

  constructor(db: Queryable) {
    this.#db = db;
  }

  /**
   * Whether each definition is a duplicate of a question in the bank or of an earlier definition; null
   * is none. Images must have the hashes they are stored under.
   */
  async areDuplicates(definitions: readonly (QuestionDefinition | null)[]): Promise<boolean[]> {
    await this.#readBank(definitions.flatMap((definition) => definition?.question ?? []));
    return definitions.map((definition) => {
      if (!definition) return false;
      const key = hashOf(definition);
      const isDuplicate = this.#seen.has(key);
      this.#seen.add(key);
      return isDuplicate;
    });
  }

  async #readBank(questions: readonly string[]): Promise<void> {
    const texts = new Set(questions.filter((text) => !this.#asked.has(digest(text))));
    for (const text of texts) this.#asked.add(digest(text));
    let after: string | null = null;
    while (texts.size > 0) {
      const found = await nextByText(this.#db, [...texts], after, AT_A_TIME);
      for (const version of found) this.#seen.add(hashOf(definitionOf(version)));
      after = found.at(-1)?.questionId ?? null;
      if (found.length < AT_A_TIME) return;
    }
  }
}

/** Of what makes questions equal; the texts of a whole file are too much to keep. */
function hashOf(definition: QuestionDefinition): string {
  return digest(definitionKey(definition));
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64');
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
