import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';

export interface ReceivedMail {
  to: string[];
  from: string;
  mail: Email;
}

/** What a sink does with the next message; the default is to take it. */
export type Mischief =
  | { at: 'rcpt' | 'data'; code: number; text: string }
  /** Takes the message; then the line drops, or nothing more is said. */
  | { at: 'after-data'; drop: boolean };

/** A real SMTP server on loopback that keeps what it gets. */
export interface SmtpSink {
  port: number;
  mails: ReceivedMail[];
  /** Applied to one message each, in order. */
  mischief: Mischief[];
  close(): Promise<void>;
}

export async function startSmtpSink(): Promise<SmtpSink> {
  const mails: ReceivedMail[] = [];
  const mischief: Mischief[] = [];
  const refusal = (m: Extract<Mischief, { code: number }>) =>
    Object.assign(new Error(m.text), { responseCode: m.code });

  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    hideSTARTTLS: true,
    allowInsecureAuth: true,
    onAuth: (auth, _session, done) => done(null, { user: auth.username }),
    onRcptTo(_address, _session, done) {
      const next = mischief[0];
      if (next?.at !== 'rcpt') return done();
      mischief.shift();
      return done(refusal(next));
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const next = mischief[0];
        if (next?.at === 'data') {
          mischief.shift();
          return done(refusal(next));
        }
        return void PostalMime.parse(Buffer.concat(chunks)).then((mail) => {
          const { mailFrom, rcptTo } = session.envelope;
          mails.push({
            to: rcptTo.map((r) => r.address),
            from: mailFrom ? mailFrom.address : '',
            mail,
          });
          if (next?.at === 'after-data') {
            mischief.shift();
            if (!next.drop) return;
            // The message is taken and the line drops before the answer.
            for (const connection of server.connections) {
              (connection as { _socket?: { destroy(): void } })._socket?.destroy();
            }
            return;
          }
          done();
        });
      });
    },
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.server.address() as AddressInfo).port,
    mails,
    mischief,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
