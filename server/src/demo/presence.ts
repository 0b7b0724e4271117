import { LIVE_LIMITS } from '@invigil/core/domain/limits';
import type { AppContext } from '../app-context.ts';
import { drawnPicture } from './play-person.ts';
import { listRunning } from './queries.ts';

const HEARTBEAT_EVERY_MS = 10_000;
/** The person looks to the side from time to time, so that the picture moves. */
const FRAMES = ['desk-0', 'desk-1', 'desk-0', 'desk-1', 'away-0', 'away-1', 'desk-0', 'desk-1'];

type Ctx = Pick<AppContext, 'db' | 'clock' | 'heartbeats' | 'thumbnails' | 'log'>;

/**
 * The candidates of the demonstration whose attempts are in progress: sends their heartbeats, and
 * drawn camera pictures while an administrator watches. Until their time is up or this process
 * ends.
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

  static async begin(ctx: Ctx): Promise<Presence> {
    return new Presence(ctx, await listRunning(ctx.db));
  }

  start(): () => void {
    const sendHeartbeats = () => {
      this.sendHeartbeats().catch((error: unknown) => {
        this.#ctx.log.warn({ err: error }, 'heartbeats of the demonstration could not be sent');
      });
    };
    sendHeartbeats();
    const heartbeat = setInterval(sendHeartbeats, HEARTBEAT_EVERY_MS).unref();
    const pictures = setInterval(() => this.showPictures(), LIVE_LIMITS.frameEveryMs).unref();
    return () => {
      clearInterval(heartbeat);
      clearInterval(pictures);
    };
  }

  async sendHeartbeats(): Promise<void> {
    const { heartbeats, clock } = this.#ctx;
    const now = clock.now();
    this.#checks += HEARTBEAT_EVERY_MS / 1_000;
    const checks = this.#checks;
    await Promise.all(
      this.#running.map((one) => heartbeats.record({ ...one, isMonitored: true, checks, now })),
    );
  }

  showPictures(): void {
    const { thumbnails, clock } = this.#ctx;
    this.#second += 1;
    for (const [position, { participantId }] of this.#running.entries()) {
      if (!thumbnails.isWatched(participantId)) continue;
      const name = FRAMES[(this.#second + 3 * position) % FRAMES.length] ?? 'desk-0';
      thumbnails.show(participantId, drawnPicture(name), clock.now());
    }
  }
}
