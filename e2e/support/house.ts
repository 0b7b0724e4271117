import { type RunningServer, startServer } from '../../server/src/testing/running-server.ts';
import { type SmtpSink, startSmtpSink } from '../../server/src/testing/smtp-sink.ts';

export const ADMIN = { email: 'admin@example.org', password: 'a quiet desk and a pen' } as const;

/** Where the stories take place; the zone of the server is the zone of the browsers. */
export const TIME_ZONE = 'Europe/Berlin';

/** A server as operators start it, on an empty database, and the mail server beside it. */
export interface House {
  url: string;
  sink: SmtpSink;
  /** Server and database are killed at once, as by a power cut. */
  crash(): Promise<void>;
  /** Starts again on the same data and address, after a crash. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

export async function openHouse(): Promise<House> {
  const sink = await startSmtpSink();
  const options = {
    web: true,
    env: {
      ADMIN_EMAIL: ADMIN.email,
      ADMIN_PASSWORD: ADMIN.password,
      SMTP_ALLOWED_HOSTS: '127.0.0.1',
      TIME_ZONE,
    },
  };
  let server: RunningServer = await startServer(options);
  return {
    url: server.url,
    sink,
    crash: () => server.kill(),
    async restart() {
      const { dataDir, port } = server;
      server = await startServer({ ...options, dataDir, port });
    },
    async close() {
      const code = await server.stop();
      await sink.close();
      server.removeData();
      if (code !== 0) throw new Error(`the server ended with ${code}`);
    },
  };
}
