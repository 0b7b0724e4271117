/** An answer with headers, or with one of several success statuses. */
export class Reply<Status extends number, Body> {
  readonly status: Status;
  readonly body: Body;
  readonly headers: Record<string, string>;

  constructor(status: Status, body: Body, headers: Record<string, string> = {}) {
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}
