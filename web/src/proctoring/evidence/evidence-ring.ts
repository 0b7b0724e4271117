/** One still per second, by the page's monotonic clock. */
export interface Still {
  at: number;
  /** base64 of a JPEG */
  jpeg: string;
}

export interface Level {
  at: number;
  /** 0 to 120, as the status box shows it */
  level: number;
}

const STILLS = 10;
/** The level curve covers the same ten seconds. */
const LEVELS_MS = 10_000;

/** The last ten seconds, in memory only: a ring buffer of stills and levels. */
export class EvidenceRing {
  #stills: Still[] = [];
  #levels: Level[] = [];
  readonly #followers = new Set<{ until: number; stills: Still[]; levels: Level[] }>();

  addStill(still: Still): void {
    this.#stills = [...this.#stills, still].slice(-STILLS);
    for (const follower of this.#followers) {
      if (still.at <= follower.until && follower.stills.length < STILLS)
        follower.stills.push(still);
    }
  }

  addLevel(level: Level): void {
    this.#levels = [...this.#levels.filter((one) => one.at > level.at - LEVELS_MS), level];
    for (const follower of this.#followers) {
      if (level.at <= follower.until) follower.levels.push(level);
    }
  }

  /** The newest still, if there is one. */
  get newest(): Still | null {
    return this.#stills.at(-1) ?? null;
  }

  /** Stills and levels of the ten seconds before `at`. */
  before(at: number): { stills: Still[]; levels: Level[] } {
    const inTime = (one: { at: number }) => one.at > at - LEVELS_MS - 1_000 && one.at <= at;
    return { stills: this.#stills.filter(inTime), levels: this.#levels.filter(inTime) };
  }

  /** Collects stills and levels until `until`; `end` returns those collected so far. */
  follow(until: number): { end(): { stills: Still[]; levels: Level[] } } {
    const follower = { until, stills: [] as Still[], levels: [] as Level[] };
    this.#followers.add(follower);
    return {
      end: () => {
        this.#followers.delete(follower);
        return { stills: follower.stills, levels: follower.levels };
      },
    };
  }
}
