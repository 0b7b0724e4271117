import { afterEach, describe, expect, it, vi } from 'vitest';
import { newId } from './new-id.ts';

describe('a new id', () => {
  afterEach(() => void vi.useRealTimers());

  it('is a UUIDv7 that begins with the time', () => {
    vi.useFakeTimers({ now: new Date('2100-01-01T00:00:00Z'), toFake: ['Date'] });
    const id = newId();
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    const milliseconds = Number.parseInt(id.replace('-', '').slice(0, 12), 16);
    expect(milliseconds).toBe(Date.parse('2100-01-01T00:00:00Z'));
  });

  it('is greater than all earlier ones, also within one millisecond and when the clock goes back', () => {
    vi.useFakeTimers({ now: new Date('2100-01-02T00:00:00Z'), toFake: ['Date'] });
    const ids = Array.from({ length: 10_000 }, newId);
    vi.setSystemTime(new Date('2100-01-01T00:00:00Z'));
    ids.push(newId());
    expect(ids).toEqual([...ids].sort());
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('cannot be guessed from the previous one: its last 62 bits are random', () => {
    const tails = Array.from({ length: 1_000 }, () => newId().slice(19));
    expect(new Set(tails).size).toBe(tails.length);
  });
});
