import type { EvidenceUpload } from '@invigil/core/contract/attempts/evidence';
import type { EvidenceRing, Level, Still } from './evidence-ring.ts';

/** Stills are collected for this long after the violation; the tenth arrives slightly late. */
const AFTER_MS = 10_500;

/**
 * Limit of violations with evidence in memory: each holds up to half a megabyte, and an outage may
 * be long. Violations beyond it are reported without evidence.
 */
const MOST_MOMENTS = 12;
/**
 * Tries of one upload, with exponential back-off. The pauses are longer than those of answers and
 * reports, which have priority on the same connection.
 */
const MOST_TRIES = 6;
const FIRST_PAUSE_MS = 4_000;
const LAST_PAUSE_MS = 60_000;

export type Upload = Pick<EvidenceUpload, 'id' | 'violationId' | 'ageMs' | 'stills' | 'levels'>;

/** `again`: a temporary failure; `afterMs` is the server's Retry-After. */
export type SendOutcome =
  | { kind: 'sent' }
  | { kind: 'refused'; cause: unknown }
  | { kind: 'again'; afterMs: number | null; cause: unknown };

export interface EvidenceDeps {
  ring: EvidenceRing;
  /** Sends one upload; never rejects. */
  send(upload: Upload): Promise<SendOutcome>;
  /** The upload was refused, or its tries are used up. */
  onLost(cause: unknown): void;
  newId(): string;
  now(): number;
}

/**
 * Uploads the ten seconds before and after a violation, in two uploads after the violation itself.
 * One upload at a time, since answers share the connection. Evidence is lost after the last try; the
 * violation is not.
 */
export class EvidenceSender {
  readonly #deps: EvidenceDeps;
  readonly #open = new Map<string, { finish(): void }>();
  readonly #moments = new Set<Promise<void>>();
  #line: Promise<void> = Promise.resolve();

  constructor(deps: EvidenceDeps) {
    this.#deps = deps;
  }

  /** Collects the evidence of a violation and sends it once `known` resolves to true. */
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

  /** Sends the periodic still that the policy asks for. */
  sendNewest(): void {
    const { ring, now } = this.#deps;
    const still = ring.newest;
    // The camera is gone: an old still shows nothing current.
    if (still === null || now() - still.at > 5_000) return;
    void this.#send({ violationId: null, at: still.at }, { stills: [still], levels: [] });
  }

  /** Resolves once all evidence so far is sent or lost. Never rejects. */
  async settled(): Promise<void> {
    await Promise.all(this.#moments);
    await this.#line;
  }

  /** Stops collecting and sends what there is. */
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
