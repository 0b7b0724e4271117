import { describe, expect, it } from 'vitest';
import type { ParticipantSession } from '../db/queries/sessions.ts';
import { SessionCache } from './session-reader.ts';

const EXPIRES = new Date('2026-05-14T08:00:00.000Z');
const BEFORE = new Date(EXPIRES.getTime() - 1);

const session = (id: string): ParticipantSession => ({
  kind: 'participant',
  id,
  invitationId: 'i',
  userId: 'u',
  quizId: 'q',
  email: 'c@example.org',
  expiresAt: EXPIRES,
  endedAt: null,
  endReason: null,
});

describe('cached sessions', () => {
  it('are not found by another token, nor once expired', () => {
    const cache = new SessionCache();
    cache.keep('a', session('a'));
    expect(cache.find('b', BEFORE)).toBeUndefined();
    expect(cache.find('a', EXPIRES)).toBeUndefined();
    expect(cache.find('a', new Date(EXPIRES.getTime() + 1))).toBeUndefined();
    expect(cache.find('a', BEFORE)?.id).toBe('a');
  });

  it('are found as last stored', () => {
    const cache = new SessionCache();
    cache.keep('a', session('old'));
    cache.keep('a', session('new'));
    expect(cache.find('a', BEFORE)?.id).toBe('new');
  });

  it('are limited to 20,000: the oldest is evicted', () => {
    const cache = new SessionCache();
    for (let i = 0; i < 20_000; i += 1) cache.keep(`t${i}`, session(`s${i}`));
    expect(cache.find('t0', BEFORE)?.id).toBe('s0');
    // Stored again, it is the newest.
    cache.keep('t0', session('s0'));
    cache.keep('more', session('more'));
    expect(cache.find('t0', BEFORE)?.id).toBe('s0');
    expect(cache.find('t1', BEFORE)).toBeUndefined();
    expect(cache.find('t2', BEFORE)?.id).toBe('s2');
    cache.keep('still more', session('more'));
    expect(cache.find('t2', BEFORE)).toBeUndefined();
    expect(cache.find('more', BEFORE)?.id).toBe('more');
  });
});
