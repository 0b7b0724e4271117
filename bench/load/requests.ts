import { ENDPOINTS, type EndpointName } from '@invigil/core/contract/endpoints';
import { browserHeaders } from '../answer-path/browser-requests.ts';
import { OPTION_LETTERS } from '../answer-path/start-candidates.ts';

/** A question for the load generator; its options differ only in their letter. */
export interface LoadQuestion {
  id: string;
  /** The text of an option before and after its letter. */
  textBefore: string;
  textAfter: string;
}

/** The headers of one browser on one connection, to be put between request line and body. */
export function headersOf(port: number, cookie?: string): string {
  return [...browserHeaders(port, cookie), `Origin: http://localhost:${port}`, ''].join('\r\n');
}

/** The path of an endpoint. */
export function pathOf(name: EndpointName, id = ''): string {
  return ENDPOINTS[name].path.replace(':id', id);
}

/** The bytes of a request. */
export function requestOf(
  method: string,
  path: string,
  headers: string,
  body?: string,
  type = 'application/json',
): Buffer {
  const content =
    body === undefined
      ? '\r\n'
      : `Content-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${headers}${content}`, 'latin1');
}

/** One row of a save or submit; the revision determines the option. */
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
