import { OPTION_LETTER_AT, OPTION_LETTERS, type TestSession } from './start-candidates.ts';

/** All revisions have the same number of digits, so that a request keeps its length. */
const FIRST_REVISION = 1_000_000;

/** The headers of a `fetch` in Chromium, without request line and body headers. */
export function browserHeaders(port: number, cookie?: string): string[] {
  return [
    `Host: localhost:${port}`,
    'Connection: keep-alive',
    'sec-ch-ua-platform: "Windows"',
    'User-Agent: Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
    'sec-ch-ua: "Chromium";v="142", "Google Chrome";v="142", "Not_A Brand";v="99"',
    'sec-ch-ua-mobile: ?0',
    'Accept: */*',
    'Sec-Fetch-Site: same-origin',
    'Sec-Fetch-Mode: cors',
    'Sec-Fetch-Dest: empty',
    'Accept-Encoding: gzip, deflate, br, zstd',
    'Accept-Language: en-GB,en;q=0.9',
    ...(cookie === undefined ? [] : [`Cookie: ${cookie}`]),
  ];
}

/** A request to a route that does no work. */
export function emptyRequest(port: number, { cookie }: TestSession): Buffer {
  return Buffer.from(
    ['GET /healthz HTTP/1.1', ...browserHeaders(port, cookie), '', ''].join('\r\n'),
  );
}

/** The save request of one question by one candidate: built once, modified in place. */
export class SaveRequest {
  readonly questionId: string;
  /** The newest revision sent; 0 before the first. */
  revision = 0;
  readonly #bytes: Buffer;
  readonly #letterAt: number;
  readonly #revisionAt: number;

  constructor(port: number, session: TestSession, question: TestSession['questions'][number]) {
    this.questionId = question.id;
    const answer = {
      questionId: question.id,
      selectedOption: question.option,
      isFlagged: false,
      revision: FIRST_REVISION,
    };
    const body = JSON.stringify({ answers: [answer] });
    const head = [
      `PUT /api/participants/${session.participantId}/answers HTTP/1.1`,
      ...browserHeaders(port, session.cookie),
      `Origin: http://localhost:${port}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
    ];
    this.#bytes = Buffer.from([...head, '', body].join('\r\n'));
    this.#letterAt = this.#bytes.indexOf(question.option) + OPTION_LETTER_AT;
    this.#revisionAt = this.#bytes.indexOf(String(FIRST_REVISION));
  }

  /** The next change; the previous request must have been answered. */
  next(): Buffer {
    this.revision = this.revision === 0 ? FIRST_REVISION : this.revision + 1;
    const letter = this.revision % OPTION_LETTERS.length;
    this.#bytes[this.#letterAt] = OPTION_LETTERS.charCodeAt(letter);
    this.#bytes.write(String(this.revision), this.#revisionAt, 'latin1');
    return this.#bytes;
  }
}
