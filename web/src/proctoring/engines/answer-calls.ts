import type { WorkerCall, WorkerWord } from './worker-messages.ts';

/** The global object of a worker, as far as it is used; web's types are those of a page. */
const workerScope = globalThis as unknown as {
  onmessage: ((event: MessageEvent) => void) | null;
  postMessage(message: unknown, transfer?: Transferable[]): void;
  fetch: typeof fetch;
};

/** Answers calls in the order in which they come; an error is an answer too. */
export function answerCalls<T, R>(answer: (call: T) => Promise<R>): void {
  workerScope.onmessage = ({ data }: MessageEvent<WorkerCall<T>>) => {
    const say = (word: WorkerWord<R>) => workerScope.postMessage(word);
    answer(data.call).then(
      (value) => say({ id: data.id, value }),
      (error: unknown) => say({ id: data.id, error: String(error) }),
    );
  };
}

/** Tells the page how much has arrived: the libraries fetch their files themselves and do not say. */
export function countLoadedBytes(): void {
  const plain = workerScope.fetch.bind(globalThis);
  let loadedBytes = 0;
  workerScope.fetch = async (input, init) => {
    const response = await plain(input, init);
    if (response.body === null) return response;
    const counted = response.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          loadedBytes += chunk.byteLength;
          workerScope.postMessage({ loadedBytes });
          controller.enqueue(chunk);
        },
      }),
    );
    const { status, statusText, headers } = response;
    const copy = new Response(counted, { status, statusText, headers });
    // Some loaders look at the address; a made response has none.
    Object.defineProperty(copy, 'url', { value: response.url });
    return copy;
  };
}
