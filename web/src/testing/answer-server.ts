import type { OwnParticipant } from '@invigil/core/contract/attempts/own-participant';
import { compareSave } from '@invigil/core/domain/attempt';
import { STRICT_POLICY } from '@invigil/core/domain/violations/violation-policy';
import { onTestFinished } from 'vitest';
import type { AnswerChange, AnswerNotice } from '../answer-sync/answer-sheet.ts';
import { AnswerSync } from '../answer-sync/answer-sync.ts';
import type {
  AnswerTransport,
  LoadOutcome,
  SaveNews,
  SaveOutcome,
  SubmitOutcome,
  SubmitTransport,
} from '../answer-sync/answer-transport.ts';
import { type ChangeStore, type LastMoment, openChangeStore } from '../answer-sync/change-store.ts';

/** The network fault of one request. */
export type Fault =
  | 'none'
  /** never arrives */
  | 'lost'
  /** arrives and is stored; the reply is lost */
  | 'reply-lost'
  /** arrives; no reply, no failure */
  | 'hangs'
  /** fails at once; arrives after the next request */
  | 'overtaken';

const endedParticipant: OwnParticipant = {
  id: 'participant',
  userId: 'user',
  quizId: 'quiz',
  status: 'completed',
  startedAt: '2026-05-14T10:00:00.000Z',
  deadlineAt: '2026-05-14T10:25:00.000Z',
  remainingMs: 0,
  serverTime: '2026-05-14T10:01:00.000Z',
  totalQuestions: 10,
  answeredCount: 1,
  violationCount: 0,
  fullscreenExits: 0,
  tabSwitches: 0,
  policy: { ...STRICT_POLICY, version: 1 },
  submittedAt: '2026-05-14T10:01:00.000Z',
  timeSpent: 60,
  submissionType: 'manual',
};

const options = ['', 'A', 'B', 'C', 'D'];

/**
 * An in-memory server of the answer path, with the revision rule of the domain, behind a network with
 * `faults`, one entry per request.
 */
export class AnswerServer implements AnswerTransport, SubmitTransport {
  readonly stored = new Map<string, AnswerChange>();
  readonly requests: { kind: 'save' | 'load' | 'submit'; changes: readonly AnswerChange[] }[] = [];
  readonly faults: Fault[] = [];
  /** Outcomes that replace the server's own, one per save. */
  readonly script: SaveOutcome[] = [];
  readonly refusedQuestions = new Set<string>();
  /** Whether refusals name the rows; a proxy or an older server may not. */
  namesRows = true;
  maxRows = Number.POSITIVE_INFINITY;
  remainingMs = 600_000;
  ended = false;
  /** Yields to other tasks between request and reply. */
  slow = false;
  /** Delays every save until it resolves. */
  gate: Promise<void> = Promise.resolve();
  #late: (() => void)[] = [];

  async save(changes: readonly AnswerChange[], { keepalive }: { keepalive: boolean }) {
    this.requests.push({ kind: 'save', changes });
    await this.gate;
    const scripted = this.script.shift();
    if (scripted !== undefined) return scripted;
    const fault = keepalive ? 'none' : (this.faults.shift() ?? 'none');
    return this.#through(fault, () => this.#save(changes));
  }

