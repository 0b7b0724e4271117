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

test('no other container can get the address of the trusted proxy', () => {
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

test('settings of the first start may be empty in compose', () => {
  const compose = read('compose.yaml');
  for (const name of ['ADMIN_EMAIL', 'ADMIN_PASSWORD']) {
    expect(compose).toContain(`${name}: \${${name}:-}`);
  }
});

test('Invigil connects to its own database, not as a superuser', () => {
  const compose = read('compose.yaml');
  const sql = read('database-role.sql');
  const role = only(sql, /^create role (\S+) login nosuperuser /gm);
  const database = only(sql, new RegExp(`^create database (\\S+) owner ${role};`, 'gm'));
  expect(only(compose, /DATABASE_URL: postgresql:\/\/(\S+)/g)).toBe(
    `${role}:\${DATABASE_PASSWORD:?}@database:5432/${database}`,
  );
  // The image makes the user named here a superuser.
  expect(compose).not.toMatch(/POSTGRES_(USER|DB):/);
  expect(compose).toContain('./database-role.sql:/docker-entrypoint-initdb.d/');
  expect(sql).toContain('alter role postgres password null;');
});

test('nothing that is fetched can change under its name: images by digest, actions by commit', () => {
  const images = [
    ...read('Dockerfile').matchAll(/^FROM (\S+:\S+)/gm),
    ...read('compose.yaml').matchAll(/^ {4}image: (\S+)/gm),
  ].map(([, image = '']) => image);
  expect(images).toHaveLength(3);
  for (const image of images) expect(image).toMatch(/@sha256:[0-9a-f]{64}$/);
  const actions = ['ci.yml', 'nightly.yml'].flatMap((name) =>
    [...read(`../.github/workflows/${name}`).matchAll(/uses: (.+)/g)].map(([, use = '']) => use),
  );
  expect(actions.length).toBeGreaterThan(4);
  for (const action of actions) expect(action).toMatch(/^\S+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
});

test('the image has no packages that only build the web app', () => {
  const [, packages = ''] = read('Dockerfile').split(/^FROM base AS packages$/m);
  expect([...packages.matchAll(/npm ci .*/g)].map(([command]) => command)).toEqual([
    'npm ci --omit=dev --workspace=@invigil/server --workspace=@invigil/core',
  ]);
});

test('each container has limits, and the database a network of its own', () => {
  const compose = read('compose.yaml');
  // The apps share theirs.
  expect(compose.match(/ mem_limit: \dg$/gm)).toHaveLength(3);
  expect(compose.match(/ pids_limit: \d+$/gm)).toHaveLength(3);
  expect(compose.match(/ networks: .*/g)).toEqual([
    ' networks: { web: {}, data: {} }',
    ' networks: { web: {}, data: {} }',
    ' networks: { data: {} }',
  ]);
  expect(compose).toMatch(/^ {2}data:\n {4}internal: true$/m);
});

test('the systemd unit allows the calls of a service only', () => {
  expect(only(read('invigil.service'), /^SystemCallFilter=(.*)$/gm)).toBe('@system-service');
});

test('the systemd unit lets the server list the addresses of its machine', () => {
  const families = only(read('invigil.service'), /^RestrictAddressFamilies=(.*)$/gm).split(' ');
  expect(families).toEqual(expect.arrayContaining(['AF_UNIX', 'AF_INET', 'AF_NETLINK']));
});

test('the proxy uses ready processes, or live ones when none is ready', () => {
  const [first = '', fallback = ''] = read('Caddyfile').split('handle_errors');
  expect(only(first, /health_uri (\S+)/g)).toBe('/readyz');
  expect(only(fallback, /health_uri (\S+)/g)).toBe('/healthz');
  // After any other error a process may have started on the request: it must not be retried.
  expect(fallback).toMatch(/@unready expression \{err\.status_code\} == 503\n/);
  expect(fallback).toMatch(/reverse_proxy @unready /);
});
