import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createTransport } from 'nodemailer';
import { SMTPServer } from 'smtp-server';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { diagnose } from './smtp-diagnosis.ts';
import { deliver, handOver, senderOf } from './smtp-transport.ts';

const ENVELOPE = { to: 'a@example.org', messageId: '<1@example.org>', date: new Date(0) };
const MESSAGE = { subject: 's', text: 't', html: '<p>t</p>' };
const TIMEOUTS = { connectMs: 300, responseMs: 300 };

/** A server's response to each line; `null` for none. */
type Script = (line: string) => string | null;

const polite: Script = (line) => {
  if (/^EHLO/i.test(line)) return '250-test\r\n250 AUTH PLAIN';
  if (/^AUTH/i.test(line)) return '235 Welcome';
  if (/^DATA/i.test(line)) return '354 Continue';
  return line === '.' ? '250 Taken as 42' : /^(MAIL|RCPT|QUIT)/i.test(line) ? '250 OK' : null;
};

describe('the diagnosis of a mail server', () => {
  const closers: (() => unknown)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0)) await close();
  });

  async function serve(script: Script, greeting: string | null = '220 test'): Promise<number> {
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined);
      if (greeting !== null) socket.write(`${greeting}\r\n`);
      socket.on('data', (chunk) => {
        for (const line of chunk.toString().split('\r\n')) {
          const reply = script(line);
          if (reply !== null && !socket.destroyed) socket.write(`${reply}\r\n`);
        }
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closers.push(() => {
      for (const socket of sockets) socket.destroy();
      server.close();
    });
    return (server.address() as AddressInfo).port;
  }

  const tryOut = async (port: number, host = '127.0.0.1') =>
    diagnose(
      await handOver(
        { host, port, username: 'u', password: 'p', fromEmail: 'f@example.org' },
        ['127.0.0.1'],
        ENVELOPE,
        MESSAGE,
        TIMEOUTS,
      ),
    );

  it('reports a delivery, with the last response of the server', async () => {
    expect(await tryOut(await serve(polite))).toEqual({
      delivered: true,
      stage: 'done',
      message: 'The mail server accepted the message.',
      serverAnswer: '250 Taken as 42',
    });
  });

  it('names domains of other scripts in ASCII, in commands and headers', async () => {
    const lines: string[] = [];
    const port = await serve((line) => {
      lines.push(line);
      return polite(line);
    });
    const server = { host: '127.0.0.1', port, username: 'u', password: 'p' };
    await handOver(
      { ...server, fromEmail: 'f@prüfung.example.org' },
      ['127.0.0.1'],
      { ...ENVELOPE, to: 'anna@müller-schule.de' },
      MESSAGE,
      TIMEOUTS,
    );
    const sent = lines.filter((line) => /^(MAIL|RCPT|From:|To:)/.test(line));
    expect(sent).toEqual([
      'MAIL FROM:<f@xn--prfung-4ya.example.org>',
      'RCPT TO:<anna@xn--mller-schule-dlb.de>',
      'From: Invigil <f@xn--prfung-4ya.example.org>',
      'To: anna@xn--mller-schule-dlb.de',
    ]);
  });

  it.each<[string, RegExp]>([
    ['https://exams.example.org', /^EHLO exams\.example\.org$/],
    ['https://exams.example.org:8443', /^EHLO exams\.example\.org$/],
    ['https://prüfung.example.org', /^EHLO xn--prfung-4ya\.example\.org$/],
    // No name that others know: the machine's own, or its address in brackets.
    ['http://localhost:3000', /^EHLO (?!localhost$)/],
    ['http://192.0.2.7:3000', /^EHLO (?!192\.0\.2\.7$)/],
    ['http://[2001:db8::7]', /^EHLO (?!.*2001)/],
  ])('greets the mail server with the host of %s', async (publicUrl, greeting) => {
    const lines: string[] = [];
    const port = await serve((line) => {
      lines.push(line);
      return polite(line);
    });
    const server = { host: '127.0.0.1', port, username: 'u', password: 'p' };
    const sender = { fromEmail: 'f@example.org', ...senderOf({ name: 'A school', publicUrl }) };
    await handOver({ ...server, ...sender }, ['127.0.0.1'], ENVELOPE, MESSAGE, TIMEOUTS);
    expect(lines[0]).toMatch(greeting);
  });

  it.each([
    [
      'limit',
      /^MAIL/i,
      '451 4.7.0 Rate limit exceeded',
      'takes no more messages from this account',
    ],
    ['limit', /^\.$/, '550 5.4.5 Daily user sending limit exceeded', 'from this account today'],
    ['limit', /^RCPT/i, '432 4.3.2 Concurrent connections limit exceeded', 'no more connections'],
    ['limit', /^AUTH/i, '454 4.7.0 Too many login attempts', 'no more connections'],
    ['sender', /^RCPT/i, '553 5.7.1 Sender address rejected: not owned', 'from this address'],
    ['sender', /^\.$/, '550 5.7.60 Client does not have permissions', 'from this address'],
    ['sign_in', /^MAIL/i, '530 5.7.0 Authentication required', 'user name or password'],
    ['recipient', /^RCPT/i, '552 5.2.2 Quota exceeded', 'for this recipient'],
    ['sender', /^MAIL/i, '553 Not your address', 'does not let this user send from this address'],
    ['recipient', /^RCPT/i, '550 No one here', 'does not accept mail for this recipient'],
    ['message', /^\.$/, '554 Looks like spam', 'did not accept the message'],
  ])('tells the stage %s by what is refused', async (stage, at, answer, advice) => {
    const port = await serve((line) => (at.test(line) ? answer : polite(line)));
    const result = await tryOut(port);
    expect(result).toMatchObject({ delivered: false, stage });
    expect(result.message).toContain(advice);
    // Before the sign-in only the code is shown.
    expect(result.serverAnswer).toContain(at.test('AUTH') ? answer.slice(0, 9) : answer);
  });

  /** Text that another kind of service, or an unknown server, sends before our sign-in. */
  const SECRET = 'internal-host OpenSSH_9.6 build 4711';

  it.each<[string, string | null, Script, string, string | null]>([
    ['a greeting of another protocol', `SSH-2.0-${SECRET}`, polite, 'connection', null],
    ['a greeting that refuses', `554 5.3.2 ${SECRET}`, polite, 'connection', '554 5.3.2'],
    [
      'a refused EHLO and HELO',
      '220 test',
      (line) => (/^(EHLO|HELO)/i.test(line) ? `502 ${SECRET}` : polite(line)),
      'greeting',
      '502',
    ],
    [
      'an EHLO that ends the session',
      '220 test',
      (line) => (/^EHLO/i.test(line) ? `421 4.7.0 ${SECRET}` : polite(line)),
      'greeting',
      '421 4.7.0',
    ],
    [
      'a refused HELO alone',
      '220 test',
      (line) =>
        /^EHLO/i.test(line) ? '500 What?' : /^HELO/i.test(line) ? `504 5.5.2 ${SECRET}` : null,
      'greeting',
      '504 5.5.2',
    ],
    [
      'too many connections, said after EHLO',
      '220 test',
      (line) =>
        /^EHLO/i.test(line) ? `421 4.7.0 Too many connections to ${SECRET}` : polite(line),
      'limit',
      '421 4.7.0',
    ],
    [
      'a refused sign-in',
      '220 test',
      (line) => (/^AUTH/i.test(line) ? `535 5.7.8 ${SECRET}` : polite(line)),
      'sign_in',
      '535 5.7.8',
    ],
  ])('reports only the code of %s', async (_, greeting, script, stage, code) => {
    const port = await serve(script, greeting);
    const result = await tryOut(port);
    expect(result).toMatchObject({ delivered: false, stage, serverAnswer: code });
    expect(JSON.stringify(result)).not.toContain('internal');
    const outcome = await deliver(
      { host: '127.0.0.1', port, username: 'u', password: 'p', fromEmail: 'f@example.org' },
      ['127.0.0.1'],
      ENVELOPE,
      MESSAGE,
      new AbortController().signal,
    );
    expect(outcome).toMatchObject({ kind: 'temporary' });
    expect(JSON.stringify(outcome)).not.toContain('internal');
  });

  it('reports a port where nothing listens', async () => {
    const port = await serve(polite);
    for (const close of closers.splice(0)) await close();
    const result = await tryOut(port);
    expect(result).toMatchObject({ delivered: false, stage: 'connection' });
    expect(result.message).toContain('Check host and port');
    expect(result.serverAnswer).toBe('ECONNREFUSED');
  });

  it('reports an unknown name, and an address that is not allowed', async () => {
    expect(await tryOut(587, 'mail.invalid')).toMatchObject({ delivered: false, stage: 'name' });
    const forbidden = await tryOut(587, '127.0.0.2');
    expect(forbidden).toMatchObject({ delivered: false, stage: 'settings' });
    expect(forbidden.message).toContain('SMTP_ALLOWED_HOSTS');
  });

  it.each([
    ['never greets', null, polite],
    ['stops responding after the greeting', '220 test', () => null],
    [
      'stops responding at the sender',
      '220 test',
      (line: string) => (/^MAIL/i.test(line) ? null : polite(line)),
    ],
  ] as [string, string | null, Script][])(
    'reports a server that %s',
    async (_, greeting, script) => {
      const started = Date.now();
      const result = await tryOut(await serve(script, greeting));
      expect(result).toMatchObject({ delivered: false, stage: 'connection' });
      expect(result.message).toContain('did not respond in time');
      expect(Date.now() - started).toBeLessThan(15_000);
    },
  );

  /** The error of nodemailer for a server that is not a named host. */
  async function sendToUnnamedHost(options: object): Promise<unknown> {
    const server = new SMTPServer({ authOptional: true, ...options });
    server.on('error', () => undefined);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closers.push(() => new Promise<void>((resolve) => server.close(() => resolve())));
    const transport = createTransport({
      host: '127.0.0.1',
      port: (server.server.address() as AddressInfo).port,
      requireTLS: true,
      tls: { servername: 'mail.example.org' },
    });
    closers.push(() => transport.close());
    return transport.sendMail({ from: 'f@example.org', to: 't@example.org', text: 't' }).then(
      () => undefined,
      (error: unknown) => error,
    );
  }

  it('reports an invalid certificate', async () => {
    // smtp-server logs a warning about its self-signed certificate.
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const error = await sendToUnnamedHost({});
    const result = diagnose({ kind: 'failed', error, handedOver: false });
    expect(result).toMatchObject({
      delivered: false,
      stage: 'certificate',
      message: 'The certificate of the mail server is not valid for this host name.',
    });
  });

  it('reports a server without encryption', async () => {
    const error = await sendToUnnamedHost({ hideSTARTTLS: true, disabledCommands: ['STARTTLS'] });
    const result = diagnose({ kind: 'failed', error, handedOver: false });
    expect(result).toMatchObject({ delivered: false, stage: 'connection' });
    expect(result.message).toContain('no encrypted connection');
  });
});
