import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';

export interface ReceivedMail {
  to: string[];
  from: string;
  mail: Email;
}

/** What a sink does with the next message, or the next one to `to`; by default it accepts it. */
export type Fault = { to?: string } & (
  | { at: 'auth' | 'mail' | 'rcpt' | 'data'; code: number; text: string }
  /** Accepts the message; then the connection drops, or stays silent. */
  | { at: 'after-data'; drop: boolean }
);

/** A real SMTP server on loopback that stores what it receives. */
export interface SmtpSink {
  port: number;
  mails: ReceivedMail[];
  /** Applied to one message each, in order. */
  faults: Fault[];
  /** What a message to an address is refused with now, if anything; asked at its end, after the other faults. */
  limit: ((to: string) => { code: number; text: string } | undefined) | undefined;
  close(): Promise<void>;
}

export async function startSmtpSink(): Promise<SmtpSink> {
  const mails: ReceivedMail[] = [];
  const faults: Fault[] = [];
  const refusal = (m: { code: number; text: string }) =>
    Object.assign(new Error(m.text), { responseCode: m.code });
  /** Those without an address apply to the next messages, in their order. */
  const take = <At extends Fault['at']>(at: At, to: string | undefined) => {
    const next = faults.find((m) => m.to === to) ?? faults.find((m) => m.to === undefined);
    if (next === undefined || next.at !== at) return undefined;
    faults.splice(faults.indexOf(next), 1);
    return next as Extract<Fault, { at: At }>;
  };

  const sink: SmtpSink = {
    port: 0,
    mails,
    faults,
    limit: undefined,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    hideSTARTTLS: true,
    allowInsecureAuth: true,
    onAuth(auth, _session, done) {
      const next = take('auth', undefined);
      return next ? done(refusal(next)) : done(null, { user: auth.username });
    },
    onMailFrom(_address, _session, done) {
      const next = take('mail', undefined);
      return next ? done(refusal(next)) : done();
    },
    onRcptTo({ address }, _session, done) {
      const next = take('rcpt', address);
      return next ? done(refusal(next)) : done();
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const to = session.envelope.rcptTo[0]?.address;
        const refused = take('data', to);
        if (refused) return done(refusal(refused));
        const limited = sink.limit?.(to ?? '');
        if (limited) return done(refusal(limited));
        return void PostalMime.parse(Buffer.concat(chunks)).then((mail) => {
          const { mailFrom, rcptTo } = session.envelope;
          mails.push({
            to: rcptTo.map((r) => r.address),
            from: mailFrom ? mailFrom.address : '',
            mail,
          });
          const afterwards = take('after-data', to);
          if (!afterwards) return done();
          if (!afterwards.drop) return;
          // The message is accepted and the connection drops before the response.
          for (const connection of server.connections) {
            const { id, _socket } = connection as { id?: string; _socket?: { destroy(): void } };
            if (id === session.id) _socket?.destroy();
          }
        });
      });
    },
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  sink.port = (server.server.address() as AddressInfo).port;
  return sink;
}
