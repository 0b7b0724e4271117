/**
 * Shared by every script of this folder: the path of the checkout, the environment of child processes,
 * and how they are run. Runs under Node 20 and later; child processes get the Node 24 installed by `npm
 * ci`, because `node_modules/.bin` comes first in their PATH.
 */
import { spawn } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The path of the checkout, independent of the working directory. */
export const root = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '');

const binFolder = join(root, 'node_modules', '.bin');

/** True when the module at `url` was started directly, not imported. */
export function isEntry(url) {
  const started = process.argv[1];
  return started !== undefined && realpathSync(started) === realpathSync(fileURLToPath(url));
}

/** True in CI and without a terminal: no colors, no cursor movement. */
export const plain = Boolean(process.env.CI) || !process.stdout.isTTY;

/** Ends the process with one clear line unless the bundled runtime is there. */
export function requireToolchain() {
  if (existsSync(join(binFolder, 'node'))) return;
  console.error(
    `Node 24 is missing from ${binFolder}: run "npm ci" in ${root} first (optional dependencies included).`,
  );
  process.exit(1);
}

/**
 * The environment of child processes: bundled tools first in PATH, and no colors without a terminal.
 *
 * @returns {NodeJS.ProcessEnv}
 */
export function childEnvironment() {
  const { FORCE_COLOR, NO_COLOR, ...inherited } = process.env;
  const environment = {
    ...inherited,
    PATH: `${binFolder}${delimiter}${process.env.PATH ?? ''}`,
  };
  if (plain || NO_COLOR !== undefined) return { ...environment, NO_COLOR: '1' };
  return FORCE_COLOR === undefined ? environment : { ...environment, FORCE_COLOR };
}

/**
 * Runs one command in the checkout until it exits; never throws: a command that cannot be started has
 * failed.
 *
 * @param {string} command a name from `node_modules/.bin`, or any other command
 * @param {string[]} args
 * @param {{ show?: boolean, env?: NodeJS.ProcessEnv }} [options] `show`: print the output as it
 *   comes instead of collecting it
 * @returns {Promise<{ code: number, output: string, seconds: number }>}
 */
export function run(command, args, { show = false, env = {} } = {}) {
  const from = performance.now();
  return new Promise((resolve) => {
    let output = '';
    const child = spawn(command, args, {
      cwd: root,
      env: { ...childEnvironment(), ...env },
      stdio: show ? ['ignore', 'inherit', 'inherit'] : ['ignore', 'pipe', 'pipe'],
    });
    const done = (code) => resolve({ code, output, seconds: (performance.now() - from) / 1000 });
    child.stdout?.on('data', (chunk) => {
      output += chunk;
    });
    child.stderr?.on('data', (chunk) => {
      output += chunk;
    });
    child.on('error', (error) => {
      output += `${command} could not be started: ${error.message}\n`;
      if (show) console.error(`${command} could not be started: ${error.message}`);
      done(1);
    });
    child.on('close', (code, signal) => {
      if (signal !== null) output += `${command} was ended by ${signal}\n`;
      done(code ?? 1);
    });
  });
}
