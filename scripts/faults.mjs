#!/usr/bin/env node
/**
 * `npm run faults`: injects faults into real servers under virtual candidates and prints one verdict
 * line per promise (docs/reliability.md); the exit code is 0 when none is broken. `npm test` runs the
 * short form.
 *
 *   npm run faults -- --long                        with the counts of the promises
 *   npm run faults -- --only mail --only due        some of its parts: rounds, kills, hang, deploy,
 *                                                   failover, mail, due, disk, clocks
 *   npm run faults -- --seed 7                      replays the same plans and faults
 *   npm run faults -- --system two --fault 'SIGKILL of a server'
 *   npm run faults -- --hold 20                     keeps lasting faults up for 20 s
 *   npm run faults -- --defects                     whether it detects injected defects
 *
 * A full disk needs root (it mounts a tmpfs), clock jumps need Debian's package `faketime`, failover
 * needs `haproxy`; where one is missing the promise is "not run", with the reason.
 *
 * A seed repeats the load; the order of concurrent events depends on the machine.
 */
import { join } from 'node:path';
import { requireToolchain, root, run } from './toolchain.mjs';

requireToolchain();
const script = join(root, 'bench', 'faults', 'play.ts');
const { code } = await run('node', [script, ...process.argv.slice(2)], { show: true });
process.exitCode = code;
