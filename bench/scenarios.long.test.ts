import { expect, it } from 'vitest';
import { root, run } from '../scripts/toolchain.mjs';

/** The rows that a tiny run prints, without its machine's speed. */
async function tiny(scenario: string): Promise<string> {
  const script = `${root}/bench/scenarios/${scenario}.ts`;
  const { code, output } = await run('node', [script], { env: { BENCH_TINY: '1' } });
  expect(code, output).toBe(0);
  return output;
}

it('candidates of two processes sign in, save and submit without losing an acknowledged answer', async () => {
  const output = await tiny('load');
  expect(output).toContain('| acknowledged answers lost | 0 |');
  expect(output).toContain('| requests with 5xx, refused or unanswered | 0 |');
  expect(output).toContain('| submitted within 2 s | 20 |');
  // On a busy machine someone is later; the benchmark itself has the limit.
  expect(output).toMatch(/\| paper of 20 within 2 s \| \d+ \|/);
  // People of the rush do not stay.
  expect(output).toContain('| ends of these attempts | 20 |');
  const readBack = /\| acknowledged answers read back \| (\d+) \|/.exec(output)?.[1];
  expect(Number(readBack)).toBeGreaterThan(50);
});

it('small attacks move no deadline, kill no process and fail no honest request', async () => {
  const output = await tiny('overload');
  for (const count of [
    'failed honest requests',
    'ends moved',
    'attempts left open',
    'attacks without a response',
    'processes killed',
  ]) {
    expect(output).toContain(`| ${count} | 0 |`);
  }
  const tooLarge = output.match(/^\| [^|]+ of 1 MB \|.*\d × 413.* \|$/gm);
  expect(tooLarge).toHaveLength(2);
});
