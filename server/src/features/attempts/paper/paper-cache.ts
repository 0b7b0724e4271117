import { Batches } from '../../../db/batches.ts';
import type { Database } from '../../../db/database.ts';
import { isDatabaseAway, timeoutOf } from '../../../db/database-away.ts';
import {
  contentKey,
  listPaperOwners,
  listPapers,
  listUnderWay,
  type PaperPlace,
} from '../../../db/queries/attempts/papers.ts';
import { listQuestionVersions, type QuestionVersionRow } from '../../../db/queries/questions.ts';

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
  /** What a request with an answer to every question takes on the wire at most. */
  answersBytes: number;
  byQuestion: ReadonlyMap<string, PaperEntry>;
}

/** Some 4,000 places: no one else waits long while they are read. */
const MOST_LOADED_AT_ONCE = 100;
/** Of attempts under way; more than one process is meant for. */
const MOST_WARMED = 20_000;
/** A save needs its paper first, and is promised an answer in time. */
const PATIENCE = timeoutOf(5_000, 'a paper was not read in time');

/** Measured with Node 24: 185 bytes for a place in a paper of four options, and a little for the rest. */
const BYTES_PER_ENTRY = 200;
const BYTES_PER_PAPER = 500;
const BYTES_PER_CONTENT = 600;
/** Two for each UTF-16 unit; texts in Latin letters take half of it. */
const BYTES_PER_CHARACTER = 2;

/** Ids, field names and blanks around an answer on the wire. */
const ANSWER_BYTES = 400;
/** A character as a client may escape it (\u00e9). */
const ESCAPED_BYTES = 6;

/** What a question version says, and how many of the papers that are kept hold it. */
class Content implements QuestionContent {
  readonly key: string;
  readonly questionId: string;
  readonly question: string;
  readonly textOf: ReadonlyMap<number, string>;
  readonly idOf: ReadonlyMap<string, number>;
  readonly bytes: number;
  /** Of an answer to it on the wire, at most. */
  readonly answerBytes: number;
  papers = 0;

  constructor(row: QuestionVersionRow) {
    const pairs = row.optionIds.map((id, i) => [id, row.optionTexts[i] ?? ''] as const);
    this.key = contentKey(row.questionId, row.version);
    this.questionId = row.questionId;
    this.question = row.question;
    this.textOf = new Map(pairs);
    this.idOf = new Map(pairs.map(([id, text]) => [text, id]));
    const characters = pairs.reduce((sum, [, text]) => sum + text.length, row.question.length);
    const longest = Math.max(...pairs.map(([, text]) => text.length));
    this.answerBytes = ANSWER_BYTES + ESCAPED_BYTES * longest;
    this.bytes = BYTES_PER_CONTENT + characters * BYTES_PER_CHARACTER;
  }
}

/** A paper with what is counted of its questions. Each of them is on it once. */
interface Loaded extends Paper {
  entries: readonly (PaperEntry & { content: Content })[];
}

interface Kept {
  paper: Promise<Paper | undefined>;
  /** `undefined` while it is being read. */
  loaded?: Loaded;
}

/**
 * Papers and question versions are written once and never change, so they may be remembered without
 * any doubt. This is what keeps the answer path at one database round trip. What is kept is bounded by
 * its bytes; the paper that was not used for longest goes first, and with the last paper that holds
 * it, the content of a question.
 */
export class PaperCache {
  readonly #db: Database;
  readonly #mostBytes: number;
  readonly #loads: Batches<string, Loaded | undefined>;
  /** In the order of their last use. */
  readonly #papers = new Map<string, Kept>();
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
      patience: PATIENCE,
      run: (ids) => this.#load(ids),
    });
  }

  /** What the papers take that are kept now, as estimated. */
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
    const kept: Kept = { paper: loading };
    this.#papers.set(participantId, kept);
    // Neither a failed load nor an attempt that is not there yet may be remembered.
    const forget = () => this.#papers.delete(participantId);
    loading.then((loaded) => (loaded ? this.#keep(kept, loaded) : forget()), forget);
    return kept.paper;
  }

  /** The paper of an attempt that is there; throws otherwise. */
  async get(participantId: string): Promise<Paper> {
    const paper = await this.find(participantId);
    if (!paper) throw new Error(`attempt ${participantId} has no paper`);
    return paper;
  }

  /**
   * Reads the papers of attempts under way, those seen last first, before the first request comes:
   * after a restart they would all be asked for within ten seconds, while nothing is compiled yet.
   * Ends when the time is over or the next ones would push out the first; a failure ends it as well.
   */
  async warm(withinMs: number): Promise<void> {
    const until = performance.now() + withinMs;
    const ids = await listUnderWay(this.#db, MOST_WARMED);
    let before = 0;
    while (ids.length > 0 && performance.now() < until) {
      const some = ids.splice(0, MOST_LOADED_AT_ONCE);
      await Promise.all(some.map((id) => this.find(id)));
      if (this.#bytes + (this.#bytes - before) > this.#mostBytes) return;
      before = this.#bytes;
    }
  }

  #keep(kept: Kept, loaded: Loaded): void {
    kept.loaded = loaded;
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

  /** Several at once, each in its place: after a restart many candidates ask for their papers. */
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
        if (!content) throw new Error(`paper ${id} holds a question version that is not there`);
        return { position, questionId: content.questionId, optionOrder, content };
      });
      const answersBytes = entries.reduce((sum, { content }) => sum + content.answerBytes, 0);
      const byQuestion = new Map(entries.map((e) => [e.questionId, e]));
      return { ...owner, entries, answersBytes, byQuestion };
    });
  }

  /** What these papers ask; what no paper that is kept holds is read. */
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

/** Of a paper without what its questions say. */
function bytesOf({ entries }: Paper): number {
  return BYTES_PER_PAPER + entries.length * BYTES_PER_ENTRY;
}
