import { describe, expect, it, vi } from 'vitest';
import { LivenessWatch } from './liveness-watch.ts';

const at = (seconds: number) => new Date(seconds * 1_000);

function watch() {
  const note = vi.fn(async (now: Date) => ({ covered: 0, aliveAt: now }));
  return { note, liveness: new LivenessWatch(note) };
}

describe('what a request waits for', () => {
  it('is nothing before the process serves, nor while it is known to be up', async () => {
    const { note, liveness } = watch();
    expect(liveness.caughtUp(at(1_000))).toBeNull();
    await liveness.note(at(1_000));
    expect(liveness.caughtUp(at(1_010))).toBeNull();
    expect(note).toHaveBeenCalledOnce();
  });

  it('is one look for all after an outage, and nothing after it', async () => {
    const { note, liveness } = watch();
    await liveness.note(at(0));
    const waiting = [liveness.caughtUp(at(10.001)), liveness.caughtUp(at(10.002))];
    expect(waiting[0]).not.toBeNull();
    expect(waiting[1]).toBe(waiting[0]);
    await Promise.all(waiting);
    expect(note).toHaveBeenCalledTimes(2);
    expect(liveness.caughtUp(at(11))).toBeNull();
  });

  it('is measured from what the database knows, not from the last look', async () => {
    const { note, liveness } = watch();
    note.mockResolvedValueOnce({ covered: 0, aliveAt: at(4) });
    await liveness.note(at(8.9));
    expect(liveness.caughtUp(at(14))).toBeNull();
    expect(liveness.caughtUp(at(14.1))).not.toBeNull();
  });

  it('fails while the database is away, and is tried again by the next one', async () => {
    const { note, liveness } = watch();
    await liveness.note(at(0));
    note.mockRejectedValueOnce(new Error('away'));
    await expect(liveness.caughtUp(at(20))).rejects.toThrow('away');
    await liveness.caughtUp(at(30));
    expect(note).toHaveBeenCalledTimes(3);
    expect(liveness.caughtUp(at(31))).toBeNull();
  });
});
