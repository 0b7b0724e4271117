import { type AddressInfo, createServer, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { seededRandom } from '@invigil/core/domain/questions/draw';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerSession } from 'smtp-server';
import { freePort } from './running-server.ts';

/** A message that a mail server received. */
export interface ReceivedMail {
  to: string[];
  from: string;
  mail: Email;
  /** Whether the server acknowledged it. */
  answered: boolean;
}

type Step = 'connect' | 'auth' | 'mail' | 'rcpt' | 'data' | 'after-data';

/** Instead of an answer the connection drops, as when a cable is pulled, or stays silent. */
type Misdeed = 'drops' | 'stalls' | { code: number; text: string };

/** An SMTP server that stores what it receives, and does at each step as it is told. */
function smtpServer(
  mails: ReceivedMail[],
  misdeedAt: (step: Step, session: SMTPServerSession, to?: string) => Misdeed | undefined,
): SMTPServer {
  const act = (
    step: Step,
    session: SMTPServerSession,
    proceed: (error?: Error) => void,
    to?: string,
  ) => {
    const misdeed = misdeedAt(step, session, to);
    if (misdeed === undefined) return proceed();
    if (misdeed === 'stalls') return;
    if (misdeed === 'drops') return drop(server, session);
    proceed(Object.assign(new Error(misdeed.text), { responseCode: misdeed.code }));
  };
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    hideSTARTTLS: true,
    allowInsecureAuth: true,
    disableReverseLookup: true,
    closeTimeout: 100,
    onConnect: (session, reply) => act('connect', session, reply),
    onAuth: ({ username }, session, reply) =>
      act('auth', session, (error) => reply(error ?? null, { user: username })),
    onMailFrom: (_, session, reply) => act('mail', session, reply),
    onRcptTo: ({ address }, session, reply) => act('rcpt', session, reply, address),
    async onData(stream, session, reply) {
      const bytes = await buffer(stream);
      const { mailFrom, rcptTo } = session.envelope;
      const to = rcptTo.map(({ address }) => address);
      const take = async () => {
        const from = mailFrom ? mailFrom.address : '';
        const taken = { to, from, mail: await PostalMime.parse(bytes), answered: false };
        mails.push(taken);
        act(
          'after-data',
          session,
          () => {
            taken.answered = true;
            reply();
          },
          to[0],
        );
      };
      act('data', session, (error) => (error ? reply(error) : void take()), to[0]);
    },
  });
  // A client that disconnects is not its concern.
  server.on('error', () => undefined);
  return server;
}

function drop(server: SMTPServer, session: SMTPServerSession): void {
  for (const connection of server.connections) {
    const { id, _socket } = connection as unknown as { id: string; _socket: { destroy(): void } };
    if (id === session.id) _socket.destroy();
  }
}

/** The fault of a sink at the next message, or the next one to `to`; by default it accepts messages. */
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
  /** The current refusal of an address, if any; asked at the end of a message, after the other faults. */
  limit: ((to: string) => { code: number; text: string } | undefined) | undefined;
  close(): Promise<void>;
}

export async function startSmtpSink(): Promise<SmtpSink> {
  const mails: ReceivedMail[] = [];
  const faults: Fault[] = [];
  const server = smtpServer(mails, (step, _, to) => {
    // Faults without an address apply to the next messages, in their order.
    const next = faults.find((m) => m.to === to) ?? faults.find((m) => m.to === undefined);
    if (next?.at === step) {
      faults.splice(faults.indexOf(next), 1);
      return next.at === 'after-data' ? (next.drop ? 'drops' : 'stalls') : next;
    }
    return step === 'data' ? sink.limit?.(to ?? '') : undefined;
  });
  const sink: SmtpSink = {
    port: 0,
    mails,
    faults,
    limit: undefined,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  sink.port = (server.server.address() as AddressInfo).port;
  return sink;
}

/** A mail server under our control; by default it accepts everything. */
export interface MailServer {
  port: number;
  mails: readonly ReceivedMail[];
  /** By address: how often it was refused permanently. */
  refused: ReadonlyMap<string, number>;
  /** How often each fault was injected. */
  done: Readonly<Record<string, number>>;
  /** Refuses connections until it comes back. */
  goAway(): Promise<void>;
  comeBack(): Promise<void>;
  close(): Promise<void>;
}

const NOT_NOW = 'Not now, not here';

/** The faults, each with how often it occurs in a thousand tries. The first kind that is drawn is injected. */
const FAULTS: Record<string, { share: number; at: Step; does: Misdeed }> = {
  'stalls the greeting': { share: 2, at: 'connect', does: 'stalls' },
  'drops the line at the greeting': { share: 10, at: 'connect', does: 'drops' },
  'answers 421 to MAIL': { share: 20, at: 'mail', does: { code: 421, text: NOT_NOW } },
  'answers 450 to RCPT': { share: 40, at: 'rcpt', does: { code: 450, text: NOT_NOW } },
  'answers 451 to DATA': { share: 40, at: 'data', does: { code: 451, text: NOT_NOW } },
  'drops the line before taking the message': { share: 30, at: 'data', does: 'drops' },
  'drops the line after taking the message': { share: 30, at: 'after-data', does: 'drops' },
  'stalls after taking the message': { share: 2, at: 'after-data', does: 'stalls' },
};

/** Per hundred addresses: the mailbox does not exist, at any time. */
const NO_MAILBOX = 2;

/** @param seed decides its faults; the order of messages depends on the machine */
export async function startBadMailServer(seed: string): Promise<MailServer> {
  const random = seededRandom(`mail ${seed}`);
  const mails: ReceivedMail[] = [];
  const refused = new Map<string, number>();
  const done: Record<string, number> = {};
  const drawnFaults = new Map<string, string | undefined>();
  const hasMailbox = (address: string) =>
    seededRandom(`mailbox ${seed} ${address}`)() * 100 >= NO_MAILBOX;

  const open = () =>
    smtpServer(mails, (step, session, to = '') => {
      if (step === 'connect') drawnFaults.set(session.id, draw(random));
      if (step === 'rcpt' && !hasMailbox(to)) {
        refused.set(to, (refused.get(to) ?? 0) + 1);
        return { code: 550, text: NOT_NOW };
      }
      const name = drawnFaults.get(session.id) ?? '';
      const fault = FAULTS[name];
      if (fault?.at !== step) return undefined;
      drawnFaults.delete(session.id);
      done[name] = (done[name] ?? 0) + 1;
      return fault.does;
    });

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

function draw(random: () => number): string | undefined {
  let left = random() * 1_000;
  return Object.keys(FAULTS).find((name) => {
    left -= FAULTS[name]?.share ?? 0;
    return left < 0;
  });
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
