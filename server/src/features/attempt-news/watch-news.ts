import type { Logger } from 'pino';
import type { Notifications } from '../../db/connection/notifications.ts';
import { newId } from '../../db/new-id.ts';
import { seal, unseal } from '../../security/sealing.ts';

/** Carries which process watches whom, and the pictures for it. */
const WATCH_CHANNEL = 'attempt_watch';

/** A notification holds 8,000 bytes; ids and numbers take a few hundred of them. */
const PIECE_CHARACTERS = 7_600;
const MAX_PIECES = 10;

/** A message of another process. */
export type WatchMessage =
  | { kind: 'watching' | 'over'; node: string; participantId: string }
  | { kind: 'picture'; participantId: string; at: Date; jpeg: Buffer };

interface Incoming {
  picture: string;
  pieces: string[];
}

/**
 * Exchanges watching and pictures between processes as notifications of the database. A picture is
 * encrypted and cut into pieces: it passes through the database's queue and is stored in no table.
 */
export class WatchNews {
  readonly #notifications: Notifications;
  readonly #key: Buffer;
  readonly #log: Logger;
  readonly #node = newId();
  readonly #incoming = new Map<string, Incoming>();

  constructor(notifications: Notifications, key: Buffer, log: Logger) {
    this.#notifications = notifications;
    this.#key = key;
    this.#log = log;
  }

  /** @param isWanted whether pictures of a person are reassembled in this process */
  listen(
    receive: (message: WatchMessage) => void,
    isWanted: (participantId: string) => boolean,
  ): void {
    this.#notifications.on(WATCH_CHANNEL, (payload) => {
      const [kind = '', participantId = '', ...rest] = payload.split(' ');
      if (kind === 'picture') {
        if (!isWanted(participantId)) this.#incoming.delete(participantId);
        else this.#takePiece(participantId, rest, receive);
      } else if ((kind === 'watching' || kind === 'over') && rest[0] && rest[0] !== this.#node) {
        receive({ kind, participantId, node: rest[0] });
      }
    });
  }

  /** Notifies the other processes whom this one watches or no longer watches. */
  async announce(kind: 'watching' | 'over', participantIds: readonly string[]): Promise<void> {
    await this.#send(participantIds.map((id) => `${kind} ${id} ${this.#node}`));
  }

  async sendPicture(participantId: string, jpeg: Buffer, at: Date): Promise<void> {
    const sealed = seal(this.#key, jpeg.toString('base64'), `thumbnail/${participantId}`);
    const text = sealed.toString('base64');
    const picture = newId();
    const count = Math.ceil(text.length / PIECE_CHARACTERS);
    await this.#send(
      Array.from({ length: count }, (_, i) => {
        const piece = text.slice(i * PIECE_CHARACTERS, (i + 1) * PIECE_CHARACTERS);
        return `picture ${participantId} ${picture} ${at.getTime()} ${i} ${count} ${piece}`;
      }),
    );
  }

  /**
   * Sends a picture or an announcement. While the database is away it is lost, and soon repeated; no request
   * fails.
   */
  async #send(payloads: string[]): Promise<void> {
    if (payloads.length === 0) return;
    try {
      await this.#notifications.tell(WATCH_CHANNEL, payloads);
    } catch (error) {
      this.#log.warn({ err: error }, 'other processes could not be notified of a camera picture');
    }
  }

  #takePiece(
    participantId: string,
    rest: string[],
    receive: (message: WatchMessage) => void,
  ): void {
    const [picture = '', at = '', i = '', count = '', piece = ''] = rest;
    if (Number(count) > MAX_PIECES) return;
    if (i === '0') this.#incoming.set(participantId, { picture, pieces: [] });
    const incoming = this.#incoming.get(participantId);
    if (incoming?.picture !== picture || incoming.pieces.length !== Number(i)) return;
    incoming.pieces.push(piece);
    if (incoming.pieces.length < Number(count)) return;
    this.#incoming.delete(participantId);
    const sealed = Buffer.from(incoming.pieces.join(''), 'base64');
    try {
      const text = unseal(this.#key, sealed, `thumbnail/${participantId}`);
      const jpeg = Buffer.from(text, 'base64');
      receive({ kind: 'picture', participantId, at: new Date(Number(at)), jpeg });
    } catch (error) {
      this.#log.warn({ err: error }, 'a camera picture of another process cannot be decrypted');
    }
  }
}
