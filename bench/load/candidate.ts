import { randomUUID } from 'node:crypto';
import type { EndpointName } from '@invigil/core/contract/endpoints';
import { type Asked, bodyOf, type Then } from './asked.ts';
import { Connection } from './connection.ts';
import type { Kind } from './figures.ts';
import type { Acknowledged } from './read-back.ts';
import { answerRow, headersOf, type LoadQuestion, pathOf, requestOf } from './requests.ts';

/** Someone with an invitation. */
export interface Invited {
  email: string;
  code: string;
}

/** The session of a candidate in progress. */
export interface TestSession {
  cookie: string;
  participantId: string;
}

/** One candidate in progress: sends what a page sends, and tracks acknowledgements. */
export class Candidate {
  readonly line: Connection;
  readonly #id: string;
  readonly #headers: string;
  readonly #questions: readonly LoadQuestion[];
  #changes = 0;
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

  save(asked: Asked, at: number, then?: Then): void {
    this.#sendChange(asked, at, ['save', 'PUT', 'saveAnswers'], '', then);
  }

  heartbeat(asked: Asked, at: number): void {
    this.#heartbeats += 1;
    const body = `{"seq":${this.#heartbeats},"monitor":{}}`;
    this.#send(asked, at, ['heartbeat', 'POST', 'heartbeat'], body);
  }

  report(asked: Asked, at: number): void {
    const body = {
      participantId: this.#id,
      violationType: 'face_not_detected',
      id: randomUUID(),
      ageMs: 1_000,
      engine: 'model',
    };
    this.#send(asked, at, ['report', 'POST', 'reportViolation'], JSON.stringify(body));
  }

  submit(asked: Asked, at: number): void {
    this.#sendChange(asked, at, ['submit', 'POST', 'submitParticipant'], ',"participant":{}');
  }

  /** A new answer to the next question, cyclically. */
  #sendChange(asked: Asked, at: number, to: Target, more: string, then?: Then): void {
    const position = this.#changes % this.#questions.length;
    const question = this.#questions[position];
    if (!question) throw new Error('a paper without questions');
    this.#changes += 1;
    const revision = (this.#sent[position] ?? 0) + 1;
    this.#sent[position] = revision;
    this.#send(asked, at, to, `{"answers":[${answerRow(question, revision)}]${more}}`, {
      ...then,
      answered: () => {
        const newest = Math.max(this.#acknowledged[position] ?? 0, revision);
        this.#acknowledged[position] = newest;
      },
    });
  }

  #send(asked: Asked, at: number, [kind, method, name]: Target, body: string, then?: Then): void {
    const path = pathOf(name, this.#id);
    asked.ask(this.line, kind, at, () => requestOf(method, path, this.#headers, body), then);
  }
}

type Target = [kind: Kind, method: 'PUT' | 'POST', name: EndpointName];

/** The request of a sign-in with a one-time password. */
export function signInRequest(port: number, { email, code }: Invited): () => Buffer {
  const body = JSON.stringify({ email, password: code });
  return () => requestOf('POST', pathOf('login'), headersOf(port), body);
}

/**
 * Like a browser: signs in, starts and fetches the paper, sequentially on its own connection. Only the
 * sign-in is scheduled; later requests are measured from when they can be sent. With `opensAt`
 * (milliseconds since 1970) it waits until then, and its start brings the paper.
 */
export function enter(
  asked: Asked,
  line: Connection,
  person: Invited,
  where: { port: number; quizId: string; opensAt?: number | undefined },
  at: number,
  started: (session: TestSession) => void,
): void {
  const { port, quizId, opensAt } = where;
  asked.ask(line, 'sign-in', at, signInRequest(port, person), {
    answered(answer) {
      const cookie = cookieOf(answer);
      const headers = headersOf(port, cookie);
      const body = opensAt === undefined ? '{}' : '{"withQuestions":true}';
      const start = requestOf('POST', pathOf('startParticipant'), headers, body);
      const wait = opensAt === undefined ? 0 : Math.max(0, opensAt - Date.now());
      const startAt = performance.now() + wait;
      const then: Then = {
        answered(response) {
          const session = { cookie, participantId: String(JSON.parse(bodyOf(response)).id) };
          if (opensAt !== undefined) return started(session);
          const path = `${pathOf('listQuestions', quizId)}?forAssessment=true`;
          const paper = requestOf('GET', path, headers);
          asked.ask(line, 'paper', performance.now(), () => paper, {
            answered: () => started(session),
          });
        },
      };
      setTimeout(() => asked.ask(line, 'start', startAt, () => start, then), wait);
    },
  });
}

function cookieOf(answer: Buffer): string {
  const found = /^set-cookie: ([^;\r]+)/im.exec(answer.toString('latin1'))?.[1];
  if (found === undefined) throw new Error('the sign-in set no cookie');
  return found;
}
