/**
 * `npm run faults`: injects faults into real servers under virtual candidates and prints one verdict
 * line per promise (docs/reliability.md) with its smallest counterexample; the exit code is 0 when none is
 * broken. `npm test` runs the short form.
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
import { parseArgs } from 'node:util';
import { describeMachine, machineLine } from '../machine.ts';
import { describeCounterexample } from './checks/counterexample.ts';
import { DEFECTS } from './defects.mjs';
import { isPart, PARTS, type Part, playPart, type Scale, shortfalls, whyNot } from './program.ts';
import { evaluate } from './promises.ts';
import type { Observed } from './round.ts';
import { openDefectiveBuilds } from './run-defects.ts';
import type { SystemName } from './system/system.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    long: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true },
    rounds: { type: 'string' },
    hold: { type: 'string', default: '5' },
    system: { type: 'string' },
    fault: { type: 'string', multiple: true },
    defects: { type: 'boolean', default: false },
  },
});
const seed = values.seed ?? String(Math.floor(Math.random() * 2 ** 31));
const isSelected = values.system !== undefined || values.fault !== undefined;
const parts = values.only?.map(partOf) ?? (isSelected ? ['rounds' as const] : PARTS);

console.log(`seed ${seed}`);
console.log(machineLine(describeMachine()));
if (values.defects) await checkHarness();
else await evaluateProduct();

async function evaluateProduct(): Promise<void> {
  const rounds: Observed[] = [];
  const missing = new Map<Part, string>();
  for (const part of parts) {
    const why = whyNot(part);
    if (why !== null) {
      missing.set(part, why);
      console.log(`\n${part}: not run: ${why}`);
      continue;
    }
    const began = performance.now();
    const say = (line: string) => console.log(line);
    try {
      for await (const round of playPart(part, scale(), say)) rounds.push(round);
    } catch (error) {
      // The harness itself failed; earlier rounds are still evaluated.
      console.error(`${part}: CRASHED:`, error);
      process.exitCode = 1;
    }
    console.log(`${part} took ${Math.round((performance.now() - began) / 1_000)} s`);
  }

  console.log(`\n── verdicts (seed ${seed})`);
  for (const { promise, figure, isTested, counterexamples } of evaluate(rounds)) {
    const [smallest] = counterexamples;
    const word = smallest ? 'BROKEN ' : isTested ? 'kept   ' : 'not run';
    const why = [...missing.values()].join('; ');
    console.log(`${word} ${promise}: ${isTested ? figure : why || 'not requested'}`);
    // A full run that does not test a promise, for no known reason, is a failure.
    if (!isTested && missing.size === 0 && parts === PARTS) process.exitCode = 1;
    if (!smallest) continue;
    process.exitCode = 1;
    console.log(`         ${counterexamples.length} in total; the smallest:`);
    for (const line of describeCounterexample(smallest)) console.log(`         ${line}`);
  }
  if (!values.long) return;
  for (const { what, isReached } of shortfalls(rounds, parts)) {
    console.log(`${isReached ? 'enough ' : 'TOO FEW'} ${what}`);
    if (!isReached) process.exitCode = 1;
  }
}

/** Whether the harness detects the injected defects. */
async function checkHarness(): Promise<void> {
  await using builds = await openDefectiveBuilds();
  const found = await builds.playUnmodified();
  console.log(`\n${found.length === 0 ? 'nothing' : 'SOMETHING'} found in the unmodified build`);
  for (const line of found) console.log(`         ${line}`);
  if (found.length > 0) process.exitCode = 1;
  for (const { name } of DEFECTS) {
    for (const { counterexample } of await builds.play(name)) {
      if (counterexample.length === 0) process.exitCode = 1;
      console.log(`${counterexample.length > 0 ? 'detected' : 'MISSED'} a build that ${name}`);
      for (const line of counterexample) console.log(`         ${line}`);
    }
  }
}

function scale(): Scale {
  const rounds = values.rounds === undefined ? {} : { rounds: Number(values.rounds) };
  return {
    ...{ seed, isLong: values.long, ...rounds },
    holdMs: Number(values.hold) * 1_000,
    systems: values.system === undefined ? ['one', 'two'] : [systemOf(values.system)],
    ...(values.fault ? { faults: values.fault } : {}),
  };
}

function partOf(text: string): Part {
  if (isPart(text)) return text;
  throw new Error(`--only is one of ${PARTS.join(', ')}`);
}

function systemOf(text: string): SystemName {
  const names: SystemName[] = ['one', 'two', 'three', 'disk', 'clocks', 'replicated'];
  const name = names.find((one) => one === text);
  if (name) return name;
  throw new Error(`--system is one of ${names.join(', ')}`);
}
