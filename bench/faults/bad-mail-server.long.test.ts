import { type MailServer, startBadMailServer } from '@invigil/testkit/mail-servers';
import { afterEach, expect, it } from 'vitest';
import { handOver } from '../../server/src/deliveries/smtp-transport.ts';

const MESSAGE = { subject: 's', text: 'AAAAA-BBBBB-CCCCC', html: '<p>AAAAA-BBBBB-CCCCC</p>' };
const TIMEOUTS = { connectMs: 3_000, responseMs: 3_000 };
const MANY = 200;
const AT_A_TIME = 5;

let server: MailServer;
afterEach(() => server.close());

async function send(i: number) {
  const to = `person-${i}@example.org`;
  const place = { host: '127.0.0.1', port: server.port, username: 'u', password: 'p' };
  const envelope = { to, messageId: `<${i}@example.org>`, date: new Date(0) };
  const named = ['127.0.0.1'];
  const from = { ...place, fromEmail: 'exams@example.org' };
  return (await handOver(from, named, envelope, MESSAGE, TIMEOUTS)).kind;
}

it('accepts most messages, fails some in every way, and records what it accepted', async () => {
  server = await startBadMailServer('test');
  let accepted = 0;
  for (let i = 0; i < MANY; i += AT_A_TIME) {
    const kinds = await Promise.all(Array.from({ length: AT_A_TIME }, (_, k) => send(i + k)));
    accepted += kinds.filter((kind) => kind === 'accepted').length;
  }
  const done = (kind: string) => server.done[kind] ?? 0;
  const noted = server.mails.filter(({ answered }) => answered);
  expect(noted).toHaveLength(accepted);
  expect(accepted).toBeGreaterThan(MANY / 2);
  expect(server.mails.length - noted.length).toBe(
    done('drops the line after taking the message') + done('stalls after taking the message'),
  );
  for (const kind of ['421 to MAIL', '450 to RCPT', '451 to DATA']) {
    expect(done(`answers ${kind}`)).toBeGreaterThan(0);
  }
  expect(done('drops the line before taking the message')).toBeGreaterThan(0);
  expect(done('drops the line after taking the message')).toBeGreaterThan(0);
  expect(server.refused.size).toBeGreaterThan(0);
});

it('refuses connections while it is down', async () => {
  server = await startBadMailServer('away');
  await server.goAway();
  expect(await send(1)).toBe('failed');
  expect(server.mails).toEqual([]);
  await server.comeBack();
  const kinds = new Set<string>();
  for (let i = 0; i < 20; i += 1) kinds.add(await send(i));
  expect(kinds).toContain('accepted');
});
