import { cpSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type SmtpSink, startSmtpSink } from '@invigil/testkit/mail-servers';
import { type RunningServer, startServer } from '@invigil/testkit/running-server';
import { PREPARED_DATA } from './prepared-data.ts';
import { SERVER_SETTINGS } from './server-settings.ts';

/** A server as operators start it, on an empty database, with a mail sink. */
export interface TestServer {
  url: string;
  sink: SmtpSink;
  /** Kills server and database at once, as a power cut does. */
  crash(): Promise<void>;
  /** Starts again on the same data and address, after a crash. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

export async function openTestServer(): Promise<TestServer> {
  const sink = await startSmtpSink();
  const dataDir = mkdtempSync(join(tmpdir(), 'invigil-e2e-'));
  cpSync(PREPARED_DATA, dataDir, { recursive: true });
  const options = { web: true, env: SERVER_SETTINGS, dataDir };
  let server: RunningServer = await startServer(options);
  return {
    url: server.url,
    sink,
    crash: () => server.kill(),
    async restart() {
      server = await startServer({ ...options, port: server.port });
    },
    async close() {
      const code = await server.stop();
      await sink.close();
      server.removeData();
      if (code !== 0) throw new Error(`the server ended with ${code}`);
    },
  };
}
