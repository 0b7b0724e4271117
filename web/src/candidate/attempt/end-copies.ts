import type { OwnParticipant, Summary } from '@invigil/core/contract/own-participant';
import type { AttemptSnapshot, EndedBy } from './attempt-state.ts';
import { copyCompletion, copyDismissal, readEndMarks, removeAnswerCopies } from './local-copies.ts';
import { summaryBefore } from './summary-before.ts';

export interface EndCopiesDeps {
  read(): Pick<AttemptSnapshot, 'sync' | 'violationCount'>;
  /** Milliseconds since the start; `null` on a page that has not seen the attempt run. */
  passedMs(): number | null;
  /** Where a dismissal would say that it happened. */
  fromPage(): string;
}

/**
 * The copies of an end, which the last pages open by. A page that was loaded after the end knows
 * little of it, and leaves what was noted before.
 */
export class EndCopies {
  readonly #deps: EndCopiesDeps;

  constructor(deps: EndCopiesDeps) {
    this.#deps = deps;
  }

  /** What this page knows before the server has spoken. */
  before(participant: OwnParticipant, by: EndedBy): void {
    const { sync, violationCount } = this.#deps.read();
    const passedMs = this.#deps.passedMs();
    const known = passedMs !== null;
    const summary = summaryBefore(participant, by, {
      passedMs,
      values: sync.values,
      violationCount,
    });
    const marks = readEndMarks();
    if (known || !marks.completed) copyCompletion(summary, by === 'time');
    if (by === 'dismissal' && (known || !marks.dismissed)) this.#dismissal(summary);
  }

  /** The server's word. What was selected is no one's business any more who sits down here next. */
  after(summary: Summary, by: EndedBy): void {
    copyCompletion(summary, by === 'time');
    if (summary.status === 'dismissed' && this.#deps.passedMs() !== null) this.#dismissal(summary);
    removeAnswerCopies();
  }

  #dismissal(summary: Summary): void {
    const { sync } = this.#deps.read();
    const flagged = [...sync.values.values()].filter((value) => value.isFlagged).length;
    copyDismissal(summary, this.#deps.fromPage(), flagged);
  }
}
