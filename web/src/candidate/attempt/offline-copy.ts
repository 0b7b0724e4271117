import type { Account } from '@invigil/core/contract/accounts/auth';
import type { Answer } from '@invigil/core/contract/attempts/answers';
import { wireRow } from '../../answer-sync/answer-transport.ts';
import { OFFLINE_COPIES } from '../../lib/person/offline-copies.ts';
import { logProblem } from '../../lib/problem-log.ts';
import type { AttemptStore } from './attempt-store.ts';

const AGAIN_MS = 20_000;
const PAGE = '/quiz/assessment';

/**
 * Keeps what the test needs to open again without a connection, while the attempt runs: the page with its
 * files, the paper with its images, the account, the time left and the acknowledged answers. Those that are
 * not acknowledged are kept by the answer path. Without a service worker nothing is kept.
 */
export function keepForReload(account: Account, attempt: AttemptStore, signal: AbortSignal): void {
  withCopies((copies) => keep(copies, account, attempt, signal));
}

/** Keeps the page and its files at the device check, where everyone waits: the first seconds are covered too. */
export function keepFilesForReload(signal: AbortSignal): void {
  withCopies((copies) => keepFiles(copies, signal));
}

/** Does something with the copies, where this browser can keep any. */
function withCopies(work: (copies: Cache) => Promise<void>): void {
  if (!('serviceWorker' in navigator) || !('caches' in window)) return;
  void caches
    .open(OFFLINE_COPIES)
    .then(work)
    .catch((cause) => logProblem('This page cannot be reloaded without a connection', cause));
}

async function keep(
  copies: Cache,
  account: Account,
  attempt: AttemptStore,
  signal: AbortSignal,
): Promise<void> {
  const { participant, paper } = attempt.getSnapshot();
  if (participant === null || signal.aborted) return;
  await put(copies, `/api/quizzes/${participant.quizId}/questions`, paper);
  void keepFiles(copies, signal);
  let written = '';
  let isWriting = false;
  const write = async () => {
    const state = stateOf(attempt);
    if (isWriting || signal.aborted || state === null || state.key === written) return;
    isWriting = true;
    written = state.key;
    try {
      await writeState(copies, account, state);
    } finally {
      isWriting = false;
    }
    // The parts that changed since then.
    await write();
  };
  const changed = () => void write().catch((cause) => logProblem('A copy was not kept', cause));
  signal.addEventListener('abort', attempt.subscribe(changed));
  changed();
}

/** The parts that change while the attempt runs; a new `key` is worth a new copy. */
function stateOf(attempt: AttemptStore) {
  const { participant, violationCount } = attempt.getSnapshot();
  const remainingMs = attempt.remainingMs();
  const acknowledged = attempt.answers?.acknowledged;
  if (participant === null || remainingMs === null || acknowledged === undefined) return null;
  const answers: Answer[] = acknowledged.map((row) => ({
    ...wireRow(row),
    id: row.questionId,
    participantId: participant.id,
    createdAt: participant.startedAt,
  }));
  const own = { ...participant, violationCount, remainingMs: Math.round(remainingMs) };
  // A minute more or less is an extension; the time that passes is added by the service worker.
  const minutesOver = Math.round((performance.now() + remainingMs) / 60_000);
  return { own, answers, key: JSON.stringify([answers, violationCount, minutesOver]) };
}

/** The page and its files, until it has worked: the connection may be bad. */
async function keepFiles(copies: Cache, signal: AbortSignal): Promise<void> {
  for (let hasFailed = false; !signal.aborted; hasFailed = true) {
    try {
      // It keeps every file that is fetched from then on.
      if (import.meta.env.PROD) await navigator.serviceWorker.register('/service-worker.js');
      // After a reload they are here already, unless the server has got another build.
      if (await isThisBuild(await copies.match(PAGE))) return;
      // A file that is gone costs itself.
      await Promise.allSettled(filesOfThisPage().map((file) => add(copies, file, signal)));
      return await add(copies, PAGE, signal);
    } catch (cause) {
      if (!hasFailed && navigator.onLine && !signal.aborted) {
        logProblem('This page cannot be reloaded without a connection yet', cause);
      }
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
  }
}

/** The service worker serves nothing of another build. */
async function isThisBuild(page: Response | undefined): Promise<boolean> {
  const start = document.querySelector('script[type="module"]')?.getAttribute('src');
  return page !== undefined && (await page.text()).includes(`"${start}"`);
}

/** Does what `Cache.add` does, but not beyond the attempt. */
async function add(copies: Cache, name: string, signal: AbortSignal): Promise<void> {
  const response = await fetch(name, { signal });
  if (!response.ok) throw new Error(`${name}: ${response.status}`);
  await copies.put(name, response);
}

async function writeState(
  copies: Cache,
  account: Account,
  { own, answers }: NonNullable<ReturnType<typeof stateOf>>,
): Promise<void> {
  await put(copies, `/api/participants/${own.id}/answers`, answers);
  await put(copies, '/api/participants', own);
  await put(copies, '/api/auth/me', { ...account, attempt: own });
}

function put(copies: Cache, name: string, body: unknown): Promise<void> {
  return copies.put(name, Response.json(body, { headers: { 'x-kept-at': String(Date.now()) } }));
}

/** The scripts, styles, fonts and images that this page has fetched so far. */
function filesOfThisPage(): string[] {
  const names = performance.getEntriesByType('resource').map(({ name }) => new URL(name));
  const ours = names.filter(
    ({ origin, pathname }) =>
      origin === location.origin && /^\/(assets|api\/images)\//.test(pathname),
  );
  return [...new Set(ours.map(({ pathname }) => pathname))];
}
