/** A request to a worker; it answers each one with the same number. */
export interface WorkerCall<T> {
  id: number;
  call: T;
}

/** What a worker says: an answer, a failure, or how many bytes it has loaded so far. */
export type WorkerWord<R> =
  | { id: number; value: R }
  | { id: number; error: string }
  | { loadedBytes: number };

/** The part of `Worker` that is used; tests put their own here. */
export interface WorkerLike {
  postMessage(message: unknown, transfer: Transferable[]): void;
  terminate(): void;
  onmessage: ((event: MessageEvent) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
}
