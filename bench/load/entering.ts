import type { Asked } from './asked.ts';
import type { Connection } from './connection.ts';
import type { Invited, TestSession } from './load-clients.ts';
import { headersOf, pathOf, requestOf } from './requests.ts';

/** The request of a sign-in with a one-time password. */
export function signInRequest(port: number, { email, code }: Invited): () => Buffer {
  const body = JSON.stringify({ email, password: code });
  return () => requestOf('POST', pathOf('login'), headersOf(port), body);
}

/**
 * Like a browser: signs in, starts and fetches the paper, sequentially on its own connection. Only the
 * sign-in is scheduled; later requests are measured from when they can be sent.
 */
export function enter(
  asked: Asked,
  line: Connection,
  person: Invited,
  where: { port: number; quizId: string },
  at: number,
  started: (session: TestSession) => void,
): void {
  const { port, quizId } = where;
  asked.ask(line, 'sign-in', at, signInRequest(port, person), {
    answered(answer) {
      const cookie = cookieOf(answer);
      const headers = headersOf(port, cookie);
      const start = requestOf('POST', pathOf('startParticipant'), headers, '{}');
      asked.ask(line, 'start', performance.now(), () => start, {
        answered(response) {
          const session = { cookie, participantId: String(bodyOf(response).id) };
          const path = `${pathOf('listQuestions', quizId)}?forAssessment=true`;
          const paper = requestOf('GET', path, headers);
          asked.ask(line, 'paper', performance.now(), () => paper, {
            answered: () => started(session),
          });
        },
      });
    },
  });
}

function cookieOf(answer: Buffer): string {
  const found = /^set-cookie: ([^;\r]+)/im.exec(answer.toString('latin1'))?.[1];
  if (found === undefined) throw new Error('the sign-in set no cookie');
  return found;
}

function bodyOf(answer: Buffer): { id?: unknown } {
  return JSON.parse(answer.toString('utf8', answer.indexOf('\r\n\r\n') + 4));
}
