import { QUESTION_LIMITS } from '@invigil/core/domain/limits';
import { itemsOf } from '@invigil/core/domain/questions/matching-options';
import { isInRows, isSeveralChoice } from '@invigil/core/domain/questions/question-definition';
import { typeIn } from '@invigil/core/domain/questions/types/question-types';
import { Batches } from '../../db/batches.ts';
import type { Database } from '../../db/database.ts';
import { isDatabaseAway, timeoutOf } from '../../db/database-away.ts';
import {
  contentKey,
  listInProgress,
  listPaperOwners,
  listPapers,
  type PaperPlace,
} from '../../db/queries/attempts/papers.ts';
import { listQuestionVersions, type QuestionVersionRow } from '../../db/queries/questions.ts';
import { type ShownDetails, shownOf } from '../assessments/questions/present.ts';

/** A question version's content, shared by papers; without its key, which may be corrected. */
export interface QuestionContent {
  question: string;
  details: ShownDetails | null;
  textOf: ReadonlyMap<number, string>;
  idOf: ReadonlyMap<string, number>;
}

export interface PaperEntry {
  position: number;
  questionId: string;
  optionOrder: readonly number[];
  content: QuestionContent;
}

/** One participant's paper, in its order, with its owner. */
export interface Paper {
  userId: string;
  quizId: string;
  entries: readonly PaperEntry[];
  /** The most that a request with an answer to every question takes on the wire. */
  answersBytes: number;
  byQuestion: ReadonlyMap<string, PaperEntry>;
}

/** Some 4,000 places: a short read, so that other queries do not wait long. */
const MOST_LOADED_AT_ONCE = 100;
/** More attempts in progress than one process is meant for. */
const MOST_WARMED = 20_000;
/** A save needs its paper first, and must be answered in time. */
const TIMEOUT = timeoutOf(5_000, 'a paper was not read in time');

/** Measured with Node 24: 185 bytes per place in a paper of four options, rounded up. */
const BYTES_PER_ENTRY = 200;
const BYTES_PER_PAPER = 500;
const BYTES_PER_CONTENT = 600;
/** Two for each UTF-16 unit; Latin texts take half of it. */
const BYTES_PER_CHARACTER = 2;

/** Ids, field names and spaces around an answer on the wire. */
const ANSWER_BYTES = 400;
/** A character as a client may escape it (\u00e9). */
const ESCAPED_BYTES = 6;

/** Quotation marks and a comma. */
const BETWEEN_TEXTS = 3;

/** A question version's content, and how many cached papers hold it. */
class Content implements QuestionContent {
  readonly key: string;
  readonly questionId: string;
  readonly question: string;
  readonly details: ShownDetails | null;
  readonly textOf: ReadonlyMap<number, string>;
  readonly idOf: ReadonlyMap<string, number>;
  readonly bytes: number;
  /** The most that an answer to it takes on the wire. */
  readonly answerBytes: number;
  papers = 0;

  constructor(row: QuestionVersionRow) {
    const pairs = row.optionIds.map((id, i) => [id, row.optionTexts[i] ?? ''] as const);
    this.key = contentKey(row.questionId, row.version);
    this.questionId = row.questionId;
    this.question = row.question;
    this.details = row.details && shownOf(row.details);
    this.textOf = new Map(pairs);
    this.idOf = new Map(pairs.map(([id, text]) => [text, id]));
    const characters = pairs.reduce((sum, [, text]) => sum + text.length, row.question.length);
    this.answerBytes = ANSWER_BYTES + ESCAPED_BYTES * longestAnswer(row);
    this.bytes = BYTES_PER_CONTENT + characters * BYTES_PER_CHARACTER;
  }
}

/** The same for a version that no paper holds. */
export const contentOf = (row: QuestionVersionRow): QuestionContent => new Content(row);

/** Characters: the longest option, once for each item to match; all where several count; or a typed text. */
function longestAnswer({ optionTexts, details }: QuestionVersionRow): number {
  const lengths = optionTexts.map((text) => text.length);
  const type = typeIn(details);
  const items = itemsOf(details?.options ?? []).length;
  if (items > 0) return items * (Math.max(...lengths) + BETWEEN_TEXTS);
  if (!isSeveralChoice(type) && !isInRows(type)) {
    return Math.max(
      optionTexts.length === 0 ? QUESTION_LIMITS.shortTextMaxCharacters : 0,
      ...lengths,
    );
  }
  return lengths.reduce((sum, length) => sum + length + BETWEEN_TEXTS, 0);
}

/** A paper with the totals over its questions, each counted once. */
interface Loaded extends Paper {
  entries: readonly (PaperEntry & { content: Content })[];
}

interface Cached {
  paper: Promise<Paper | undefined>;
  /** `undefined` while it is being read. */
  loaded?: Loaded;
}

/**
 * Papers and question versions never change once written, so caching them is safe. This keeps the answer
 * path at one database round trip. The cache is bounded by bytes and evicts the least recently used
 * paper; a question's content leaves with the last paper that holds it.
 */
