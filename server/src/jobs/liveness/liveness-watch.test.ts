import { describe, expect, it, vi } from 'vitest';
import { LivenessWatch } from './liveness-watch.ts';

const at = (seconds: number) => new Date(seconds * 1_000);

function watch() {
  const note = vi.fn(async (now: Date) => ({ covered: 0, aliveAt: now }));
  return { note, liveness: new LivenessWatch(note) };
}

describe('what a request waits for', () => {
  it('is nothing before the process serves, or while the service is known to be up', async () => {
    const { note, liveness } = watch();
    expect(liveness.caughtUp(at(1_000))).toBeNull();
    await liveness.note(at(1_000));
    expect(liveness.caughtUp(at(1_010))).toBeNull();
    expect(note).toHaveBeenCalledOnce();
  });

  it('is one shared check after an outage, and nothing after it', async () => {
    const { note, liveness } = watch();
    await liveness.note(at(0));
    const waiting = [liveness.caughtUp(at(10.001)), liveness.caughtUp(at(10.002))];
    expect(waiting[0]).not.toBeNull();
    expect(waiting[1]).toBe(waiting[0]);
    await Promise.all(waiting);
    expect(note).toHaveBeenCalledTimes(2);
    expect(liveness.caughtUp(at(11))).toBeNull();
  });

  it('is measured from the time in the database, not from the last check', async () => {
    const { note, liveness } = watch();
    note.mockResolvedValueOnce({ covered: 0, aliveAt: at(4) });
    await liveness.note(at(8.9));
    expect(liveness.caughtUp(at(14))).toBeNull();
    expect(liveness.caughtUp(at(14.1))).not.toBeNull();
  });

  it('fails while the database is unavailable, and is retried by the next request', async () => {
    const { note, liveness } = watch();
    await liveness.note(at(0));
    note.mockRejectedValueOnce(new Error('unavailable'));
    await expect(liveness.caughtUp(at(20))).rejects.toThrow('unavailable');
    await liveness.caughtUp(at(30));
    expect(note).toHaveBeenCalledTimes(3);
    expect(liveness.caughtUp(at(31))).toBeNull();
  });
});
