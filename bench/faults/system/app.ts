import { mkdirSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { type RunningServer, startServer } from '@invigil/testkit/running-server';
import { inspectProcess } from '../../../server/src/db/embedded-postgres/process-table.ts';
import { type LineProxy, startLineProxy } from '../injected/line-proxy.ts';

/** One server process behind its own line proxy. */
export interface App {
  server: RunningServer;
  line: LineProxy;
  /**
   * Waits until the process is gone and starts a new one; returns the milliseconds until it was ready.
   */
  startAgain(): Promise<number>;
  /** One figure of `/metrics`; `undefined` without a response or figure. */
  figure(name: string): Promise<number | undefined>;
}

export async function startApp(options: {
  dataDir: string;
  env: Record<string, string>;
  nodeArgs: string[];
  port: number;
}): Promise<App> {
  mkdirSync(options.dataDir, { recursive: true });
  const server = await startServer(options);
  const app: App = {
    server,
    line: await startLineProxy(server.port),
    async startAgain() {
      while (inspectProcess(app.server.pid) !== null) await delay(5);
      const from = performance.now();
      app.server = await startServer(options);
      return performance.now() - from;
    },
    async figure(name) {
      const signal = AbortSignal.timeout(5_000);
      const answer = await fetch(`http://127.0.0.1:${server.port}/metrics`, { signal }).then(
        (reply) => reply.text(),
        () => '',
      );
      const line = answer.split('\n').find((one) => one.startsWith(`${name} `));
      return line === undefined ? undefined : Number(line.slice(name.length + 1));
    },
  };
  return app;
}
