import argon2 from '@node-rs/argon2';
import { describe, expect, it, vi } from 'vitest';
import { hashPassword, verifyPassword } from './passwords.ts';

/** Counts the hashes that run at the same time. */
function watchHashing() {
  const running = { now: 0, most: 0 };
  const watched =
    <A extends unknown[], R>(work: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      running.now += 1;
      running.most = Math.max(running.most, running.now);
      try {
        return await work(...args);
      } finally {
        running.now -= 1;
      }
    };
  const { hash, verify } = argon2;
  vi.spyOn(argon2, 'hash').mockImplementation(watched(hash));
  vi.spyOn(argon2, 'verify').mockImplementation(watched(verify));
  return running;
}

describe('passwords', () => {
  it('are right only exactly as set, and never for an unknown account', async () => {
    const stored = await hashPassword('correct horse battery');
    for (const wrong of ['', 'correct horse', 'Correct horse battery', 'correct horse battery ']) {
      expect(await verifyPassword(stored, wrong)).toBe(false);
    }
    expect(await verifyPassword(null, 'correct horse battery')).toBe(false);
    expect(await verifyPassword(null, '')).toBe(false);
    expect(await verifyPassword(stored, 'correct horse battery')).toBe(true);
  });

  it('are stored as Argon2id with 19 MiB and two passes, salted', async () => {
    const [one, two] = await Promise.all([hashPassword('same'), hashPassword('same')]);
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(one).not.toBe(two);
  });

  it('are hashed two at a time, and a failure releases its place', async () => {
    const running = watchHashing();
    const stored = await hashPassword('right');
    const results = await Promise.allSettled([
      ...Array.from({ length: 3 }, () => verifyPassword(stored, 'right')),
      ...Array.from({ length: 3 }, () => verifyPassword('not a hash', 'right')),
      ...Array.from({ length: 3 }, () => verifyPassword(null, 'right')),
      hashPassword('right'),
    ]);
    expect(results.map((r) => (r.status === 'fulfilled' ? r.value : 'failed'))).toEqual([
      ...[true, true, true],
      ...['failed', 'failed', 'failed'],
      ...[false, false, false],
      expect.stringContaining('$argon2id$'),
    ]);
    expect(running).toEqual({ now: 0, most: 2 });
    expect(await verifyPassword(stored, 'right')).toBe(true);
  });

  it('queue up to two hundred, and are refused beyond that, for any account', {
    tags: 'long',
  }, async () => {
    const stored = await hashPassword('right');
    const taken = Array.from({ length: 202 }, () => verifyPassword(stored, 'right'));
    const refused = [verifyPassword(stored, 'right'), verifyPassword(null, 'right')];
    // New passwords, signed-in administrators and known devices have their own queue, with priority.
    let isFlooded = true;
    const known = hashPassword('right').then(() => isFlooded);
    const refusal = { code: 'UNAVAILABLE', retryAfterSeconds: 2 };
    await Promise.all(refused.map((one) => expect(one).rejects.toMatchObject(refusal)));
    expect(new Set(await Promise.all(taken))).toEqual(new Set([true]));
    isFlooded = false;
    expect(await known).toBe(true);
    expect(await verifyPassword(null, 'right')).toBe(false);
  });
});
