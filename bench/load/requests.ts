import { ENDPOINTS, type EndpointName } from '@invigil/core/contract/endpoints';
import { browserHeaders } from '../answer-path/browser-requests.ts';
import { OPTION_LETTERS } from '../answer-path/seat-candidates.ts';

/** A question as the load generator needs it; its options differ in their letter only. */
export interface LoadQuestion {
  id: string;
  /** The text of the option with this letter. */
  textBefore: string;
  textAfter: string;
}

/** The headers of one browser on one connection, ready to be put between first line and body. */
export function headersOf(port: number, cookie?: string): string {
  return [...browserHeaders(port, cookie), `Origin: http://localhost:${port}`, ''].join('\r\n');
}

/** The path of an endpoint. */
export function pathOf(name: EndpointName, id = ''): string {
  return ENDPOINTS[name].path.replace(':id', id);
}

/** A request as it goes over the line. */
export function requestOf(method: string, path: string, headers: string, body?: string): Buffer {
  const content =
    body === undefined
      ? '\r\n'
      : `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${headers}${content}`, 'latin1');
}

/** One row of a save or a submit. Which option it names follows from the revision. */
export function answerRow(question: LoadQuestion, revision: number): string {
  const option = `${question.textBefore}${letterOf(revision)}${question.textAfter}`;
  return (
    `{"questionId":"${question.id}","selectedOption":"${option}",` +
    `"isFlagged":false,"revision":${revision}}`
  );
}

/** The letter of the option that a revision selects. */
export function letterOf(revision: number): string {
  return OPTION_LETTERS[revision % OPTION_LETTERS.length] ?? 'A';
}
