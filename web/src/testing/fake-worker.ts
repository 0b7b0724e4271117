import type { WorkerCall, WorkerLike, WorkerWord } from '../proctoring/engines/worker-messages.ts';

/** A worker that answers as the test says: a value, an error, or `undefined` for never. */
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
    if (answer instanceof Error) this.say({ id, error: answer.message });
    else this.say({ id, value: answer });
  }

  /** What the worker says by itself. */
  say(word: WorkerWord<unknown>): void {
    queueMicrotask(() => this.onmessage?.({ data: word } as MessageEvent));
  }

  /** An error that no one caught in the worker. */
  crash(): void {
    this.onerror?.(new Event('error') as ErrorEvent);
  }

  terminate(): void {
    this.terminated = true;
  }
}
