import type { Figure } from './figure.ts';

/**
 * What each process counted when it was last heard of. Prometheus takes a sum that falls for counts that
 * begin anew, and so for a burst of events; a process that died, or that does not answer in time, must
 * not take its counts out of the sum.
 */
export class KeptCounts<P> {
  readonly #last = new Map<P, Figure[]>();
  #ofGone: Figure[] = [];

  /** A process told its figures. */
  note(process: P, figures: Figure[]): void {
    this.#last.set(process, figures.filter(onlyGrows));
  }

  /** A process ended. What it counted since it was last asked is known to nobody. */
  leave(process: P): void {
    this.#ofGone = sumOf([...this.#ofGone, ...this.lastOf(process)]);
    this.#last.delete(process);
  }

  /** The counts of a process as it told them last; none where it never did, or has ended. */
  lastOf(process: P): Figure[] {
    return this.#last.get(process) ?? [];
  }

  /** The counts of all processes that have ended. */
  get ofGone(): Figure[] {
    return this.#ofGone;
  }
}

function onlyGrows({ type }: Figure): boolean {
  return type === 'counter' || type === 'histogram';
}

/** Each figure once, each of its values the sum of those with the same labels. */
function sumOf(figures: Figure[]): Figure[] {
  const byName = new Map<
    string,
    { figure: Figure; values: Map<string, Figure['values'][number]> }
  >();
  for (const figure of figures) {
    const found = byName.get(figure.name) ?? { figure, values: new Map() };
    byName.set(figure.name, found);
    for (const one of figure.values) {
      const labels = Object.entries(one.labels).sort(([a], [b]) => (a < b ? -1 : 1));
      const key = JSON.stringify([one.metricName, labels]);
      const value = (found.values.get(key)?.value ?? 0) + one.value;
      found.values.set(key, { ...one, value });
    }
  }
  return [...byName.values()].map(({ figure, values }) => ({
    ...figure,
    values: [...values.values()],
  }));
}
