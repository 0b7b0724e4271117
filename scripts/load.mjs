#!/usr/bin/env node
/**
 * `npm run load`: the server and an external PostgreSQL under ten thousand candidates, each with their
 * own connection: sign-in, ten minutes of answers, the end. Prints one verdict line per promise
 * (docs/benchmarks.md); the exit code is 0 when all are kept. Takes about twenty minutes.
 *
 *   npm run load -- --short                   500 candidates, about a minute
 *   npm run load -- --minutes 1 --started     without the five minutes of sign-in
 *   npm run load -- --candidates 2000 --seed 7
 *   npm run load -- --embedded                with the embedded database of `npm start`
 */
import { join } from 'node:path';
import { requireToolchain, root, run } from './toolchain.mjs';

requireToolchain();
const script = join(root, 'bench', 'load', 'play.ts');
const { code } = await run('node', [script, ...process.argv.slice(2)], { show: true });
// The results are checked in, formatted like everything else.
await run('biome', ['format', '--write', join('bench', 'results')]);
process.exitCode = code;
