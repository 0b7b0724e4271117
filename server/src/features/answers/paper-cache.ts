import type { Database } from '../../db/database.ts';
import { listQuestionVersions } from '../questions/queries.ts';
import { findPaperOwner, getPaper } from './paper-queries.ts';

/** What a question version says; shared by all papers that hold it. Its key may be corrected, so it is not here. */
export interface QuestionContent {
  question: string;
  textOf: ReadonlyMap<number, string>;
  idOf: ReadonlyMap<string, number>;
}

export interface PaperEntry {
  position: number;
  questionId: string;
  optionOrder: readonly number[];
  content: QuestionContent;
}

/** One participant's paper, in its order, and whose it is. */
export interface Paper {
  userId: string;
  quizId: string;
  entries: readonly PaperEntry[];
  byQuestion: ReadonlyMap<string, PaperEntry>;
}

const MOST_PAPERS = 20_000;
const MOST_CONTENTS = 50_000;

/**
 * Papers and question versions are written once and never change, so they may be remembered without
 * any doubt. This is what keeps the answer path at one database round trip.
 */
export class PaperCache {
  readonly #db: Database;
  readonly #papers = new Map<string, Promise<Paper | undefined>>();
  readonly #contents = new Map<string, QuestionContent>();

  constructor(db: Database) {
    this.#db = db;
  }

  /** The paper of an attempt, or `undefined` when there is no such attempt. */
  async find(participantId: string): Promise<Paper | undefined> {
    const known = this.#papers.get(participantId);
    if (known) return known;
    const loading = this.#load(participantId);
    remember(this.#papers, participantId, loading, MOST_PAPERS);
    // Neither a failed load nor an attempt that is not there yet may be remembered.
    const forget = () => this.#papers.delete(participantId);
    loading.then((paper) => paper ?? forget(), forget);
    return loading;
  }

  /** The paper of an attempt that is there; throws otherwise. */
  async get(participantId: string): Promise<Paper> {
    const paper = await this.find(participantId);
    if (!paper) throw new Error(`attempt ${participantId} has no paper`);
    return paper;
  }

  async #load(participantId: string): Promise<Paper | undefined> {
    const owner = await findPaperOwner(this.#db, participantId);
    if (!owner) return undefined;
    const rows = await getPaper(this.#db, participantId);
    const missing = rows
      .filter((row) => !this.#contents.has(contentKey(row.questionId, row.questionVersion)))
      .map((row) => ({ questionId: row.questionId, version: row.questionVersion }));
    const loaded = new Map<string, QuestionContent>();
    for (const v of await listQuestionVersions(this.#db, missing)) {
      const pairs = v.optionIds.map((id, i) => [id, v.optionTexts[i] ?? ''] as const);
      const content = {
        question: v.question,
        textOf: new Map(pairs),
        idOf: new Map(pairs.map(([id, text]) => [text, id])),
      };
      loaded.set(contentKey(v.questionId, v.version), content);
      remember(this.#contents, contentKey(v.questionId, v.version), content, MOST_CONTENTS);
    }
    const entries = rows.map((row) => {
      const key = contentKey(row.questionId, row.questionVersion);
      const content = loaded.get(key) ?? this.#contents.get(key);
      if (!content)
        throw new Error(`paper ${participantId} holds a question version that is not there`);
      return {
        position: row.position,
        questionId: row.questionId,
        optionOrder: row.optionOrder,
        content,
      };
    });
    return { ...owner, entries, byQuestion: new Map(entries.map((e) => [e.questionId, e])) };
  }
}

function contentKey(questionId: string, version: number): string {
  return `${questionId}/${version}`;
}

/** Keeps an entry and lets the oldest one go when there are too many. */
function remember<V>(map: Map<string, V>, key: string, value: V, most: number): void {
  map.set(key, value);
  if (map.size <= most) return;
  const [oldest] = map.keys();
  if (oldest !== undefined) map.delete(oldest);
}
