import { seededRandom } from '@invigil/core/domain/questions/draw';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerSession } from 'smtp-server';
import { freePort } from './running-server.ts';

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
type Fault = keyof typeof FAULTS;

/** Per hundred addresses: the mailbox does not exist, at any time. */
const NO_MAILBOX = 2;

/** @param seed decides its faults; the order of messages depends on the machine */
export async function startBadMailServer(seed: string): Promise<MailServer> {
  const random = seededRandom(`mail ${seed}`);
  const mails: TakenMail[] = [];
  const refused = new Map<string, number>();
  const done: Record<string, number> = {};
  const drawnFaults = new Map<string, Fault | null>();
  const does = (session: SMTPServerSession, fault: Fault) => {
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

function draw(random: () => number): Fault | null {
  let left = random() * 1_000;
  for (const [name, share] of Object.entries(FAULTS)) {
    left -= share;
    if (left < 0) return name as Fault;
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
