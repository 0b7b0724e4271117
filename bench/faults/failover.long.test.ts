import { describe, expect, it } from 'vitest';
import { FAILOVER } from './injected/faults.ts';
import { evaluate } from './promises.ts';
import { playRound } from './round.ts';
import { whyNoProxy } from './system/haproxy.ts';

const play = async (env: Record<string, string>) => {
  const round = await playRound({
    seed: 'failover',
    apps: 'replicated',
    candidates: 10,
    leaving: 0,
    perSecond: 10,
    holdMs: 1_500,
    quietMs: 1_000,
    hurried: true,
    faults: [FAILOVER],
    env,
  });
  const [verdict] = evaluate([round]).filter(({ promise }) =>
    promise.startsWith('loss of a primary'),
  );
  return verdict;
};

// Two databases, and HAProxy in front of two servers; `npm run faults` reports when it is not installed.
describe.skipIf(whyNoProxy() !== null).concurrent('the loss of a primary', () => {
  it('loses no acknowledged save, and the servers find the standby', async () => {
    expect(await play({})).toMatchObject({ isTested: true, counterexamples: [] });
  });

  it('reveals a build that acknowledges before the standby has the data', async () => {
    const verdict = await play({ PGOPTIONS: '-c synchronous_commit=local' });
    expect(verdict?.counterexamples.map(({ what }) => what)).toContain(
      'an acknowledged save is lost',
    );
  });
});
