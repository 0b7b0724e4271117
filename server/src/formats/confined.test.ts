import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { confinedArguments } from './confined.ts';

it('a confined process reads no secret, writes nothing and starts nothing', () => {
  const folder = mkdtempSync(join(tmpdir(), 'invigil-confined-'));
  const secret = join(folder, 'secret-key');
  writeFileSync(secret, 'the key');
  const script = `
    const fs = require('node:fs');
    const tries = {
      ours: () => fs.readFileSync(${JSON.stringify(import.meta.filename)}).length > 0,
      key: () => fs.readFileSync(${JSON.stringify(secret)}, 'utf8'),
      environment: () => fs.readFileSync('/proc/' + process.ppid + '/environ', 'utf8'),
      write: () => fs.writeFileSync(${JSON.stringify(import.meta.filename)}, ''),
      process: () => require('node:child_process').execFileSync('/bin/cat', ['${secret}']),
      thread: () => new (require('node:worker_threads').Worker)('1', { eval: true }),
      addon: () => process.dlopen({ exports: {} }, ${JSON.stringify(secret)}),
    };
    for (const [name, run] of Object.entries(tries)) {
      try { console.log(name, run()); } catch (error) { console.log(name, error.code); }
    }`;
  const run = (options?: { addons: boolean }) =>
    execFileSync(process.execPath, [...confinedArguments(options), '--eval', script], {
      encoding: 'utf8',
      env: {},
    }).split('\n');
  const denied = ['key', 'environment', 'write', 'process', 'thread'].map(
    (name) => `${name} ERR_ACCESS_DENIED`,
  );
  expect(run()).toEqual(['ours true', ...denied, 'addon ERR_DLOPEN_DISABLED', '']);
  // The decoders of images are native code.
  expect(run({ addons: true })).toEqual(['ours true', ...denied, 'addon ERR_DLOPEN_FAILED', '']);
  rmSync(folder, { recursive: true });
});
