import { ENDPOINTS, type EndpointName } from '@invigil/core/contract/endpoints';

/** The place in a hostile request for a number that differs from request to request. */
export const COUNTED = '@@@';

/** A question for the load generator; its options differ only in their letter. */
export interface LoadQuestion {
  id: string;
  /** The text of an option before and after its letter. */
  textBefore: string;
  textAfter: string;
}

export const OPTION_LETTERS = 'ABCD';

/** The browser of candidates. */
export const BROWSER =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';

/** The headers of a `fetch` in Chromium, to be put between request line and body. */
export function headersOf(port: number, cookie?: string): string {
  return [
    `Host: localhost:${port}`,
    'Connection: keep-alive',
    'sec-ch-ua-platform: "Windows"',
    `User-Agent: ${BROWSER}`,
    'sec-ch-ua: "Chromium";v="142", "Google Chrome";v="142", "Not_A Brand";v="99"',
    'sec-ch-ua-mobile: ?0',
    'Accept: */*',
    'Sec-Fetch-Site: same-origin',
    'Sec-Fetch-Mode: cors',
    'Sec-Fetch-Dest: empty',
    'Accept-Encoding: gzip, deflate, br, zstd',
    'Accept-Language: en-GB,en;q=0.9',
    ...(cookie === undefined ? [] : [`Cookie: ${cookie}`]),
    `Origin: http://localhost:${port}`,
    '',
  ].join('\r\n');
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
