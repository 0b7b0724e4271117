import { describe, expect, it } from 'vitest';
import { FAILOVER } from './failover.ts';
import { whyNoProxy } from './haproxy.ts';
import { playRound } from './round.ts';
import { evaluate } from './verdicts.ts';

const play = async (env: Record<string, string>) => {
  const round = await playRound({
    seed: 'failover',
    apps: 'replicated',
    candidates: 10,
    leaving: 0,
    perSecond: 10,
    holdMs: 1_500,
    quietMs: 1_000,
    invited: 0,
    hurried: true,
    faults: [FAILOVER],
    env,
  });
  const [verdict] = evaluate([round]).filter(({ promise }) =>
    promise.startsWith('a primary is lost'),
  );
  return verdict;
};

// Two databases and HAProxy in front of two servers; where it is not installed `npm run faults` says so.
describe.skipIf(whyNoProxy() !== null).concurrent('the loss of a primary', () => {
  it('costs no acknowledged save, and its standby is found', { timeout: 120_000 }, async () => {
    expect(await play({})).toMatchObject({ isTested: true, counterexamples: [] });
  });

  it('gives a build away that acknowledges before the standby has it', {
    timeout: 120_000,
  }, async () => {
    const verdict = await play({ PGOPTIONS: '-c synchronous_commit=local' });
    expect(verdict?.counterexamples.map(({ what }) => what)).toContain(
      'an acknowledged save is lost',
    );
  });
});
