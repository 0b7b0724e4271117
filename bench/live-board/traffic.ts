import { setTimeout as delay } from 'node:timers/promises';
import type { TestSession } from '../answer-path/start-candidates.ts';

/** A page sends a heartbeat and an answer every ten seconds. */
const EVERY_MS = 10_000;
/** One in this many candidates gets a report of looking away each time. */
const REPORT_EVERY = 100;

/** Requests that the server accepted. */
export interface Sent {
  heartbeats: number;
  saves: number;
  reports: number;
}

/**
 * All candidates send, evenly spread over the ten seconds, until the returned function is called, which
 * waits for pending requests. A refused request ends the benchmark.
 */
export function startTraffic(url: string, sessions: readonly TestSession[]): () => Promise<Sent> {
  const end = new AbortController();
  const sent: Sent = { heartbeats: 0, saves: 0, reports: 0 };
  const failure = Promise.withResolvers<never>();
  failure.promise.catch(() => undefined);
  const people = sessions.map((session, i) =>
    write(url, session, i, sent, (i / sessions.length) * EVERY_MS, end.signal).catch(
      failure.reject,
    ),
  );
  return async () => {
    end.abort();
    await Promise.race([Promise.all(people), failure.promise]);
    return sent;
  };
}

async function write(
  url: string,
  { cookie, participantId, questions }: TestSession,
  place: number,
  sent: Sent,
  firstMs: number,
  signal: AbortSignal,
): Promise<void> {
  const call = async (method: 'POST' | 'PUT', path: string, body: object) => {
    const headers = { cookie, origin: url, 'content-type': 'application/json' };
    const response = await fetch(`${url}/api/${path}`, {
      method,
      headers,
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path} returned ${response.status}: ${text}`);
  };
  const pause = (ms: number) => delay(ms, undefined, { signal }).catch(() => undefined);
  await pause(firstMs);
  for (let turn = 0; !signal.aborted; turn += 1) {
    await call('POST', `participants/${participantId}/heartbeat`, { seq: turn, monitor: {} });
    sent.heartbeats += 1;
    await pause(EVERY_MS / 2);
    if (signal.aborted) return;
    // The next question each time: the board shows the number of answers.
    const revision = nextRevision(participantId);
    const question = questions[revision % questions.length];
    if (!question) throw new Error('a paper without questions');
    const answer = { questionId: question.id, selectedOption: question.option, isFlagged: false };
    await call('PUT', `participants/${participantId}/answers`, {
      answers: [{ ...answer, revision }],
    });
    sent.saves += 1;
    if ((place + turn) % REPORT_EVERY === 0) {
      const report = { participantId, violationType: 'looking_away', notes: null };
      await call('POST', 'violations', report);
      sent.reports += 1;
    }
    await pause(EVERY_MS / 2);
  }
}

const revisions = new Map<string, number>();

/** Traffic starts several times; revisions continue. */
function nextRevision(participantId: string): number {
  const revision = (revisions.get(participantId) ?? 0) + 1;
  revisions.set(participantId, revision);
  return revision;
}
