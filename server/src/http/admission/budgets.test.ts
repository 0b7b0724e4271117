import { BUDGET_LIMITS } from '@invigil/core/domain/limits';
import { describe, expect, it } from 'vitest';
import type { Session } from '../../db/queries/sessions.ts';
import { Budgets, KnownCaller, TokenBucket } from './budgets.ts';

describe('a token bucket', () => {
  it('refuses above its burst, with the seconds until there are enough tokens', () => {
    const bucket = new TokenBucket({ perSecond: 10, burst: 20 }, 0);
    expect(bucket.take(20, 0)).toBe(0);
    expect(bucket.take(1, 0)).toBeCloseTo(0.1);
    expect(bucket.take(5, 400)).toBeCloseTo(0.1);
    expect(bucket.take(5, 500)).toBe(0);
  });

  it('refills up to its burst and no further', () => {
    const bucket = new TokenBucket({ perSecond: 10, burst: 20 }, 0);
    expect(bucket.take(20, 3_600_000)).toBe(0);
    expect(bucket.take(1, 3_600_000)).toBeGreaterThan(0);
  });

  it('admits a cost above its burst when it is full', () => {
    const bucket = new TokenBucket({ perSecond: 10, burst: 20 }, 0);
    expect(bucket.take(500, 0)).toBe(0);
    expect(bucket.take(500, 1_000)).toBeCloseTo(1);
  });
});

describe('budgets', () => {
  const session = (invitationId: string) => ({ kind: 'participant', invitationId }) as Session;

  it('are shared by all sessions of a person, so that signing in again renews nothing', () => {
    const budgets = new Budgets(1);
    budgets.recognize('first', session('one'));
    budgets.recognize('second', session('one'));
    budgets.recognize('other', session('two'));
    expect(budgets.callerOf('second')).toBe(budgets.callerOf('first'));
    expect(budgets.callerOf('other')).not.toBe(budgets.callerOf('first'));
    expect(budgets.callerOf('made up')).toBeUndefined();
  });

  it.each([
    ['192.0.2.7', '::ffff:192.0.2.7', true],
    ['192.0.2.7', '192.0.2.8', false],
    ['2001:db8:1:2::1', '2001:db8:1:ffff::9', true],
    ['2001:db8:1::1', '2001:db8:2::1', false],
  ])('of %s and %s are the same: %s', (one, other, isSame) => {
    const budgets = new Budgets(1);
    expect(budgets.networkOf(one) === budgets.networkOf(other)).toBe(isSame);
  });

  it('report a flood once, at the hundredth refusal within a minute', () => {
    const caller = new KnownCaller(new TokenBucket(BUDGET_LIMITS.session, 0), 'one');
    const refuse = (now: number) => caller.countRefusal(now);
    const floods = (from: number, n: number) =>
      Array.from({ length: n }, (_, i) => refuse(from + i)).filter(Boolean).length;
    expect(floods(100_000, 99)).toBe(0);
    expect(floods(200_000, 99)).toBe(0);
    expect(floods(200_100, 300)).toBe(1);
    expect(floods(300_000, 300)).toBe(1);
  });
});
