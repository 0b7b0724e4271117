import { silentLog } from '@invigil/testkit/silent-log';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PeriodicJob } from './run-jobs.ts';

describe('a periodic job', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  /** A job whose runs end when the test ends them. */
  function makeJob() {
    const runs: { end(): void; fail(error: Error): void; signal: AbortSignal }[] = [];
    const job = new PeriodicJob(
      'test',
      1_000,
      (signal) =>
        new Promise((resolve, reject) =>
          runs.push({ end: () => resolve(null), fail: reject, signal }),
        ),
      silentLog,
    );
    const end = async () => {
      runs.at(-1)?.end();
      await vi.advanceTimersByTimeAsync(0);
    };
    return { job, runs, end };
  }

  it('does nothing before its start', async () => {
    const { job, runs } = makeJob();
    job.wake();
    await vi.advanceTimersByTimeAsync(5_000);
    expect(runs).toHaveLength(0);
    await job.stop();
  });

  it('runs at once, then an interval after each run', async () => {
    const { job, runs, end } = makeJob();
    job.start();
    expect(runs).toHaveLength(1);
    await end();
    await vi.advanceTimersByTimeAsync(999);
    expect(runs).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(runs).toHaveLength(2);
    await end();
    await job.stop();
  });

  it('never runs concurrently; any number of wakes during a run cause one more', async () => {
    const { job, runs, end } = makeJob();
    job.start();
    for (let i = 0; i < 5; i += 1) job.wake();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(runs).toHaveLength(1);
    await end();
    expect(runs).toHaveLength(2);
    await end();
    expect(runs).toHaveLength(2);
    await job.stop();
  });

  it('runs at once when woken between runs, and then an interval later', async () => {
    const { job, runs, end } = makeJob();
    job.start();
    await end();
    await vi.advanceTimersByTimeAsync(600);
    job.wake();
    expect(runs).toHaveLength(2);
    await end();
    await vi.advanceTimersByTimeAsync(999);
    expect(runs).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(1);
    expect(runs).toHaveLength(3);
    await end();
    await job.stop();
  });

  it('logs a failure and runs again', async () => {
    const lines: unknown[] = [];
    const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) });
    let n = 0;
    const job = new PeriodicJob(
      'flaky',
      1_000,
      async () => {
        n += 1;
        if (n === 1) throw new Error('the database is unavailable');
      },
      log,
    );
    job.start();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(n).toBe(2);
    expect(lines).toMatchObject([
      { level: 50, job: 'flaky', err: { message: 'the database is unavailable' } },
    ]);
    await job.stop();
  });

  it('asks the current run to end, and runs again after it if restarted', async () => {
    const { job, runs, end } = makeJob();
    job.start();
    expect(runs[0]?.signal.aborted).toBe(false);
    const stopping = job.stop();
    expect(runs[0]?.signal.aborted).toBe(true);
    job.start();
    expect(runs).toHaveLength(1);
    await end();
    expect(runs).toHaveLength(2);
    expect(runs[1]?.signal.aborted).toBe(false);
    await end();
    await stopping;
    await job.stop();
  });

  it('stops after the current run, and can be started again', async () => {
    const { job, runs, end } = makeJob();
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
    expect(runs).toHaveLength(1);
    job.start();
    expect(runs).toHaveLength(2);
    await end();
    await job.stop();
    await vi.advanceTimersByTimeAsync(5_000);
    expect(runs).toHaveLength(2);
  });
});
