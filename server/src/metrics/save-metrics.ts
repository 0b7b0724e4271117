/** Upper bounds in seconds: most saves take milliseconds, and one must be answered within 15 s. */
const SAVE_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15];
const BATCH_SIZES = [1, 2, 5, 10, 20, 50, 100, 200];

/** Observations counted into buckets. A plain array, to keep the answer path fast. */
export class Buckets {
  readonly bounds: readonly number[];
  /** The number of values up to each bound and above the one before; the last for all above. */
  readonly counts: number[];
  sum = 0;

  constructor(bounds: readonly number[]) {
    this.bounds = bounds;
    this.counts = Array.from({ length: bounds.length + 1 }, () => 0);
  }

  add(value: number): void {
    let i = 0;
    while (i < this.bounds.length && value > (this.bounds[i] ?? 0)) i += 1;
    this.counts[i] = (this.counts[i] ?? 0) + 1;
    this.sum += value;
  }
}

/** What the answer writer measures. */
export class SaveMetrics {
  readonly outcomes = { saved: 0, conflict: 0, refused: 0, failed: 0 };
  /** From the arrival of a save to its commit. */
  readonly seconds = new Buckets(SAVE_SECONDS);
  readonly batches = new Buckets(BATCH_SIZES);
}