  async load() {
    this.requests.push({ kind: 'load', changes: [] });
    return this.#through<LoadOutcome>(this.faults.shift() ?? 'none', () => ({
      kind: 'loaded',
      answers: [...this.stored.values()],
    }));
  }

  async submit(changes: readonly AnswerChange[]) {
    this.requests.push({ kind: 'submit', changes });
    return this.#through<SubmitOutcome>(this.faults.shift() ?? 'none', () => {
      if (!this.ended) {
        const outcome = changes.length === 0 ? null : this.#save(changes);
        if (outcome !== null && outcome.kind !== 'saved') return { kind: 'refused' };
        this.ended = true;
      }
      return {
        kind: 'accepted',
        participant: endedParticipant,
        receipt: { id: 'receipt', signed: 'content.signature' },
        lateCount: 0,
        summary: {
          status: 'completed',
          timeSpent: 60,
          answeredCount: [...this.stored.values()].filter((a) => a.answer !== '').length,
          totalQuestions: 10,
          violationCount: 0,
          submissionType: 'manual',
        },
      };
    });
  }

  get saves(): (readonly AnswerChange[])[] {
    return this.requests.filter(({ kind }) => kind === 'save').map(({ changes }) => changes);
  }

  /** Delivers overtaken requests. */
  deliverLate(): void {
    for (const arrive of this.#late.splice(0)) arrive();
  }

  async #through<T>(
    fault: Fault,
    work: () => T,
  ): Promise<T | { kind: 'try-again'; afterMs: null }> {
    const failed = { kind: 'try-again', afterMs: null } as const;
    if (fault === 'lost') return failed;
    if (fault === 'overtaken') {
      this.#late.push(work);
      return failed;
    }
    if (this.slow) await settle(3);
    const outcome = work();
    this.deliverLate();
    if (this.slow) await settle(3);
    if (fault === 'reply-lost') return failed;
    if (fault === 'hangs') return new Promise(() => undefined);
    return outcome;
  }

  #save(changes: readonly AnswerChange[]): SaveOutcome {
    if (this.ended) return { kind: 'closed', status: 'completed', submissionType: 'auto' };
    if (changes.length > this.maxRows) return { kind: 'too-large' };
    const verdicts = changes.map((change) => {
      const { questionId, revision } = change;
      if (this.refusedQuestions.has(questionId)) return 'refused' as const;
      const before = this.stored.get(questionId);
      return compareSave(before === undefined ? null : comparable(before), {
        ...comparable(change),
        revision,
      });
    });
    const rows = verdicts.flatMap((verdict, index) =>
      verdict === 'conflict' || verdict === 'refused'
        ? [{ index, reason: verdict, message: `row ${index}` }]
        : [],
    );
    if (rows.length > 0) {
      return { kind: 'refused', rows: this.namesRows ? rows : [], message: 'not valid' };
    }
    const reply: SaveOutcome = {
      kind: 'saved',
      saved: [],
      stale: [],
      news: { status: 'in_progress', remainingMs: this.remainingMs, violationCount: 0 },
    };
    changes.forEach((change, index) => {
      const before = this.stored.get(change.questionId);
      if (verdicts[index] === 'stale' && before !== undefined) reply.stale.push(before);
      else {
        if (verdicts[index] === 'write') this.stored.set(change.questionId, change);
        reply.saved.push({ questionId: change.questionId, revision: change.revision });
      }
    });
    return reply;
  }
}

/** A function of Node, which runs these tests; the browser's types do not have it. */
declare function setImmediate(run: (value?: unknown) => void): void;

/** Flushes promises and database work without advancing time. */
export async function settle(turns = 40): Promise<void> {
  for (let i = 0; i < turns; i += 1) await new Promise((resolve) => setImmediate(resolve));
}

function comparable({ answer, isFlagged, revision }: AnswerChange) {
  const optionId = options.indexOf(answer);
  // An answer that is no option was typed.
  const given = optionId < 0 ? { optionId: null, response: answer } : { optionId, response: null };
  return { ...given, isFlagged, revision };
}

export const PARTICIPANT = '019a0000-0000-7000-8000-000000000001';

interface Over {
  /** The database on the device; tests have one each. */
  name?: string;
  store?: ChangeStore;
  memory?: ChangeStore;
  lastMoment?: LastMoment;
}

/** Opens a page's answers on this server and device, until the test ends. */
export async function openSync(server = new AnswerServer(), over: Over = {}) {
  const { name = 'test', memory, lastMoment } = over;
  const store = over.store ?? (await openChangeStore(name));
  onTestFinished(() => store.close());
  const notices: AnswerNotice[] = [];
  const news: SaveNews[] = [];
  const sync = new AnswerSync({
    participantId: PARTICIPANT,
    transport: server,
    store,
    ...(memory ? { memory } : {}),
    ...(lastMoment ? { lastMoment } : {}),
    durable: over.store === undefined || memory !== undefined,
    onNews: (item) => news.push(item),
    onNotices: (items) => notices.push(...items),
  });
  const state = () => sync.getSnapshot().state;
  const shown = (question: string) => sync.getSnapshot().values.get(question)?.answer;
  const held = async () => (await store.load(PARTICIPANT)).map((row) => row.answer);
  return { server, sync, store, notices, news, state, shown, held, name };
}

/** The same with what the server and the device have. */
export async function resumed(server?: AnswerServer, over: Over = {}) {
  const opened = await openSync(server, over);
  await opened.sync.resume(new AbortController().signal);
  await settle();
  return opened;
}
