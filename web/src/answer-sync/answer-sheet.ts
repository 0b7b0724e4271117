/** The answer to one question, and its flag. */
export interface AnswerValue {
  /** The text of the option, of the field, or a JSON array of options (empty = none); on the wire `selectedOption`. */
  answer: string;
  isFlagged: boolean;
}

/** One unacknowledged change; revisions of a question only increase. */
export interface AnswerChange extends AnswerValue {
  questionId: string;
  revision: number;
}

/** A change that the server refused, and why. The screen shows the stored value and a notice. */
export interface AnswerNotice {
  questionId: string;
  /** `conflict`: same revision, different content. `older`: a newer one is stored. `refused`: invalid. */
  reason: 'conflict' | 'older' | 'refused';
  /** The server's message, if any. */
  message: string | null;
}

/**
 * More changes than anyone makes to one question in a visit; the highest revision of the contract is
 * two million times as large.
 */
const LEAP = 1_000;

const NO_ANSWER: AnswerValue = { answer: '', isFlagged: false };

/**
 * The candidate's answers in this browser: displayed values, unacknowledged changes, and the highest
 * revision seen per question. In memory only; it neither stores nor sends.
 */
export class AnswerSheet {
  #values: ReadonlyMap<string, AnswerValue> = new Map();
  readonly #unsent = new Map<string, AnswerChange>();
  readonly #highest = new Map<string, number>();
  /** The amount that is added once to the next revision of a question. */
  #leap = 0;
  readonly #changedSinceLeap = new Set<string>();

  /** The displayed values. A new map after every change, for comparison by identity. */
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

  /** The displayed answers that the server has. */
  get acknowledged(): AnswerChange[] {
    return [...this.#values].flatMap(([questionId, value]) => {
      const revision = this.#highest.get(questionId) ?? 0;
      return revision === 0 || this.#unsent.has(questionId)
        ? []
        : [{ questionId, revision, ...value }];
    });
  }

  /** The highest revision of each question that this device knows, with changes that are not acknowledged. */
  get revisions(): Record<string, number> {
    return Object.fromEntries(this.#highest);
  }

  unsentOf(questionId: string): AnswerChange | undefined {
    return this.#unsent.get(questionId);
  }

  valueOf(questionId: string): AnswerValue {
    return this.#values.get(questionId) ?? NO_ANSWER;
  }

  /**
   * Records a click with the question's next revision, above everything stored or pending; replaces a
   * pending change of the same question. `null` if nothing changed.
   */
  change(questionId: string, change: Partial<AnswerValue>): AnswerChange | null {
    const before = this.valueOf(questionId);
    const value = { ...before, ...change };
    if (sameValue(before, value)) return null;
    const leap = this.#changedSinceLeap.has(questionId) ? 0 : this.#leap;
    this.#changedSinceLeap.add(questionId);
    const revision = (this.#highest.get(questionId) ?? 0) + leap + 1;
    const queued = { questionId, revision, ...value };
    this.#hold(queued);
    return queued;
  }

  /** The server has stored this revision durably. Returns whether a change is no longer pending. */
  acknowledge(questionId: string, revision: number): boolean {
    this.#seen(questionId, revision);
    const waiting = this.#unsent.get(questionId);
    if (waiting === undefined || waiting.revision > revision) return false;
    this.#unsent.delete(questionId);
    return true;
  }

  /**
   * The server's value of a question replaces changes up to `upTo`, but not a later click. Returns
   * whether the displayed value changed.
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
    const { answer, isFlagged } = stored;
    return this.#show(questionId, { answer, isFlagged });
  }

  /**
   * Merges the server's answers with the pending changes of an earlier visit (I8): the higher revision
   * wins, equal ones are already stored. Returns the changes that lost, to be deleted from the store,
   * and notices for the candidate.
   */
  merge(
    stored: readonly AnswerChange[],
    held: readonly AnswerChange[],
  ): { settled: AnswerChange[]; notices: AnswerNotice[] } {
    const settled: AnswerChange[] = [];
    const notices: AnswerNotice[] = [];
    for (const { questionId, revision, ...value } of stored) {
      // A newer one was acknowledged while these were read.
      if (revision < (this.#highest.get(questionId) ?? 0)) continue;
      this.takeStored(questionId, { ...value, revision }, revision - 1);
    }
    const byQuestion = new Map(stored.map((row) => [row.questionId, row]));
    for (const row of held) {
      const theirs = byQuestion.get(row.questionId);
      if (theirs === undefined || row.revision > theirs.revision) {
        // A click of this visit may already be newer.
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
   * The pending changes of an earlier visit could not be read and may reappear, or the answers came from a
   * copy: the first change of each question leaps well above them, so that it never loses to them. What
   * is known stays as it is: a newer answer of the server still replaces it.
   */
  leap(): void {
    this.#leap = LEAP;
    this.#changedSinceLeap.clear();
  }

  #hold(change: AnswerChange): void {
    const { questionId, revision, ...value } = change;
    // Delete first, so that the map is ordered by last click.
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
  return a.answer === b.answer && a.isFlagged === b.isFlagged;
}
