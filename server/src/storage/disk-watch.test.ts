import { pino } from 'pino';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { DiskWatch, type Room } from './disk-watch.ts';

const MIB = 1024 * 1024;
const GIB = 1024 * MIB;

function watching(rooms: Record<string, Room>, reserveBytes: number | null) {
  const lines: { level: number; msg: string }[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const watch = new DiskWatch(Object.keys(rooms), reserveBytes, log, async (folder) => {
    const room = rooms[folder];
    if (!room || Number.isNaN(room.freeBytes)) throw new Error('cannot be asked');
    return room;
  });
  return { watch, messages: () => lines.map(({ msg }) => msg.split(':', 1)[0]) };
}

describe('the free disk space', () => {
  afterEach(() => vi.useRealTimers());

  it('raises one alarm below the reserve, and ends it well above', async () => {
    const disk = { freeBytes: 100 * MIB, totalBytes: 10 * GIB };
    const { watch, messages } = watching({ data: disk }, 100 * MIB);
    const at = async (mib: number) => {
      disk.freeBytes = mib * MIB;
      await watch.read();
      return [watch.isLow, watch.isNearlyFull];
    };
    expect(await at(100)).toEqual([false, false]);
    expect(messages()).toEqual([]);
    expect(await at(99)).toEqual([true, false]);
    expect(await at(98)).toEqual([true, false]);
    expect(await at(49)).toEqual([true, true]);
    expect(await at(0)).toEqual([true, true]);
    expect(await at(109)).toEqual([true, false]);
    expect(messages()).toEqual(['disk alarm']);
    expect(await at(111)).toEqual([false, false]);
    expect(messages()).toEqual(['disk alarm', 'disk alarm over']);
    expect(watch.freeBytes).toBe(111 * MIB);
  });

  it('is that of the fullest folder, ignoring one that cannot be read', async () => {
    const rooms = {
      data: { freeBytes: 50 * GIB, totalBytes: 100 * GIB },
      database: { freeBytes: 10 * MIB, totalBytes: GIB },
    };
    const { watch } = watching(rooms, 100 * MIB);
    await watch.read();
    expect([watch.isLow, watch.freeBytes]).toEqual([true, 10 * MIB]);
    rooms.database.freeBytes = Number.NaN;
    await watch.read();
    expect([watch.isLow, watch.freeBytes]).toEqual([false, 50 * GIB]);
    rooms.data.freeBytes = Number.NaN;
    await watch.read();
    expect([watch.isLow, watch.freeBytes]).toEqual([false, null]);
  });

  it.each([
    ['512 MiB of a large disk', 100 * GIB, 512],
    ['a tenth of a small one', 1_000 * MIB, 100],
  ])('has a default reserve: %s', async (_, totalBytes, reserveMib) => {
    const disk = { freeBytes: reserveMib * MIB, totalBytes };
    const { watch } = watching({ data: disk }, null);
    await watch.read();
    expect(watch.isLow).toBe(false);
    disk.freeBytes -= 1;
    await watch.read();
    expect(watch.isLow).toBe(true);
  });

  it('is read one at a time, and a read that hangs is an alarm', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
    const lines: string[] = [];
    const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line).msg) });
    const room = { freeBytes: GIB, totalBytes: 10 * GIB };
    let reads = 0;
    let answer = Promise.withResolvers<Room>();
    const watch = new DiskWatch(['data'], 100 * MIB, log, () => {
      reads += 1;
      return answer.promise;
    });
    watch.start();
    await vi.advanceTimersByTimeAsync(9_000);
    expect([reads, watch.isLow]).toEqual([1, false]);
    await vi.advanceTimersByTimeAsync(5_000);
    expect([reads, watch.isLow, watch.freeBytes]).toEqual([1, true, null]);
    expect(lines).toEqual([expect.stringMatching(/^disk alarm: a folder does not answer/)]);
    answer.resolve(room);
    await vi.advanceTimersByTimeAsync(0);
    expect([watch.isLow, watch.freeBytes]).toEqual([false, GIB]);
    expect(lines).toHaveLength(2);
    answer = Promise.withResolvers<Room>();
    answer.resolve(room);
    await vi.advanceTimersByTimeAsync(3_000);
    expect(reads).toBe(4);
    watch.stop();
  });

  it('is read from the real file system', async () => {
    const watch = new DiskWatch(
      ['/', '/nonexistent'],
      Number.MAX_SAFE_INTEGER,
      pino({ level: 'silent' }),
    );
    await watch.read();
    expect(watch.freeBytes).toBeGreaterThan(0);
    expect(watch.isLow).toBe(true);
  });
});
