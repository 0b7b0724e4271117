import type { EvidenceUpload } from '@invigil/core/contract/evidence';
import type { EvidenceRing, Level, Still } from './evidence-ring.ts';

/** Pictures are collected so long after the moment; the tenth of them comes a little late. */
const AFTER_MS = 10_500;

/**
 * Moments that may wait for their violation to arrive: each holds up to half a megabyte, and an
 * outage may be long. What is detected beyond them is reported without evidence.
 */
const MOST_MOMENTS = 12;
/**
 * Tries of one upload; the pauses between them double from the first, and end at the last. They are
 * longer than those of answers and reports, which use the same line and come first.
 */
const MOST_TRIES = 6;
const FIRST_PAUSE_MS = 4_000;
const LAST_PAUSE_MS = 60_000;

export type Upload = Pick<EvidenceUpload, 'id' | 'violationId' | 'ageMs' | 'stills' | 'levels'>;

/** `again`: what stood against it may pass; `afterMs` is what the server asks to wait. */
export type SendOutcome =
  | { kind: 'sent' }
  | { kind: 'refused'; cause: unknown }
  | { kind: 'again'; afterMs: number | null; cause: unknown };

export interface EvidenceDeps {
  ring: EvidenceRing;
  /** Sends one upload; never rejects. */
  send(upload: Upload): Promise<SendOutcome>;
  /** It was tried often enough, or refused. */
  onLost(cause: unknown): void;
  newId(): string;
  now(): number;
}

/**
 * Brings the ten seconds before and after a moment to the server, in two uploads behind the
 * violation that they belong to. One upload at a time: answers use the same line. Evidence that
 * cannot be sent after some tries is lost; the violation is not.
 */
export class EvidenceSender {
  readonly #deps: EvidenceDeps;
  readonly #open = new Map<string, { finish(): void }>();
  readonly #moments = new Set<Promise<void>>();
  #line: Promise<void> = Promise.resolve();

  constructor(deps: EvidenceDeps) {
    this.#deps = deps;
  }

  /** Holds what is known of a moment until `known` says that the server has its violation. */
  collect(violationId: string, at: number, known: Promise<boolean>): void {
    if (this.#moments.size >= MOST_MOMENTS) return;
    const over = Promise.withResolvers<void>();
    this.#moments.add(over.promise);
    const { ring } = this.#deps;
    const before = ring.before(at);
    const after = ring.follow(at + AFTER_MS);
    const moment = { violationId, at };
    const sent = known.then((is) => (is ? this.#send(moment, before) : undefined));
    const timer = setTimeout(() => finish(), AFTER_MS);
    const finish = () => {
      clearTimeout(timer);
      if (!this.#open.delete(violationId)) return;
      const rest = after.end();
      void Promise.all([known, sent])
        .then(([is]) => (is ? this.#send(moment, rest) : undefined))
        .finally(() => {
          this.#moments.delete(over.promise);
          over.resolve();
        });
    };
    this.#open.set(violationId, { finish });
  }

  /** The still that the policy asks for every so often. */
  sendNewest(): void {
    const { ring, now } = this.#deps;
    const still = ring.newest;
    // An old picture says nothing about now: the camera is gone.
    if (still === null || now() - still.at > 5_000) return;
    void this.#send({ violationId: null, at: still.at }, { stills: [still], levels: [] });
  }

  /** The evidence of every moment so far has been sent, or is lost. Never rejects. */
  async settled(): Promise<void> {
    await Promise.all(this.#moments);
    await this.#line;
  }

  /** No more pictures come: what was collected so far is sent. */
  finishAll(): void {
    for (const { finish } of [...this.#open.values()]) finish();
  }

  #send(
    { violationId, at }: { violationId: string | null; at: number },
    { stills, levels }: { stills: readonly Still[]; levels: readonly Level[] },
  ): Promise<void> {
    if (stills.length === 0 && levels.length === 0) return Promise.resolve();
    const upload = {
      id: this.#deps.newId(),
      violationId,
      stills: stills.map((still) => ({ offsetMs: Math.round(still.at - at), jpeg: still.jpeg })),
      levels: levelCurve(levels, at),
    };
    this.#line = this.#line.then(() => this.#sendUntilTaken(upload, at));
    return this.#line;
  }

  async #sendUntilTaken(upload: Omit<Upload, 'ageMs'>, at: number): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      const ageMs = Math.max(0, Math.round(this.#deps.now() - at));
      const outcome = await this.#deps.send({ ...upload, ageMs });
      if (outcome.kind === 'sent') return;
      if (outcome.kind === 'refused' || tries === MOST_TRIES) {
        return this.#deps.onLost(outcome.cause);
      }
      const pause = outcome.afterMs ?? FIRST_PAUSE_MS * 2 ** (tries - 1);
      await new Promise((resolve) => setTimeout(resolve, Math.min(pause, LAST_PAUSE_MS)));
    }
  }
}

function levelCurve(levels: readonly Level[], at: number): Upload['levels'] {
  const [first] = levels;
  const last = levels.at(-1);
  if (first === undefined || last === undefined) return null;
  const everyMs = levels.length < 2 ? 300 : (last.at - first.at) / (levels.length - 1);
  return {
    offsetMs: Math.round(first.at - at),
    everyMs: Math.min(10_000, Math.max(50, Math.round(everyMs))),
    values: levels.map(({ level }) => level),
  };
}
