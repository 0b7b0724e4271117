import { call } from '@invigil/testkit/app';
import { type BegunAttempt, beginAttempt, setUpAppWithAdmin } from '@invigil/testkit/factories';
import { startOtherProcess } from '@invigil/testkit/other-process';
import { Client } from 'pg';
import { expect, it, vi } from 'vitest';

const PEOPLE = 8;
const app = setUpAppWithAdmin();

/** Simulates a restart: all arrive at once, and no session is cached in this process. */
it('a process with empty caches reads all sessions in a few statements', async () => {
  const attempts: BegunAttempt[] = [];
  for (let i = 0; i < PEOPLE; i += 1) attempts.push(await beginAttempt(app, app.admin));
  const fresh = await startOtherProcess(app);
  const query = vi.spyOn(Client.prototype, 'query');
  try {
    const replies = await Promise.all(
      attempts.map((own) =>
        call(fresh, 'heartbeat', {
          as: own.candidate.cookie,
          params: { id: own.id },
          body: { seq: 1 },
        }),
      ),
    );
    expect(replies.map(({ status }) => status)).toEqual(Array(PEOPLE).fill(200));
    // The first starts at once; all that arrive during it go into the second.
    const asked = query.mock.calls.map(([what]) => (what as { name?: string }).name);
    const times = asked.filter((name) => name === 'sessions').length;
    expect(times).toBeGreaterThanOrEqual(1);
    expect(times).toBeLessThanOrEqual(3);
  } finally {
    query.mockRestore();
    await fresh.close();
  }
});
