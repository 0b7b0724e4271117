#!/usr/bin/env node
/**
 * `npm run faults`: plays faults on real servers under virtual candidates and prints one verdict line
 * per promise (docs/reliability.md); exits by them. `npm test` holds the short form.
 *
 *   npm run faults -- --long                        with the numbers that the promises name
 *   npm run faults -- --only mail --only due        some of its parts: rounds, kills, hang, deploy,
 *                                                   failover, mail, due, disk, clocks
 *   npm run faults -- --seed 7                      plays the same plans and faults again
 *   npm run faults -- --system two --fault 'SIGKILL of a server'
 *   npm run faults -- --hold 20                     holds what lasts for so many seconds
 *   npm run faults -- --defects                     whether it finds what is broken on purpose
 *
 * A full disk needs root (it mounts a tmpfs), clocks that jump need Debian's package `faketime`, the
 * loss of a primary needs `haproxy`; where they are missing the promise is "not run", with the reason.
 *
 * The order of what happens at once is the machine's, so a seed repeats the load and not every race.
 */
import { join } from 'node:path';
import { requireToolchain, root, run } from './toolchain.mjs';

requireToolchain();
const script = join(root, 'bench', 'faults', 'play.ts');
const { code } = await run('node', [script, ...process.argv.slice(2)], { show: true });
process.exitCode = code;
