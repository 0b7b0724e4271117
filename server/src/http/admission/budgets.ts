import { BUDGET_LIMITS } from '@invigil/core/domain/limits';
import type { Session } from '../../db/queries/sessions.ts';
import { keepNewest } from '../../runtime/keep-newest.ts';
import { siteOf } from '../../security/throttle-key.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Tokens that a request to this route costs; 1 when absent. 0: files and pages, always served. */
    cost?: number;
    /** An event stream stays open and is limited by its own rule (open-streams.ts). */
    isStream?: boolean;
    /** A file that only an administrator sends: its bytes cost nothing. */
    isBulk?: boolean;
  }
}

/** Callers that are remembered. A forgotten one starts with a full bucket. */
const CALLERS_MAX = 50_000;
const MINUTE_MS = 60_000;

/** A token bucket: refills evenly up to its burst (Turner, "New directions in communications", 1986). */
export class TokenBucket {
  readonly #perSecond: number;
  readonly #burst: number;
  #tokens: number;
  #at: number;

  /** @param now milliseconds of a monotonic clock, here and below */
  constructor({ perSecond, burst }: { perSecond: number; burst: number }, now: number) {
    this.#perSecond = perSecond;
    this.#burst = burst;
    this.#tokens = burst;
    this.#at = now;
  }

  /** Takes tokens, or none when too few. Returns the seconds until there are enough; 0: taken. */
  take(cost: number, now: number): number {
    const refill = ((now - this.#at) / 1_000) * this.#perSecond;
    this.#tokens = Math.min(this.#burst, this.#tokens + refill);
    this.#at = now;
    const needed = Math.min(cost, this.#burst);
    if (this.#tokens < needed) return (needed - this.#tokens) / this.#perSecond;
    this.#tokens -= needed;
    return 0;
  }
}

/** A signed-in person: all of their sessions share a budget, so that signing in again renews nothing. */
export class KnownCaller {
  readonly bucket: TokenBucket;
  /** `null` for an administrator. */
  readonly invitationId: string | null;
  /** Requests being answered. */
  inFlight = 0;
  #refusals = 0;
  #countedSince = 0;

  constructor(bucket: TokenBucket, invitationId: string | null) {
    this.bucket = bucket;
    this.invitationId = invitationId;
  }

  /** Counts a refusal. True for the one that makes it a flood within a minute. */
  countRefusal(now: number): boolean {
    if (now - this.#countedSince > MINUTE_MS) {
      this.#countedSince = now;
      this.#refusals = 0;
    }
    this.#refusals += 1;
    return this.#refusals === BUDGET_LIMITS.floodRefusals;
  }
}

/**
 * How many requests each caller may send to this process (product 11). It remembers which live session
 * tokens belong to whom. That authorizes no one: it only decides whose budget a request uses.
 */
export class Budgets {
  readonly #factor: number;
  readonly #byToken = new Map<string, KnownCaller>();
  readonly #byOwner = new Map<string, KnownCaller>();
  readonly #networks = new Map<string, TokenBucket>();

  /** @param factor multiplies every budget */
  constructor(factor: number) {
    this.#factor = factor;
  }

  /** The caller whose session this token was at its last lookup. */
  callerOf(token: string): KnownCaller | undefined {
    return this.#byToken.get(token);
  }

  /** Remembers the owner of a token just found live. */
  recognize(token: string, session: Session): void {
    if (this.#byToken.has(token)) return;
    const invitationId = session.kind === 'participant' ? session.invitationId : null;
    const owner = session.kind === 'participant' ? session.invitationId : session.adminId;
    const { session: limits } = BUDGET_LIMITS;
    const caller = this.#byOwner.get(owner) ?? new KnownCaller(this.#bucket(limits), invitationId);
    keepNewest(this.#byOwner, owner, caller, CALLERS_MAX);
    keepNewest(this.#byToken, token, caller, CALLERS_MAX);
  }

  /** The shared budget of everyone without a known session at an address. */
  networkOf(address: string): TokenBucket {
    const network = siteOf(address);
    const known = this.#networks.get(network);
    if (known) return known;
    const bucket = this.#bucket(BUDGET_LIMITS.network);
    keepNewest(this.#networks, network, bucket, CALLERS_MAX);
    return bucket;
  }

  #bucket({ perSecond, burst }: { perSecond: number; burst: number }): TokenBucket {
    const limits = { perSecond: perSecond * this.#factor, burst: burst * this.#factor };
    return new TokenBucket(limits, performance.now());
  }
}
