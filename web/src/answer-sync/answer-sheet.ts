/** What a candidate selected for one question: the option's whole text (empty = none) and the flag. */
export interface AnswerValue {
  selectedOption: string;
  isFlagged: boolean;
}

/** One change on its way to the server; per question its revision only grows. */
export interface AnswerChange extends AnswerValue {
  questionId: string;
  revision: number;
}

/** A change the server did not take, and why. The screen shows the stored value and says so. */
export interface AnswerNotice {
  questionId: string;
  /** `conflict`: same revision, other content. `older`: a newer one was stored. `refused`: not valid. */
  reason: 'conflict' | 'older' | 'refused';
  /** The server's sentence, where it gave one. */
  message: string | null;
}

/**
 * More changes than anyone makes to one question in a visit whose changes cannot be read back; the
 * highest revision of the contract is two million times as much.
 */
const LEAP = 1_000;

const NO_ANSWER: AnswerValue = { selectedOption: '', isFlagged: false };

/**
 * The candidate's answers as this browser knows them: what the screen shows, what is not yet
 * acknowledged, and the highest revision seen per question. Pure memory; storing and sending are
 * done by others.
 */
export class AnswerSheet {
  #values: ReadonlyMap<string, AnswerValue> = new Map();
  readonly #unsent = new Map<string, AnswerChange>();
  readonly #highest = new Map<string, number>();
  /** What a question begins from of which nothing is known. */
  #lowest = 0;

  /** What the screen shows. A new map after every change, so that it can be compared by identity. */
  get values(): ReadonlyMap<string, AnswerValue> {
    return this.#values;
  }

  /** Changes that the server has not acknowledged, oldest first. */
  get unsent(): readonly AnswerChange[] {
    return [...this.#unsent.values()];
  }

  get unsentCount(): number {
    return this.#unsent.size;
  }

  unsentOf(questionId: string): AnswerChange | undefined {
    return this.#unsent.get(questionId);
  }

  valueOf(questionId: string): AnswerValue {
    return this.#values.get(questionId) ?? NO_ANSWER;
  }

  /**
   * A click. Gives the question its next revision, above everything stored or held; a change of the
   * same question that still waits is replaced by it. `null` when nothing is different.
   */
  change(questionId: string, change: Partial<AnswerValue>): AnswerChange | null {
    const before = this.valueOf(questionId);
    const value = { ...before, ...change };
    if (sameValue(before, value)) return null;
    const revision = (this.#highest.get(questionId) ?? this.#lowest) + 1;
    const queued = { questionId, revision, ...value };
    this.#hold(queued);
    return queued;
  }

  /** The server has this revision on stable storage. Says whether something stopped waiting. */
  acknowledge(questionId: string, revision: number): boolean {
    this.#seen(questionId, revision);
    const waiting = this.#unsent.get(questionId);
    if (waiting === undefined || waiting.revision > revision) return false;
    this.#unsent.delete(questionId);
    return true;
  }

  /**
   * The server's value of a question wins over changes up to `upTo`. A click that came later stays,
   * and is shown. Says whether the screen's value changed.
   */
  takeStored(
    questionId: string,
    stored: AnswerValue & { revision: number },
    upTo: number,
  ): boolean {
    this.#seen(questionId, stored.revision);
    const waiting = this.#unsent.get(questionId);
    if (waiting !== undefined && waiting.revision > upTo) return false;
    this.#unsent.delete(questionId);
    const { selectedOption, isFlagged } = stored;
    return this.#show(questionId, { selectedOption, isFlagged });
  }

  /**
   * Joins the server's answers with what an earlier visit still held (attempt.md I8): the higher
   * revision wins, equal ones are already stored. Returns the changes that lost, for the store to
   * forget, and those the candidate must hear about.
   */
  merge(
    stored: readonly AnswerChange[],
    held: readonly AnswerChange[],
  ): { settled: AnswerChange[]; notices: AnswerNotice[] } {
    const settled: AnswerChange[] = [];
    const notices: AnswerNotice[] = [];
    for (const { questionId, revision, ...value } of stored) {
      this.takeStored(questionId, { ...value, revision }, revision - 1);
    }
    const byQuestion = new Map(stored.map((row) => [row.questionId, row]));
    for (const row of held) {
      const theirs = byQuestion.get(row.questionId);
      if (theirs === undefined || row.revision > theirs.revision) {
        // A click of this visit may already be newer than what the last one left.
        const waiting = this.#unsent.get(row.questionId);
        if (waiting === undefined || waiting.revision < row.revision) this.#hold(row);
        continue;
      }
      settled.push(row);
      if (!sameValue(row, theirs)) {
        const reason = row.revision === theirs.revision ? 'conflict' : 'older';
        notices.push({ questionId: row.questionId, reason, message: null });
      }
    }
    return { settled, notices };
  }

  /**
   * What an earlier visit held could not be read and may turn up later: revisions begin well above
   * it, so that a newer answer never loses to it.
   */
  leap(): void {
    this.#lowest = LEAP;
    for (const [id, revision] of this.#highest) this.#highest.set(id, revision + LEAP);
  }

  #hold(change: AnswerChange): void {
    const { questionId, revision, ...value } = change;
    // Taken out first, so that the order of the map is the order of the last click.
    this.#unsent.delete(questionId);
    this.#unsent.set(questionId, change);
    this.#seen(questionId, revision);
    this.#show(questionId, value);
  }

  #seen(questionId: string, revision: number): void {
    const highest = this.#highest.get(questionId) ?? 0;
    if (revision > highest) this.#highest.set(questionId, revision);
  }

  #show(questionId: string, value: AnswerValue): boolean {
    if (sameValue(this.valueOf(questionId), value)) return false;
    this.#values = new Map(this.#values).set(questionId, value);
    return true;
  }
}

function sameValue(a: AnswerValue, b: AnswerValue): boolean {
  return a.selectedOption === b.selectedOption && a.isFlagged === b.isFlagged;
}
