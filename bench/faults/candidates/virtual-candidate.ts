import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { EndpointName } from '@invigil/core/contract/endpoints';
import { type HttpInput, HttpPerson, type HttpReply } from '@invigil/testkit/http-person';
import { STILL } from '@invigil/testkit/stills';
import {
  type Action,
  type History,
  monotonicNow,
  type Reply,
  type Result,
  type Trespass,
} from '../checks/history.ts';
import type { SingleReply } from '../checks/notes.ts';
import type { Arrival } from './arrivals.ts';

/** Longer than any fault: the round then fails. */
const GIVE_UP_AFTER_MS = 120_000;
/** Longer than the server's promised limit for one response. */
const WAIT_MS = 20_000;
/** Claims of a forged page; the server must ignore them. */
const CLAIMS = { startedAt: '2099-01-01T00:00:00.000Z', timeSpent: 0, status: 'in_progress' };
const CLAIMED_END = { ...CLAIMS, score: 3, totalMarks: 10, violationCount: 0 };
const WAYS: Trespass[] = ['getParticipant', 'heartbeat', 'saveAnswers', 'submitParticipant'];
/** Minimum delay between retries; at most twice as long. */
const TRY_AGAIN_MS = 150;

export interface CandidateSettings {
  email: string;
  code: string;
  quiz: string;
  ports: readonly number[];
  /** Index of the first server to use. */
  first: number;
  random: () => number;
  history: History;
}

type Save = Extract<Action, { kind: 'save' }>;

/** `status: null` without a complete response: the outcome on the server is unknown. */
type Answer = HttpReply | { status: null; why: string };

/**
 * A candidate with their own connection. Acts sequentially and, like the browser, retries with the same
 * revision or id until the server accepts or refuses.
 */
export class VirtualCandidate {
  readonly #settings: CandidateSettings;
  readonly #line = new HttpPerson('');
  /** The server of the next call. */
  #turn: number;
  #attempt = '';
  #questions: { id: string; options: string[] }[] = [];
  /** The newest save of each question, acknowledged. */
  readonly #saves = new Map<string, Save>();
  #heartbeats = 0;

  constructor(settings: CandidateSettings) {
    this.#settings = settings;
    this.#turn = settings.first;
  }

  get attempt(): string {
    return this.#attempt;
  }

  async signIn(): Promise<void> {
    const { email, code } = this.#settings;
    await this.#must({ kind: 'sign-in' }, 'login', { body: { email, password: code } });
  }

  /** Signs in and starts; throws when that is refused. */
  async start(): Promise<void> {
    await this.signIn();
    const { email, quiz } = this.#settings;
    const start = () => this.#must({ kind: 'start' }, 'startParticipant', { body: CLAIMS });
    this.#attempt = (await start()).attempt ?? '';
    // A second start, as after a reload, must return the same attempt.
    await start();
    const input = { params: { id: quiz }, query: { forAssessment: 'true' } };
    // No faults are played during this phase.
    const paper = await this.#call('listQuestions', input);
    if (paper.status !== 200) throw new Error(`${email}: no paper: ${JSON.stringify(paper)}`);
    this.#questions = paper.body;
  }

  /** Performs each action at its time, or right after the previous one. */
  async run(plan: readonly Arrival[], begin: number): Promise<void> {
    for (const { at, what } of plan) {
      const early = begin + at - monotonicNow();
      if (early > 0) await delay(early);
      await this.#do(what);
    }
  }

  /**
   * Submits twice, then tries to save: both submits must return the same, and the save must be refused; the
   * checks look at what they were answered.
   * The submit has a blank for every question and a claimed result, as the client of the specification sends them.
   */
  async submit(): Promise<void> {
    const attempt = this.#attempt;
    if (attempt === '') return;
    const answers = this.#questions.map(({ id }) => ({ questionId: id, selectedOption: '' }));
    const body = { answers, participant: CLAIMED_END };
    const input = { params: { id: attempt }, body };
    await this.#try({ kind: 'submit', attempt }, 'submitParticipant', input);
    await this.#try({ kind: 'submit', attempt }, 'submitParticipant', input);
    await this.#do('save');
  }