export class PaperCache {
  readonly #db: Database;
  readonly #mostBytes: number;
  readonly #loads: Batches<string, Loaded | undefined>;
  /** Papers in the order of their last use. */
  readonly #papers = new Map<string, Cached>();
  readonly #contents = new Map<string, Content>();
  #bytes = 0;

  /** @param mostBytes how much memory the papers may take, as estimated from their texts and places */
  constructor(db: Database, mostBytes: number) {
    this.#db = db;
    this.#mostBytes = mostBytes;
    this.#loads = new Batches<string, Loaded | undefined>({
      keyOf: (id) => id,
      most: MOST_LOADED_AT_ONCE,
      isForAll: isDatabaseAway,
      timeout: TIMEOUT,
      run: (ids) => this.#load(ids),
    });
  }

  /** Estimated bytes of the cached papers. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The paper of an attempt, or `undefined` when there is no such attempt. */
  async find(participantId: string): Promise<Paper | undefined> {
    const known = this.#papers.get(participantId);
    if (known) {
      this.#papers.delete(participantId);
      this.#papers.set(participantId, known);
      return known.paper;
    }
    const loading = this.#loads.add(participantId);
    const cached: Cached = { paper: loading };
    this.#papers.set(participantId, cached);
    // Neither a failed load nor a missing attempt may be cached.
    const forget = () => this.#papers.delete(participantId);
    loading.then((loaded) => (loaded ? this.#keep(cached, loaded) : forget()), forget);
    return cached.paper;
  }

  /** The paper of an existing attempt; throws when there is none. */
  async get(participantId: string): Promise<Paper> {
    const paper = await this.find(participantId);
    if (!paper) throw new Error(`attempt ${participantId} has no paper`);
    return paper;
  }

  /**
   * Loads the papers of attempts in progress, last seen first, before the first request: after a restart
   * they would all be requested within ten seconds, while no code is compiled yet. Ends at the time
   * limit, when the cache is full, or on a failure.
   */
  async warm(withinMs: number): Promise<void> {
    const until = performance.now() + withinMs;
    const ids = await listInProgress(this.#db, MOST_WARMED);
    let before = 0;
    while (ids.length > 0 && performance.now() < until) {
      const some = ids.splice(0, MOST_LOADED_AT_ONCE);
      await Promise.all(some.map((id) => this.find(id)));
      if (this.#bytes + (this.#bytes - before) > this.#mostBytes) return;
      before = this.#bytes;
    }
  }

  #keep(cached: Cached, loaded: Loaded): void {
    cached.loaded = loaded;
    this.#bytes += bytesOf(loaded);
    for (const { content } of loaded.entries) {
      if (content.papers === 0) this.#bytes += content.bytes;
      content.papers += 1;
      this.#contents.set(content.key, content);
    }
    for (const [id, oldest] of this.#papers) {
      if (this.#bytes <= this.#mostBytes) return;
      if (oldest.loaded) this.#drop(id, oldest.loaded);
    }
  }

  #drop(id: string, loaded: Loaded): void {
    this.#papers.delete(id);
    this.#bytes -= bytesOf(loaded);
    for (const { content } of loaded.entries) {
      content.papers -= 1;
      if (content.papers > 0) continue;
      this.#bytes -= content.bytes;
      if (this.#contents.get(content.key) === content) this.#contents.delete(content.key);
    }
  }

  /** Several at once, in their order: after a restart many candidates request their papers. */
  async #load(ids: string[]): Promise<(Loaded | undefined)[]> {
    const owners = new Map(
      (await listPaperOwners(this.#db, ids)).map(({ id, ...owner }) => [id, owner]),
    );
    const papers = await listPapers(this.#db, [...owners.keys()]);
    const contents = await this.#contentsOf(papers.values());
    return ids.map((id) => {
      const owner = owners.get(id);
      if (!owner) return undefined;
      const entries = (papers.get(id) ?? []).map(({ position, content: key, optionOrder }) => {
        const content = contents.get(key);
        if (!content) throw new Error(`paper ${id} has an unknown question version`);
        return { position, questionId: content.questionId, optionOrder, content };
      });
      const answersBytes = entries.reduce((sum, { content }) => sum + content.answerBytes, 0);
      const byQuestion = new Map(entries.map((e) => [e.questionId, e]));
      return { ...owner, entries, answersBytes, byQuestion };
    });
  }

  /** The content of these papers' questions; reads only what no cached paper holds. */
  async #contentsOf(papers: Iterable<PaperPlace[]>): Promise<Map<string, Content>> {
    const contents = new Map<string, Content>();
    const missing = new Set<string>();
    for (const places of papers) {
      for (const { content: key } of places) {
        if (contents.has(key) || missing.has(key)) continue;
        const known = this.#contents.get(key);
        if (known) contents.set(key, known);
        else missing.add(key);
      }
    }
    const wanted = Array.from(missing, (key) => {
      const [questionId = '', version] = key.split('/');
      return { questionId, version: Number(version) };
    });
    for (const row of await listQuestionVersions(this.#db, wanted)) {
      const content = new Content(row);
      contents.set(content.key, content);
    }
    return contents;
  }
}

/** The size of a paper without its questions' content. */
function bytesOf({ entries }: Paper): number {
  return BYTES_PER_PAPER + entries.length * BYTES_PER_ENTRY;
}
