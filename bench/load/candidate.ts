import { randomUUID } from 'node:crypto';
import type { Asked } from './asked.ts';
import { Connection } from './connection.ts';
import type { TestSession } from './load-clients.ts';
import type { Acknowledged } from './lost-answers.ts';
import { answerRow, headersOf, type LoadQuestion, pathOf, requestOf } from './requests.ts';

/** One candidate in progress: sends what a page sends, and tracks acknowledgements. */
export class Candidate {
  readonly line: Connection;
  readonly #id: string;
  readonly #headers: string;
  readonly #questions: readonly LoadQuestion[];
  #turn = 0;
  #heartbeats = 0;
  /** By the question's position: the newest sent and the newest acknowledged revision. */
  readonly #sent: number[];
  readonly #acknowledged: number[];

  constructor(
    { participantId, cookie }: TestSession,
    port: number,
    questions: readonly LoadQuestion[],
    line = new Connection(port),
  ) {
    this.line = line;
    this.#id = participantId;
    this.#headers = headersOf(port, cookie);
    this.#questions = questions;
    this.#sent = questions.map(() => 0);
    this.#acknowledged = questions.map(() => 0);
  }

  acknowledged(): Acknowledged {
    return { participantId: this.#id, revisions: this.#acknowledged };
  }

  /** Saves one change of one answer, as the page does right after a click. */
  save(asked: Asked, at: number): void {
    const { place, revision, row } = this.#nextAnswer();
    const body = `{"answers":[${row}]}`;
    const path = pathOf('saveAnswers', this.#id);
    asked.ask(this.line, 'save', at, () => requestOf('PUT', path, this.#headers, body), {
      answered: () => this.#note(place, revision),
    });
  }

  heartbeat(asked: Asked, at: number): void {
    this.#heartbeats += 1;
    const body = `{"seq":${this.#heartbeats},"monitor":{}}`;
    const path = pathOf('heartbeat', this.#id);
    asked.ask(this.line, 'heartbeat', at, () => requestOf('POST', path, this.#headers, body));
  }

  /** Reports a missing face. */
  report(asked: Asked, at: number): void {
    const body = JSON.stringify({
      participantId: this.#id,
      violationType: 'face_not_detected',
      id: randomUUID(),
      ageMs: 1_000,
      engine: 'model',
    });
    const path = pathOf('reportViolation');
    asked.ask(this.line, 'report', at, () => requestOf('POST', path, this.#headers, body));
  }

  /** Submits, with one unsaved change. */
  submit(asked: Asked, at: number): void {
    const { place, revision, row } = this.#nextAnswer();
    const body = `{"answers":[${row}],"participant":{}}`;
    const path = pathOf('submitParticipant', this.#id);
    asked.ask(this.line, 'submit', at, () => requestOf('POST', path, this.#headers, body), {
      answered: () => this.#note(place, revision),
    });
  }

  /** The next question, cyclically. */
  #nextAnswer(): { place: number; revision: number; row: string } {
    const place = this.#turn % this.#questions.length;
    const question = this.#questions[place];
    if (!question) throw new Error('a paper without questions');
    this.#turn += 1;
    const revision = (this.#sent[place] ?? 0) + 1;
    this.#sent[place] = revision;
    return { place, revision, row: answerRow(question, revision) };
  }

  #note(place: number, revision: number): void {
    this.#acknowledged[place] = Math.max(this.#acknowledged[place] ?? 0, revision);
  }
}