  async trespass(attempt: string): Promise<void> {
    const [question] = this.#questions;
    if (!question || attempt === '' || attempt === this.#attempt) return;
    const row = { questionId: question.id, selectedOption: '', isFlagged: true, revision: 9_999 };
    const bodies = {
      heartbeat: { seq: 1 },
      saveAnswers: { answers: [row] },
      submitParticipant: {},
    };
    for (const way of WAYS) {
      const body = way === 'getParticipant' ? {} : { body: bodies[way] };
      await this.#try({ kind: 'trespass', attempt, way }, way, {
        params: { id: attempt },
        ...body,
      });
    }
  }

  async tryStart(): Promise<SingleReply> {
    const answer = await this.#call('startParticipant', { body: {} });
    if (answer.status === 201) this.#attempt = answer.body.id;
    return singleReplyOf(answer);
  }

  /** Reports a violation with a still, without retries. */
  async reportWithEvidence(): Promise<{ report: SingleReply; evidence: SingleReply }> {
    const { history, email } = this.#settings;
    const attempt = this.#attempt;
    const violation = randomUUID();
    const action: Action = { kind: 'report', attempt, violation };
    const report = { participantId: attempt, violationType: 'face_not_detected', id: violation };
    let reported: SingleReply | undefined;
    await history.observe(email, action, async () => {
      const answer = await this.#call('reportViolation', { body: report });
      reported = singleReplyOf(answer);
      return resultOf(action, answer);
    });
    const stills = [{ offsetMs: -1_000, jpeg: STILL }];
    const body = { id: randomUUID(), violationId: violation, stills, levels: null };
    const evidence = await this.#call('uploadEvidence', { params: { id: attempt }, body });
    return {
      report: reported ?? singleReplyOf({ status: null, why: '' }),
      evidence: singleReplyOf(evidence),
    };
  }

  close(): void {
    this.#line.close();
  }

  async #do(what: Arrival['what']): Promise<void> {
    const attempt = this.#attempt;
    const params = { id: attempt };
    if (what === 'heartbeat') {
      this.#heartbeats += 1;
      const body = { seq: this.#heartbeats, monitor: {} };
      await this.#try({ kind: 'heartbeat', attempt }, 'heartbeat', { params, body });
    } else if (what === 'report') {
      const violation = randomUUID();
      const violationType = 'face_not_detected';
      const body = { participantId: attempt, violationType, id: violation };
      const action: Action = { kind: 'report', attempt, violation };
      await this.#try(action, 'reportViolation', { body });
      // The browser's queue may repeat an accepted report.
      await this.#try(action, 'reportViolation', { body });
    } else {
      const save = what === 'save' ? this.#nextSave() : this.#lateCopy();
      if (save) await this.#save(save);
    }
  }

  async #save(action: Save): Promise<void> {
    const { question: questionId, option: selectedOption, revision } = action;
    const answers = [{ questionId, selectedOption, isFlagged: false, revision }];
    const params = { id: action.attempt };
    const result = await this.#try(action, 'saveAnswers', { params, body: { answers } });
    const newest = this.#saves.get(questionId)?.revision ?? 0;
    if (result.type === 'ok' && revision > newest) this.#saves.set(questionId, action);
  }

  #nextSave(): Save | undefined {
    const question = this.#questions[this.#pick(this.#questions.length)];
    if (!question) return undefined;
    const revision = (this.#saves.get(question.id)?.revision ?? 0) + 1;
    return this.#saveOf(question, revision);
  }

  /** The save before the newest one, as a delayed duplicate. */
  #lateCopy(): Save | undefined {
    const changed = this.#questions.filter(({ id }) => (this.#saves.get(id)?.revision ?? 0) > 1);
    const question = changed[this.#pick(changed.length)];
    const newest = question && this.#saves.get(question.id);
    return question && newest && this.#saveOf(question, newest.revision - 1);
  }

  /** The option follows from the revision, so that a duplicate has the same content. */
  #saveOf({ id, options }: { id: string; options: string[] }, revision: number): Save {
    const option = options[revision % options.length] ?? '';
    return { kind: 'save', attempt: this.#attempt, question: id, revision, option };
  }

  #pick(many: number): number {
    return Math.floor(this.#settings.random() * many);
  }

  async #must(action: Action, name: EndpointName, input: HttpInput): Promise<Reply> {
    const result = await this.#try(action, name, input);
    if (result.type === 'ok') return result.reply;
    throw new Error(
      `${this.#settings.email}: ${action.kind} was refused: ${JSON.stringify(result)}`,
    );
  }

  /** Retries until the outcome is known. */
  async #try(action: Action, name: EndpointName, input: HttpInput): Promise<Result> {
    const { history, email } = this.#settings;
    const until = monotonicNow() + GIVE_UP_AFTER_MS;
    for (;;) {
      const result = await history.observe(email, action, async () =>
        resultOf(action, await this.#call(name, input)),
      );
      if (result.type !== 'unknown') return result;
      if (monotonicNow() > until) throw new Error(`${email}: ${action.kind}: ${result.why}`);
      if (result.status === null) this.#turn += 1;
      await this.#pause();
    }
  }

  /** A broken connection is reopened by the next call. */
  #call(name: EndpointName, input: HttpInput): Promise<Answer> {
    const { ports } = this.#settings;
    this.#line.url = `http://127.0.0.1:${ports[this.#turn % ports.length]}`;
    return this.#line
      .call(name, input, AbortSignal.timeout(WAIT_MS))
      .catch((error: Error) => ({ status: null, why: error.message }));
  }

  #pause(): Promise<void> {
    return delay(TRY_AGAIN_MS * (1 + this.#settings.random()));
  }
}

/** Status, error code and Retry-After of a response. */
function singleReplyOf(answer: Answer): SingleReply {
  if (answer.status === null) return { status: null, code: answer.why, retryAfter: null };
  const { status, body, retryAfter } = answer;
  return { status, code: body?.code ?? '', retryAfter };
}

/** The outcome of an action, for the history. */
function resultOf(action: Action, answer: Answer): Result {
  if (answer.status === null) {
    return { type: 'unknown', status: null, why: answer.why, retryAfter: null };
  }
  const { status, body, text, retryAfter } = answer;
  if (status >= 500) return { type: 'unknown', status, why: text, retryAfter };
  if (status >= 300) return { type: 'fail', status, why: text };
  return { type: 'ok', status, reply: replyOf(action, body, text) };
}

// biome-ignore lint/suspicious/noExplicitAny: foreign data under test
function replyOf({ kind }: Action, body: any, text: string): Reply {
  if (kind === 'start') return { attempt: body.id, status: body.status };
  if (kind === 'submit') return { status: body.participant.status, text };
  if (kind === 'report') return { status: body.status, counted: body.counted };
  if (kind === 'save') return { status: body.status, stale: (body.stale ?? []).length > 0 };
  return kind === 'heartbeat' ? { status: body.status } : {};
}
