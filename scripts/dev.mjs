#!/usr/bin/env node
/**
 * `npm run dev`: the server, restarted on changes, behind Vite's dev server with hot module replacement.
 * Open http://localhost:5173. Ctrl-C stops both.
 *
 * Settings are those of docs/operating.md; PORT moves the server, the web app stays on 5173.
 */
import { spawn } from 'node:child_process';
import { childEnvironment, requireToolchain, root } from './toolchain.mjs';

const WEB_PORT = 5173;
/** Longer than the server's own shutdown timeout. */
const TIMEOUT_MS = 12_000;

requireToolchain();
const port = process.env.PORT || '3000';
const env = {
  ...childEnvironment(),
  PORT: port,
  // The browser is on Vite's origin; the server accepts writes from PUBLIC_URL only.
  PUBLIC_URL: `http://localhost:${WEB_PORT}`,
  INVIGIL_API: `http://localhost:${port}`,
};

const children = [
  start('server', '.', 'node', [
    '--watch',
    '--watch-preserve-output',
    'server/start.mjs',
    '--without-web',
  ]),
  start('web', 'web', 'vite', ['--port', String(WEB_PORT), '--strictPort']),
];

let ending = false;
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => endAll(signal));
await Promise.all(children.map(({ ended }) => ended));

function start(name, folder, command, args) {
  const child = spawn(command, args, { cwd: `${root}/${folder}`, env, stdio: 'inherit' });
  child.on('error', (error) => console.error(`${name} could not be started: ${error.message}`));
  const ended = new Promise((resolve) => child.once('close', resolve));
  void ended.then((code) => {
    if (ending) return;
    // One is useless without the other.
    process.exitCode = code === 0 ? 0 : 1;
    endAll('SIGTERM');
  });
  return { child, ended };
}

/** After Ctrl-C the children already got the signal from the terminal; a second one has no effect. */
function endAll(signal) {
  if (ending) return;
  ending = true;
  for (const { child } of children) child.kill(signal);
  setTimeout(() => {
    for (const { child } of children) child.kill('SIGKILL');
  }, TIMEOUT_MS).unref();
}
