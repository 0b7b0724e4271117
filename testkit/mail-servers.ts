import { type AddressInfo, createServer, type Socket } from 'node:net';
import { seededRandom } from '@invigil/core/domain/questions/draw';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerSession } from 'smtp-server';
import { freePort } from './running-server.ts';

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

/** A message that a mail server received. */
export interface TakenMail {
  to: string[];
  mail: Email;
  /** Whether it acknowledged the message. */
  answered?: boolean;
}

/** A mail server under our control; by default it accepts everything. */
export interface MailServer {
  port: number;
  mails: readonly TakenMail[];
  /** By address: how often it was refused permanently. */
  refused: ReadonlyMap<string, number>;
  /** How often each fault was injected. */
  done: Readonly<Record<string, number>>;
  /** Refuses connections until it comes back. */
  goAway(): Promise<void>;
  comeBack(): Promise<void>;
  close(): Promise<void>;
}

/** Faults per thousand tries. The first kind that is drawn is injected. */
const FAULTS = {
  'stalls the greeting': 2,
  'drops the line at the greeting': 10,
  'answers 421 to MAIL': 20,
  'answers 450 to RCPT': 40,
  'answers 451 to DATA': 40,
  'drops the line before taking the message': 30,
  'drops the line after taking the message': 30,
  'stalls after taking the message': 2,
};
type DrawnFault = keyof typeof FAULTS;

/** Per hundred addresses: the mailbox does not exist, at any time. */
const NO_MAILBOX = 2;

/** @param seed decides its faults; the order of messages depends on the machine */
export async function startBadMailServer(seed: string): Promise<MailServer> {
  const random = seededRandom(`mail ${seed}`);
  const mails: TakenMail[] = [];
  const refused = new Map<string, number>();
  const done: Record<string, number> = {};
  const drawnFaults = new Map<string, DrawnFault | null>();
  const does = (session: SMTPServerSession, fault: DrawnFault) => {
    if (drawnFaults.get(session.id) !== fault) return false;
    drawnFaults.delete(session.id);
    done[fault] = (done[fault] ?? 0) + 1;
    return true;
  };
  const hasMailbox = (address: string) =>
    seededRandom(`mailbox ${seed} ${address}`)() * 100 >= NO_MAILBOX;

  const open = () => {
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      hideSTARTTLS: true,
      allowInsecureAuth: true,
      disableReverseLookup: true,
      closeTimeout: 100,
      onAuth: (auth, _session, reply) => reply(null, { user: auth.username }),
      onConnect(session, reply) {
        drawnFaults.set(session.id, draw(random));
        if (does(session, 'stalls the greeting')) return;
        if (does(session, 'drops the line at the greeting')) return drop(server, session);
        reply();
      },
      onMailFrom(_address, session, reply) {
        if (does(session, 'answers 421 to MAIL')) return reply(refusal(421));
        reply();
      },
      onRcptTo({ address }, session, reply) {
        if (!hasMailbox(address)) {
          refused.set(address, (refused.get(address) ?? 0) + 1);
          return reply(refusal(550));
        }
        if (does(session, 'answers 450 to RCPT')) return reply(refusal(450));
        reply();
      },
      onData(stream, session, reply) {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          if (does(session, 'answers 451 to DATA')) return reply(refusal(451));
          if (does(session, 'drops the line before taking the message')) {
            return drop(server, session);
          }
          const to = session.envelope.rcptTo.map(({ address }) => address);
          void PostalMime.parse(Buffer.concat(chunks)).then((mail) => {
            const drops = does(session, 'drops the line after taking the message');
            const stalls = does(session, 'stalls after taking the message');
            mails.push({ to, mail, answered: !drops && !stalls });
            if (drops) drop(server, session);
            else if (!stalls) reply();
          });
        });
      },
    });
    // A client that disconnects is not its concern.
    server.on('error', () => undefined);
    return server;
  };

  const port = await freePort();
  let server = open();
  const listen = () =>
    new Promise<void>((ready, fail) => {
      server.once('error', fail);
      server.listen(port, '127.0.0.1', ready);
    });
  const close = () => new Promise<void>((closed) => server.close(closed));
  await listen();
  return {
    port,
    mails,
    refused,
    done,
    goAway: close,
    async comeBack() {
      server = open();
      await listen();
    },
    close,
  };
}

function draw(random: () => number): DrawnFault | null {
  let left = random() * 1_000;
  for (const [name, share] of Object.entries(FAULTS)) {
    left -= share;
    if (left < 0) return name as DrawnFault;
  }
  return null;
}

function refusal(responseCode: number): Error {
  return Object.assign(new Error('Not now, not here'), { responseCode });
}

/** Without a response, as when a cable is pulled. */
function drop(server: SMTPServer, session: SMTPServerSession): void {
  for (const connection of server.connections) {
    const { id, _socket } = connection as unknown as { id: string; _socket: { destroy(): void } };
    if (id === session.id) _socket.destroy();
  }
}

/** A server on loopback that accepts connections and never responds. */
interface SilentServer {
  port: number;
  /** How many connections it has accepted. */
  readonly taken: number;
  close(): Promise<void>;
}

export async function startSilentServer(): Promise<SilentServer> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket.on('error', () => undefined));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    get taken() {
      return sockets.length;
    },
    close() {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
