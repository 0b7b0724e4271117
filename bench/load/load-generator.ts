import { fork, type Serializable } from 'node:child_process';
import { once } from 'node:events';

/** A load generator: a process that replies to each command with one message. */
export interface LoadGenerator<Order> extends AsyncDisposable {
  /** Throws when the process exits without a reply. */
  order<Answer>(what: Order): Promise<Answer>;
}

/** @param script path of the script to run */
export function startLoadGenerator<Order extends Serializable>(
  script: string,
): LoadGenerator<Order> {
  // Supports `Map`.
  const child = fork(script, { serialization: 'advanced' });
  return {
    async order(what) {
      const gone = new AbortController();
      const onExit = (code: number | null) =>
        gone.abort(new Error(`the load generator exited with ${code}`));
      child.once('exit', onExit);
      child.send(what);
      try {
        const [answer] = await once(child, 'message', { signal: gone.signal });
        return answer;
      } catch (error) {
        throw gone.signal.aborted ? gone.signal.reason : error;
      } finally {
        child.off('exit', onExit);
      }
    },
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}
