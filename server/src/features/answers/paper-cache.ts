import { Batches } from '../../db/batches.ts';
import type { Database } from '../../db/database.ts';
import { isDatabaseAway, patienceOf } from '../../db/database-away.ts';
import { listQuestionVersions } from '../questions/queries.ts';
import { listPaperOwners, listPapers, type PaperRow } from './paper-queries.ts';

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
/** Some 4,000 rows: nobody else waits long while they are read. */
const MOST_LOADED_AT_ONCE = 100;
/** A save needs its paper first, and is promised an answer in time. */
const PATIENCE = patienceOf(5_000, 'a paper was not read in time');

/**
 * Papers and question versions are written once and never change, so they may be remembered without
 * any doubt. This is what keeps the answer path at one database round trip.
 */
export class PaperCache {
  readonly #db: Database;
  readonly #loads: Batches<string, Paper | undefined>;
  readonly #papers = new Map<string, Promise<Paper | undefined>>();
  readonly #contents = new Map<string, QuestionContent>();

  constructor(db: Database) {
    this.#db = db;
    this.#loads = new Batches<string, Paper | undefined>({
      keyOf: (id) => id,
      most: MOST_LOADED_AT_ONCE,
      isForAll: isDatabaseAway,
      patience: PATIENCE,
      run: (ids) => this.#load(ids),
    });
  }

  /** The paper of an attempt, or `undefined` when there is no such attempt. */
  async find(participantId: string): Promise<Paper | undefined> {
    const known = this.#papers.get(participantId);
    if (known) return known;
    const loading = this.#loads.add(participantId);
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

  /** Several at once, each in its place: after a restart a whole hall asks for its papers. */
  async #load(ids: string[]): Promise<(Paper | undefined)[]> {
    const owners = new Map(
      (await listPaperOwners(this.#db, ids)).map(({ id, ...owner }) => [id, owner]),
    );
    const rows = await listPapers(this.#db, [...owners.keys()]);
    const contents = await this.#contentsOf(rows);
    const papers = Map.groupBy(rows, (row) => row.participantId);
    return ids.map((id) => {
      const owner = owners.get(id);
      if (!owner) return undefined;
      const entries = (papers.get(id) ?? []).map((row) => {
        const content = contents.get(contentKey(row.questionId, row.questionVersion));
        if (!content) throw new Error(`paper ${id} holds a question version that is not there`);
        const { position, questionId, optionOrder } = row;
        return { position, questionId, optionOrder, content };
      });
      return { ...owner, entries, byQuestion: new Map(entries.map((e) => [e.questionId, e])) };
    });
  }

  async #contentsOf(rows: readonly PaperRow[]): Promise<Map<string, QuestionContent>> {
    const contents = new Map<string, QuestionContent>();
    const missing = new Map<string, { questionId: string; version: number }>();
    for (const { questionId, questionVersion: version } of rows) {
      const key = contentKey(questionId, version);
      const known = this.#contents.get(key);
      if (known) contents.set(key, known);
      else missing.set(key, { questionId, version });
    }
    for (const v of await listQuestionVersions(this.#db, [...missing.values()])) {
      const pairs = v.optionIds.map((id, i) => [id, v.optionTexts[i] ?? ''] as const);
      const content = {
        question: v.question,
        textOf: new Map(pairs),
        idOf: new Map(pairs.map(([id, text]) => [text, id])),
      };
      contents.set(contentKey(v.questionId, v.version), content);
      remember(this.#contents, contentKey(v.questionId, v.version), content, MOST_CONTENTS);
    }
    return contents;
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
