import { availableParallelism } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { sized } from '../benchmark.ts';
import type { Tally } from './load-clients.ts';
import type { PgbenchRun } from './pgbench.ts';
import type { PreparedSystem } from './prepared-system.ts';
import { difference, type ProcessorTime, spentDuring } from './processor-time.ts';

/** How long each part of a round lasts. */
const SECONDS = sized(4, 1);
/** How long pgbench takes to open 256 connections. */
const CONNECTING_SECONDS = 1;
/** Lets connections close and buffers drain. */
const PAUSE_MS = 500;

/** Processor time in microseconds per request; `undefined` without /proc. */
export interface Cost {
  app: number;
  postgres: number;
  /** Of the load generator or pgbench. */
  sender: number;
}

/** The compared measurements, taken in sequence on the same machine and server. */
export interface Round {
  save: Tally & { cost: Cost | undefined; loadShare: number; otherShare: number | undefined };
  empty: Tally & { cost: Cost | undefined };
  /** The same for Fastify alone. */
  bare: Tally & { cost: Cost | undefined };
  /** pgbench with as many clients as candidates, and with fewer. */
  many: (PgbenchRun & { cost: Cost | undefined }) | undefined;
  few: (PgbenchRun & { cost: Cost | undefined }) | undefined;
}

export async function runRound(request: {
  prepared: PreparedSystem;
  clients: { many: number; few: number };
  /** Every other round in reverse order, so that no part always follows the same one. */
  backwards: boolean;
}): Promise<Round> {
  const { prepared, clients } = request;
  const { system, load, pgbench, bare } = prepared;
  const watch = async <T>(work: () => Promise<T>, who = system.processes) => {
    await delay(PAUSE_MS);
    return spentDuring(who, work);
  };
  const round: Partial<Round> = {};
  const parts = [
    async () => {
      const { result, spent } = await watch(() => load.save({ seconds: SECONDS }));
      const shares = sharesOf(result, spent);
      round.save = {
        ...result,
        ...shares,
        cost: costOf(spent, result.requests, result.loadMicros),
      };
    },
    async () => {
      round.many = await limit(clients.many);
    },
    async () => {
      round.few = await limit(clients.few);
    },
    async () => {
      const { result, spent } = await watch(() => load.ask({ seconds: SECONDS }));
      const cost = costOf(spent, result.requests, result.loadMicros);
      round.empty = { ...result, cost };
    },
    async () => {
      const ask = () => bare.load.ask({ seconds: SECONDS });
      const { result, spent } = await watch(ask, { app: bare.pid, postmaster: 0 });
      round.bare = { ...result, cost: costOf(spent, result.requests, result.loadMicros) };
    },
  ];
  for (const part of request.backwards ? parts.reverse() : parts) await part();
  return { many: undefined, few: undefined, ...round } as Round;

  async function limit(count: number): Promise<Round['many']> {
    if (pgbench === undefined) return undefined;
    const { spent: connecting } = await watch(() => pgbench.saveEach(count, 1));
    const { result, spent } = await watch(() => pgbench.run(count, SECONDS + CONNECTING_SECONDS));
    const running = spent && connecting ? difference(spent, connecting) : undefined;
    const cost = costOf(running, result.requests, running?.ended ?? 0);
    return { ...result, cost };
  }
}

function costOf(
  spent: ProcessorTime | undefined,
  requests: number,
  sender: number,
): Cost | undefined {
  if (spent === undefined) return undefined;
  return {
    app: spent.app / requests,
    postgres: spent.postgres / requests,
    sender: sender / requests,
  };
}

/** Processor shares of the load generator and of other programs. */
function sharesOf(tally: Tally, spent: ProcessorTime | undefined) {
  const available = tally.wallSeconds * 1_000_000 * availableParallelism();
  return {
    loadShare: tally.loadMicros / available,
    otherShare:
      spent === undefined
        ? undefined
        : (spent.machine - spent.app - spent.postgres - tally.loadMicros) / available,
  };
}
