import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import type { EndpointName } from '@invigil/core/contract/endpoints';
import { type Asked, bodyOf, type Then } from './asked.ts';
import { Connection } from './connection.ts';
import type { Kind } from './figures.ts';
import type { Entering } from './load-clients.ts';
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

/** How often a page that waits for a common start says so. */
const REPORT_MS = 20_000;

/**
 * Follows the stream of someone who waits, as a page does, and says again and again that they wait. Resolves when the
 * start has come.
 */
function commonStart(asked: Asked, line: Connection, port: number, headers: string): Promise<void> {
  const report = requestOf('POST', pathOf('reportWaiting'), headers, '{}');
  const say = () => asked.ask(line, 'waiting', performance.now(), () => report);
  return new Promise((resolve, reject) => {
    let text = '';
    const stream = connect({ host: '127.0.0.1', port });
    stream.write(requestOf('GET', pathOf('streamOpening'), headers));
    say();
    const timer = setInterval(say, REPORT_MS * (0.75 + Math.random() / 2));
    stream.on('data', (bytes) => {
      text = `${text.slice(-200)}${bytes.toString('latin1')}`;
      if (!text.includes('"lateForMs":')) return;
      clearInterval(timer);
      stream.destroy();
      resolve();
    });
    stream.on('error', reject);
    stream.on('end', () => reject(new Error('the server closed the stream of someone who waits')));
  });
}

/**
 * Like a browser: signs in, starts and fetches the paper, sequentially on its own connection. Only the
 * sign-in is scheduled; later requests are measured from when they can be sent. With `opensAt`
 * (milliseconds since 1970) it waits until then, and its start brings the paper. Resolves when the start is sent.
 */
export function enter(
  asked: Asked,
  line: Connection,
  person: Invited,
  where: { port: number; quizId: string } & Pick<Entering, 'opensAt' | 'spreadMs' | 'together'>,
  at: number,
  started: (session: TestSession) => void,
): Promise<void> {
  const { port, quizId, opensAt, spreadMs = 0, together = false } = where;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  asked.ask(line, 'sign-in', at, signInRequest(port, person), {
    answered(answer) {
      const cookie = cookieOf(answer);
      const headers = headersOf(port, cookie);
      const body = opensAt === undefined ? '{}' : '{"withQuestions":true}';
      const start = requestOf('POST', pathOf('startParticipant'), headers, body);
      const wait = opensAt === undefined ? 0 : Math.max(0, opensAt - Date.now());
      const startAt = performance.now() + wait;
      const later = Math.random() * spreadMs;
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
      const ask = () => {
        asked.ask(line, 'start', startAt, () => start, then);
        resolve();
      };
      if (together) {
        commonStart(asked, line, port, headers).then(() => setTimeout(ask, later), reject);
      } else setTimeout(ask, wait + later);
    },
  });
  return promise;
}

function cookieOf(answer: Buffer): string {
  const found = /^set-cookie: ([^;\r]+)/im.exec(answer.toString('latin1'))?.[1];
  if (found === undefined) throw new Error('the sign-in set no cookie');
  return found;
}
