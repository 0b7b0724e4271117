import { readFileSync } from 'node:fs';
import { BlockList } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../scripts/toolchain.mjs';

const read = (name: string) => readFileSync(join(root, 'deploy', name), 'utf8');
const only = (text: string, pattern: RegExp) => {
  const found = [...text.matchAll(pattern)].map(([, value = '']) => value);
  expect(found, String(pattern)).toHaveLength(1);
  return found[0] ?? '';
};

test('no one else is given the address of the proxy that the servers believe', () => {
  const compose = read('compose.yaml');
  const proxy = only(compose, /ipv4_address: (\S+)/g);
  expect(only(compose, /TRUST_PROXY: (\S+)/g)).toBe(proxy);
  const within = (network: string) => {
    const [address = '', bits] = network.split('/');
    const list = new BlockList();
    list.addSubnet(address, Number(bits));
    return list.check(proxy);
  };
  expect(within(only(compose, /subnet: ([\d./]+)/g))).toBe(true);
  expect(within(only(compose, /ip_range: ([\d./]+)/g))).toBe(false);
});

test('what only the first start needs may be empty in the settings of compose', () => {
  const compose = read('compose.yaml');
  for (const name of ['ADMIN_EMAIL', 'ADMIN_PASSWORD']) {
    expect(compose).toContain(`${name}: \${${name}:-}`);
  }
});

test('Invigil connects to a database of its own, as a role that is no superuser', () => {
  const compose = read('compose.yaml');
  const sql = read('database-role.sql');
  const role = only(sql, /^create role (\S+) login nosuperuser /gm);
  const database = only(sql, new RegExp(`^create database (\\S+) owner ${role};`, 'gm'));
  expect(only(compose, /DATABASE_URL: postgresql:\/\/(\S+)/g)).toBe(
    `${role}:\${DATABASE_PASSWORD:?}@database:5432/${database}`,
  );
  // The image makes anyone who is named here a superuser.
  expect(compose).not.toMatch(/POSTGRES_(USER|DB):/);
  expect(compose).toContain('./database-role.sql:/docker-entrypoint-initdb.d/');
  expect(sql).toContain('alter role postgres password null;');
});

test('the systemd unit lets the server list the addresses of its machine', () => {
  const families = only(read('invigil.service'), /^RestrictAddressFamilies=(.*)$/gm).split(' ');
  expect(families).toEqual(expect.arrayContaining(['AF_UNIX', 'AF_INET', 'AF_NETLINK']));
});

test('the proxy goes by what is ready, and without that by what lives', () => {
  const [first = '', fallback = ''] = read('Caddyfile').split('handle_errors');
  expect(only(first, /health_uri (\S+)/g)).toBe('/readyz');
  expect(only(fallback, /health_uri (\S+)/g)).toBe('/healthz');
  // Any other error may stand for a request that a process has begun: it must not be sent again.
  expect(fallback).toMatch(/@nobody expression \{err\.status_code\} == 503\n/);
  expect(fallback).toMatch(/reverse_proxy @nobody /);
});
