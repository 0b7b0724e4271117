import module from 'node:module';
import v8 from 'node:v8';

// Plain JavaScript that Node 20 can parse: the sources are TypeScript and need Node 24, which
// `npm ci` brings and `npm start` puts first in the PATH.
const major = Number(process.versions.node.split('.')[0]);
if (major < 24) {
  console.error(
    `Invigil needs Node 24 and this is ${process.version}. "npm ci" brings the right one: start with "npm start".`,
  );
  process.exit(1);
}
// V8 may conclude from the first requests that the objects of a request live long, and from then on allocate
// them in the old generation. Everything they refer to then survives each minor collection, and an empty
// request takes twice the processor time. Whether it does is random: an idle worker thread was enough
// (docs/benchmarks.md, answer-path).
v8.setFlagsFromString('--no-allocation-site-pretenuring');
// Not at the top: Node 20 lacks what it uses.
await import('./quick-imports.mjs');
// The next start can reuse what this one compiles. In a read-only checkout
// each start compiles.
const cache = `${import.meta.dirname}/../node_modules/.cache/invigil`;
module.enableCompileCache(cache);
// Worker threads read the variable.
process.env.NODE_COMPILE_CACHE ??= cache;
const COMMANDS = {
  '--verify-audit': './src/commands/verify.ts',
  '--verify': './src/commands/verify.ts',
  '--build-web': './src/commands/build-web.ts',
  '--backup': './src/commands/backup.ts',
  '--restore': './src/commands/backup.ts',
  '--rotate-key': './src/commands/rotate-key.ts',
  '--reset-two-step': './src/commands/reset-admin.ts',
  '--reset-password': './src/commands/reset-admin.ts',
};
const command = Object.keys(COMMANDS).find((name) => process.argv.includes(name));
await import(command === undefined ? './src/main.ts' : COMMANDS[command]);
// A server that is killed later could not.
module.flushCompileCache();
