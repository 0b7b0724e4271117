import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { ATTEMPT_LIMITS } from '@invigil/core/domain/limits';
import type { HttpPerson } from '@invigil/testkit/http-person';
import { print } from '../benchmark.ts';
import { percentile, rounded } from '../statistics.ts';
import type { Known, Page } from './pages.ts';
import { spentDuring } from './processor-time.ts';
import type { LoadSystem } from './system.ts';

const PEOPLE = 40_000;
/** People are written in steps of this many, so that no statement sorts on disk for long. */
const STEP = 10_000;
const SEALED_WITHIN_MS = 3_600_000;
/** The first requests fill caches and plans, as in a portal in use. */
const WARM_UP = 3;

export interface PageFigure {
  page: string;
  isDeep: boolean;
  p50Ms: number;
  p95Ms: number;
  longestMs: number;
  /** Processor time of server and database for one request; `null` without /proc. */
  processorMs: number | null;
}

/** The administrator's pages of a server whose database is filled with attempts. */
export class Portal {
  readonly #system: LoadSystem;
  readonly #admin: HttpPerson;

  private constructor(system: LoadSystem, admin: HttpPerson) {
    this.#system = system;
    this.#admin = admin;
  }

  static async open(system: LoadSystem): Promise<Portal> {
    await system.postgres.query(sql('fixed-rows.sql'));
    return new Portal(system, await system.signIn());
  }

  /**
   * Loads attempts number `from` up to, not including, `to` of `all`, and waits until the server's jobs
   * have processed them, so that these do not disturb measurements.
   */
  async load(range: { from: number; to: number; all: number }): Promise<void> {
    const { postgres } = this.#system;
    const began = performance.now();
    for (let from = range.from; from < range.to; from += STEP) {
      const values = {
        people: PEOPLE,
        grace: ATTEMPT_LIMITS.graceMs,
        from,
        to: Math.min(range.to, from + STEP),
        all: range.all,
      };
      const filled = Object.entries(values).reduce(
        (text, [name, value]) => text.replaceAll(`$${name}`, String(value)),
        sql('attempts.sql'),
      );
      await postgres.query(filled);
    }
    await postgres.query('vacuum (analyze)');
    const seconds = rounded((performance.now() - began) / 1_000);
    print(`Loaded attempts ${range.from} to ${range.to} in ${seconds} s.`);
    const unsealed = 'select count(*) as n from audit_entries where number is null';
    while ((await postgres.count(unsealed)) > 0) {
      if (performance.now() - began > SEALED_WITHIN_MS) throw new Error('the audit is not sealed');
      await delay(500);
    }
    await postgres.query('vacuum (analyze) audit_entries');
    await postgres.query('checkpoint');
  }

  /** Fails when a loaded row is not as valid as the server's. */
  async requireValid(): Promise<void> {
    await this.#system.postgres.query(sql('checks.sql'));
  }

  async known(): Promise<Known> {
    const ids = (table: string, where: string) =>
      this.#system.postgres.texts(
        `select id::text as text from ${table} where ${where} order by md5(id::text) limit 5000`,
      );
    const total = async (name: string) => {
      const response = await this.get(`/api/${name}?limit=1`);
      await response.text();
      return Number(response.headers.get('x-total-count'));
    };
    return {
      attempts: await ids('participants', 'replaced_at is null and submitted_at is not null'),
      quizzes: await ids('quizzes', `title like 'Assessment %' and archived_at is null`),
      totals: {
        participants: await total('participants'),
        outbox: await total('outbox'),
        audit: await total('audit'),
      },
    };
  }

  async measure(page: Page, times: number): Promise<PageFigure> {
    const request = async (turn: number) => {
      const began = performance.now();
      await (await this.get(page.path(turn))).text();
      return performance.now() - began;
    };
    for (let turn = 0; turn < WARM_UP; turn += 1) await request(times + turn);
    const { result: ms, spent } = await spentDuring(this.#system.processes, async () => {
      const all: number[] = [];
      for (let turn = 0; turn < times; turn += 1) all.push(await request(turn));
      return all;
    });
    return {
      page: page.name,
      isDeep: page.isDeep ?? false,
      p50Ms: rounded(percentile(ms, 0.5), 1),
      p95Ms: rounded(percentile(ms, 0.95), 1),
      longestMs: rounded(percentile(ms, 1), 1),
      processorMs: spent ? rounded((spent.app + spent.postgres) / 1_000 / times, 1) : null,
    };
  }

  /** A request with the administrator's session; fails unless it succeeds. */
  get(path: string): Promise<Response> {
    return this.#admin.read(path);
  }
}

function sql(name: string): string {
  return readFileSync(new URL(`./${name}`, import.meta.url), 'utf8');
}
