import { LIVE_LIMITS } from '@invigil/core/domain/limits';
import type { AppContext } from '../app-context.ts';
import { drawnPicture } from './play/drawn-evidence.ts';
import { listRunning } from './story/queries.ts';

const BEAT_EVERY_MS = 10_000;
/** A look to the side now and then, so that one sees that it moves. */
const FILM = ['desk-0', 'desk-1', 'desk-0', 'desk-1', 'away-0', 'away-1', 'desk-0', 'desk-1'];

type Ctx = Pick<AppContext, 'db' | 'clock' | 'heartbeats' | 'thumbnails' | 'log'>;

/**
 * The people of the demonstration who are in the middle of it: their pages go on being heard of, and
 * their drawn cameras are seen while an administrator looks. Until their time is up, or this process.
 */
export class Presence {
  readonly #ctx: Ctx;
  readonly #running: Awaited<ReturnType<typeof listRunning>>;
  #checks = 0;
  #second = 0;

  private constructor(ctx: Ctx, running: Awaited<ReturnType<typeof listRunning>>) {
    this.#ctx = ctx;
    this.#running = running;
  }

  /** Of everybody who is under way in a database that was just filled. */
  static async begin(ctx: Ctx): Promise<Presence> {
    return new Presence(ctx, await listRunning(ctx.db));
  }

  /** Returns what ends it. */
  keepOn(): () => void {
    const beat = () => {
      this.beat().catch((error: unknown) => {
        this.#ctx.log.warn({ err: error }, 'the demonstration could not go on');
      });
    };
    beat();
    const beating = setInterval(beat, BEAT_EVERY_MS).unref();
    const filming = setInterval(() => this.film(), LIVE_LIMITS.frameEveryMs).unref();
    return () => {
      clearInterval(beating);
      clearInterval(filming);
    };
  }

  async beat(): Promise<void> {
    const { heartbeats, clock } = this.#ctx;
    const now = clock.now();
    this.#checks += BEAT_EVERY_MS / 1_000;
    const checks = this.#checks;
    await Promise.all(
      this.#running.map((one) => heartbeats.beat({ ...one, isMonitored: true, checks, now })),
    );
  }

  /** The next picture of everybody who is looked at. */
  film(): void {
    const { thumbnails, clock } = this.#ctx;
    this.#second += 1;
    for (const [place, { participantId }] of this.#running.entries()) {
      if (!thumbnails.isWatched(participantId)) continue;
      const name = FILM[(this.#second + 3 * place) % FILM.length] ?? 'desk-0';
      thumbnails.show(participantId, drawnPicture(name), clock.now());
    }
  }
}
