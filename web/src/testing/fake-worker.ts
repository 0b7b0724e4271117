import type { WorkerCall, WorkerLike, WorkerMessage } from '../proctoring/engines/worker-line.ts';

/** A worker with the test's answers: a value, an error, or `undefined` for never. */
export class FakeWorker implements WorkerLike {
  onmessage: ((event: MessageEvent) => void) | null = null;
  onerror: ((event: ErrorEvent) => void) | null = null;
  terminated = false;
  readonly calls: unknown[] = [];
  readonly #answer: (call: unknown) => unknown;

  constructor(answer: (call: unknown) => unknown) {
    this.#answer = answer;
  }

  postMessage(message: unknown): void {
    const { id, call } = message as WorkerCall<unknown>;
    this.calls.push(call);
    const answer = this.#answer(call);
    if (answer === undefined) return;
    if (answer instanceof Error) this.send({ id, error: answer.message });
    else this.send({ id, value: answer });
  }

  /** Sends an unsolicited message. */
  send(message: WorkerMessage<unknown>): void {
    queueMicrotask(() => this.onmessage?.({ data: message } as MessageEvent));
  }

  /** Raises an uncaught error in the worker. */
  crash(): void {
    this.onerror?.(new Event('error') as ErrorEvent);
  }

  terminate(): void {
    this.terminated = true;
  }
}
