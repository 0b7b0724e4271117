import { spentDuring } from '../answer-path/processor-time.ts';
import { percentile, rounded } from '../statistics.ts';
import type { Page } from './pages.ts';

/** Response times of a page, at the server, in milliseconds. */
export interface Figure {
  page: string;
  group: Page['group'];
  p50Ms: number;
  p95Ms: number;
  longestMs: number;
  /** Processor time of server and database for one request; `null` without /proc. */
  processorMs: number | null;
}

/** The first requests fill caches and plans, as in a portal in use. */
const WARM_UP = 3;

/** A server and an administrator's session cookie. */
export interface Portal {
  url: string;
  cookie: string;
  /** Process ids; zeros where there is no /proc. */
  processes: { app: number; postmaster: number };
}

/** Requests a page many times sequentially and reads each response completely. */
export async function measurePage(portal: Portal, page: Page, times: number): Promise<Figure> {
  for (let turn = -WARM_UP; turn < 0; turn += 1) await request(portal, page, times - turn);
  const { result: took, spent } = await spentDuring(portal.processes, async () => {
    const all: number[] = [];
    for (let turn = 0; turn < times; turn += 1) all.push(await request(portal, page, turn));
    return all;
  });
  return {
    page: page.name,
    group: page.group,
    p50Ms: rounded(percentile(took, 0.5), 1),
    p95Ms: rounded(percentile(took, 0.95), 1),
    longestMs: rounded(Math.max(...took), 1),
    processorMs: spent ? rounded((spent.app + spent.postgres) / 1_000 / times, 1) : null,
  };
}

/** One request, read completely; returns the milliseconds it took. */
async function request(portal: Portal, page: Page, turn: number): Promise<number> {
  const path = page.path(turn);
  const began = performance.now();
  const response = await fetch(`${portal.url}${path}`, { headers: { cookie: portal.cookie } });
  const text = await response.text();
  const ms = performance.now() - began;
  if (!response.ok) throw new Error(`${path} returned ${response.status}: ${text.slice(0, 500)}`);
  return ms;
}

/** The number of all rows of a list. */
export async function totalOf(portal: Portal, path: string): Promise<number> {
  const response = await fetch(`${portal.url}${path}?limit=1`, {
    headers: { cookie: portal.cookie },
  });
  await response.text();
  return Number(response.headers.get('x-total-count'));
}
