import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { silentLog } from '../testing/silent-log.ts';
import { PeriodicJob } from './periodic-job.ts';

describe('a periodic job', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  /** A job whose rounds end when the test says so. */
  function makeJob() {
    const rounds: { end(): void; fail(error: Error): void; signal: AbortSignal }[] = [];
    const job = new PeriodicJob(
      'test',
      1_000,
      (signal) =>
        new Promise((resolve, reject) =>
          rounds.push({ end: () => resolve(null), fail: reject, signal }),
        ),
      silentLog,
    );
    const end = async () => {
      rounds.at(-1)?.end();
      await vi.advanceTimersByTimeAsync(0);
    };
    return { job, rounds, end };
  }

  it('does nothing before its start', async () => {
    const { job, rounds } = makeJob();
    job.wake();
    await vi.advanceTimersByTimeAsync(5_000);
    expect(rounds).toHaveLength(0);
    await job.stop();
  });

  it('starts with a round at once and goes on every interval after a round', async () => {
    const { job, rounds, end } = makeJob();
    job.start();
    expect(rounds).toHaveLength(1);
    await end();
    await vi.advanceTimersByTimeAsync(999);
    expect(rounds).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(rounds).toHaveLength(2);
    await end();
    await job.stop();
  });

  it('never runs twice at once; a wake meanwhile makes one round right after', async () => {
    const { job, rounds, end } = makeJob();
    job.start();
    for (let i = 0; i < 5; i += 1) job.wake();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(rounds).toHaveLength(1);
    await end();
    expect(rounds).toHaveLength(2);
    await end();
    expect(rounds).toHaveLength(2);
    await job.stop();
  });

  it('a wake between rounds runs one now and the next an interval later', async () => {
    const { job, rounds, end } = makeJob();
    job.start();
    await end();
    await vi.advanceTimersByTimeAsync(600);
    job.wake();
    expect(rounds).toHaveLength(2);
    await end();
    await vi.advanceTimersByTimeAsync(999);
    expect(rounds).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(1);
    expect(rounds).toHaveLength(3);
    await end();
    await job.stop();
  });

  it('logs a failure and comes round again', async () => {
    const lines: unknown[] = [];
    const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) });
    let n = 0;
    const job = new PeriodicJob(
      'flaky',
      1_000,
      async () => {
        n += 1;
        if (n === 1) throw new Error('the database is away');
      },
      log,
    );
    job.start();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(n).toBe(2);
    expect(lines).toMatchObject([
      { level: 50, job: 'flaky', err: { message: 'the database is away' } },
    ]);
    await job.stop();
  });

  it('asks the round that is running to end; started meanwhile, the next one follows it', async () => {
    const { job, rounds, end } = makeJob();
    job.start();
    expect(rounds[0]?.signal.aborted).toBe(false);
    const stopping = job.stop();
    expect(rounds[0]?.signal.aborted).toBe(true);
    job.start();
    expect(rounds).toHaveLength(1);
    await end();
    expect(rounds).toHaveLength(2);
    expect(rounds[1]?.signal.aborted).toBe(false);
    await end();
    await stopping;
    await job.stop();
  });

  it('stops after the round that is running, and can be started again', async () => {
    const { job, rounds, end } = makeJob();
    job.start();
    job.wake();
    let stopped = false;
    const stopping = job.stop().then(() => {
      stopped = true;
    });
    await vi.advanceTimersByTimeAsync(0);
    expect(stopped).toBe(false);
    await end();
    await stopping;
    job.wake();
    await vi.advanceTimersByTimeAsync(5_000);
    expect(rounds).toHaveLength(1);
    job.start();
    expect(rounds).toHaveLength(2);
    await end();
    await job.stop();
    await vi.advanceTimersByTimeAsync(5_000);
    expect(rounds).toHaveLength(2);
  });
});
