import { describe, expect, it } from 'vitest';
import { resolveMailHost as resolve } from './mail-host.ts';

const resolveMailHost = (host: string, named: string[], port = 587) =>
  resolve({ host, port }, named);

/** Spellings of forbidden addresses that the system's resolver accepts. */
const FORBIDDEN = [
  '127.0.0.1',
  '127.0.0.53',
  '127.1',
  '127.255.255.254',
  '2130706433',
  '0x7f000001',
  '0x7f.1',
  '017700000001',
  'localhost',
  'LOCALHOST',
  '0.0.0.0',
  '0',
  '::1',
  '0:0:0:0:0:0:0:1',
  '::',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::ffff:169.254.169.254',
  '169.254.169.254',
  '169.254.1.1',
  '2852039166',
  '100.100.100.200',
  'fd00:ec2::254',
  'fe80::1',
  '224.0.0.1',
  'ff02::1',
  '255.255.255.255',
  '240.0.0.1',
  '192.0.0.192',
  // The same through a translator or a tunnel.
  '64:ff9b::127.0.0.1',
  '64:ff9b::a9fe:a9fe',
  '64:ff9b:1::7f00:1',
  '::ffff:0:127.0.0.1',
  '2002:7f00:1::',
  '2002:a9fe:a9fe::1',
  '2001:0:7f00:1::',
  '::127.0.0.1',
  // Private networks (RFC 1918, RFC 6598, RFC 4193), also through a translator.
  '10.1.2.3',
  '172.16.0.1',
  '192.168.1.20',
  '3232235796',
  '100.64.0.1',
  'fd12:3456::25',
  '::ffff:10.0.0.1',
  '64:ff9b::a00:1',
];

describe('resolving a mail host', () => {
  it.each(FORBIDDEN)('refuses %s', async (host) => {
    const resolved = await resolveMailHost(host, []);
    expect(resolved).toMatchObject({
      kind: 'forbidden',
      problem: { code: 'host_forbidden' },
    });
  });

  it.each([22, 80, 110, 143, 443, 2526, 5432, 6379])(
    'refuses port %d of any host',
    async (port) => {
      expect(await resolveMailHost('8.8.8.8', [], port)).toMatchObject({
        kind: 'forbidden',
        field: 'port',
        problem: { code: 'port_forbidden' },
      });
      expect((await resolveMailHost('8.8.8.8', ['8.8.8.8'], port)).kind).toBe('allowed');
    },
  );

  it.each([25, 465, 587, 2525])('allows port %d', async (port) => {
    expect((await resolveMailHost('8.8.8.8', [], port)).kind).toBe('allowed');
  });

  it.each(['127.0.0.1', '10.1.2.3', 'localhost', '::1', '169.254.169.254', '2130706433'])(
    'allows %s if it is named, and only by the same name',
    async (host) => {
      expect(await resolveMailHost(host, ['mail.example.org', host.toUpperCase()])).toMatchObject({
        kind: 'allowed',
        isNamed: true,
      });
      expect(await resolveMailHost(host, ['mail.example.org', '10.0.0.1'])).toMatchObject({
        kind: 'forbidden',
      });
    },
  );

  it.each([
    ['8.8.8.8', '8.8.8.8'],
    ['192.0.2.10', '192.0.2.10'],
    ['2001:db8::25', '2001:db8::25'],
    ['2606:4700::1111', '2606:4700::1111'],
    ['64:ff9b::808:808', '64:ff9b::808:808'],
    ['2002:808:808::1', '2002:808:808::1'],
  ])('allows %s and returns the address to connect to', async (host, address) => {
    expect(await resolveMailHost(host, [])).toEqual({ kind: 'allowed', address, isNamed: false });
  });

  it.each(['name.invalid', 'a b', '[::1]'])('reports %j as unknown or forbidden', async (host) => {
    expect(['unknown', 'forbidden']).toContain((await resolveMailHost(host, [])).kind);
  });
});
