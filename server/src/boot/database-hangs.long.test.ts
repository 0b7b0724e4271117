import { beginOverHttp, type RunningServer, startServer } from '@invigil/testkit/running-server';
import { afterEach, describe, expect, it } from 'vitest';

const CANDIDATES = 12;
const HANGS_MS = 20_000;
/** The promised limits. */
const ANSWERED_WITHIN_MS = 15_000;
const HEALS_WITHIN_MS = 5_000;

interface Reply {
  status: number;
  tookMs: number;
  sentAt: number;
  retryAfter: string | null;
}

/*
 * A database that neither answers nor closes connections: all its processes are stopped, as on a machine
 * that swaps or a volume that hangs.
 */
describe('while the database hangs', () => {
  let server: RunningServer;
  afterEach(async () => {
    await server.stop();
    server.removeData();
  });

  it('every save is answered in time, and saves succeed soon after the hang', async () => {
    server = await startServer({
      env: { LOG_LEVEL: 'silent' },
    });
    const { admin, sittings } = await beginOverHttp(server.url, CANDIDATES);
    const people = sittings.map((sitting) => ({ ...sitting, revision: 0, acknowledged: 0 }));
    const replies: Reply[] = [];
    const save = async (who: (typeof people)[number]) => {
      who.revision += 1;
      const revision = who.revision;
      const [question] = who.questions;
      const selectedOption = question?.options[revision % 4];
      const answers = [{ questionId: question?.id, selectedOption, isFlagged: false, revision }];
      const sentAt = performance.now();
      const reply = await who.person.call('saveAnswers', {
        params: { id: who.id },
        body: { answers },
      });
      const { status } = reply;
      if (status === 200) who.acknowledged = revision;
      const tookMs = performance.now() - sentAt;
      replies.push({ status, tookMs, sentAt, retryAfter: reply.retryAfter });
    };
    let isOver = false;
    const saving = people.map(async (who) => {
      while (!isOver) {
        await save(who);
        await pause(200);
      }
    });
    await pause(1_000);
    const began = performance.now();
    server.signalDatabase('SIGSTOP');
    // Requests other than saves are answered as well.
    const other = admin.call('listQuizzes');
    await pause(HANGS_MS);
    server.signalDatabase('SIGCONT');
    const ended = performance.now();
    await pause(HEALS_WITHIN_MS + 3_000);
    isOver = true;
    await Promise.all(saving);

    const during = replies.filter((r) => r.sentAt > began && r.sentAt < ended - 1_000);
    expect(during.length).toBeGreaterThan(CANDIDATES);
    expect(new Set(during.map((r) => r.status))).toContain(503);
    expect(new Set(replies.map((r) => r.status))).toEqual(new Set([200, 503]));
    for (const reply of replies) {
      expect(reply.tookMs).toBeLessThan(ANSWERED_WITHIN_MS);
      if (reply.status === 503) expect(Number(reply.retryAfter)).toBeGreaterThan(0);
    }
    const after = replies.filter((r) => r.sentAt > ended + HEALS_WITHIN_MS);
    expect(after.length).toBeGreaterThan(0);
    expect(after.filter((r) => r.status !== 200)).toEqual([]);
    expect([200, 503]).toContain((await other).status);
    for (const { person, id, acknowledged } of people) {
      const { body } = await person.call('listAnswers', { params: { id } });
      expect(body[0].revision).toBeGreaterThanOrEqual(acknowledged);
    }
  });
});

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
