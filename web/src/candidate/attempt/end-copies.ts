import type { OwnParticipant, Summary } from '@invigil/core/contract/attempts/own-participant';
import { wipeOfflineCopies } from '../../lib/person/offline-copies.ts';
import type { AttemptSnapshot, EndedBy } from './attempt-state.ts';
import { copyCompletion, copyDismissal, readEndMarks, removeAnswerCopies } from './local-copies.ts';
import { summaryBefore } from './summary-before.ts';

export interface EndCopiesDeps {
  read(): Pick<AttemptSnapshot, 'sync' | 'violationCount'>;
  /** Milliseconds since the start; `null` on a page that has not seen the attempt run. */
  passedMs(): number | null;
  /** The page that a dismissal would name. */
  fromPage(): string;
}

/**
 * Local copies about the end, which the last pages use. A page loaded after the end knows little of it
 * and keeps existing copies.
 */
export class EndCopies {
  readonly #deps: EndCopiesDeps;

  constructor(deps: EndCopiesDeps) {
    this.#deps = deps;
  }

  /** Writes what this page knows before the server's response. */
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

  /** Writes the server's summary and removes the answers: the next user of the machine must not see them. */
  after(summary: Summary, by: EndedBy): void {
    copyCompletion(summary, by === 'time');
    if (summary.status === 'dismissed' && this.#deps.passedMs() !== null) this.#dismissal(summary);
    removeAnswerCopies();
    wipeOfflineCopies();
  }

  #dismissal(summary: Summary): void {
    const { sync } = this.#deps.read();
    const flagged = [...sync.values.values()].filter((value) => value.isFlagged).length;
    copyDismissal(summary, this.#deps.fromPage(), flagged);
  }
}
