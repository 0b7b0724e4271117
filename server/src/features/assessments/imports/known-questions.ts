import {
  type QuestionDefinition,
  textsOf,
} from '@invigil/core/domain/questions/question-definition';
import { definitionOf } from '@invigil/core/domain/questions/question-versions';
import type { Reach } from '@invigil/core/domain/rights';
import type { Queryable } from '../../../db/database.ts';
import { portionsOf } from '../../../db/portions.ts';
import { listCurrentVersions, nextByText } from '../../../db/queries/question-bank.ts';
import { listFormattedByWords } from '../../../db/queries/question-words.ts';
import { digest, hashOf, rewritten, wordsOf } from '../questions/equal-questions.ts';

/** Questions of the bank that are compared between two turns of other requests. */
const AT_A_TIME = 500;
/** The same, of questions whose formatted texts are written anew: 2 ms each. */
const FORMATTED_AT_A_TIME = 20;

/** Questions of the bank or of an assessment, and of the file so far, to find the same one again. */
export class KnownQuestions {
  readonly #db: Queryable;
  readonly #reach: Reach;
  readonly #seen = new Set<string>();
  readonly #quizId: string | null;
  /** Texts whose stored questions are among those seen: thousands may share one. */
  readonly #asked = new Set<string>();
  /** Ids of stored formatted questions by the words of their texts; null: not read yet. */
  #formatted: Map<string, string[]> | null = null;

  /**
   * @param reach only questions in it are known
   * @param quizId the assessment whose questions are known; null: those of the bank
   */
  constructor(db: Queryable, reach: Reach, quizId: string | null) {
    this.#db = db;
    this.#reach = reach;
    this.#quizId = quizId;
  }

  /**
   * Whether each definition is a duplicate of a known question or of an earlier definition; null is none.
   * Images must have the hashes they are stored under.
   */
  async areDuplicates(definitions: readonly (QuestionDefinition | null)[]): Promise<boolean[]> {
    await this.#readBank(definitions.flatMap((definition) => definition?.question ?? []));
    await this.#readFormatted(definitions);
    return definitions.map((definition) => {
      if (!definition) return false;
      const key = hashOf(definition);
      const isDuplicate = this.#seen.has(key);
      this.#seen.add(key);
      return isDuplicate;
    });
  }

  /**
   * Markdown has many spellings of one text, `\\<x>` and `<x>`; files have one of them. Those of the bank are
   * rewritten where the words are the same.
   */
  async #readFormatted(definitions: readonly (QuestionDefinition | null)[]): Promise<void> {
    const others = definitions.filter((one) => one !== null && !this.#seen.has(hashOf(one)));
    if (others.length === 0) return;
    this.#formatted ??= await listFormattedByWords(this.#db, this.#reach, this.#quizId);
    const ids: string[] = [];
    for (const definition of others) {
      const words = definition ? wordsOf(definition) : '';
      ids.push(...(this.#formatted.get(words) ?? []));
      this.#formatted.delete(words);
    }
    for (const some of portionsOf(ids, FORMATTED_AT_A_TIME)) {
      for (const version of await listCurrentVersions(this.#db, some)) {
        const { markdown, shortest } = rewritten(definitionOf(version));
        this.#seen.add(hashOf(markdown)).add(hashOf(shortest));
      }
    }
  }

  async #readBank(questions: readonly string[]): Promise<void> {
    const texts = new Set(questions.filter((text) => !this.#asked.has(digest(text))));
    for (const text of texts) this.#asked.add(digest(text));
    let after: string | null = null;
    while (texts.size > 0) {
      const found = await nextByText(
        this.#db,
        this.#reach,
        this.#quizId,
        [...texts],
        after,
        AT_A_TIME,
      );
      for (const version of found) this.#seen.add(hashOf(definitionOf(version)));
      after = found.at(-1)?.questionId ?? null;
      if (found.length < AT_A_TIME) return;
    }
  }
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
    options: definition.options.map((option) => ({
      ...option,
      text: renamed(option.text),
      ...(option.feedback === undefined ? {} : { feedback: renamed(option.feedback) }),
    })),
    ...(explanation === undefined ? {} : { explanation: renamed(explanation) }),
  };
}
