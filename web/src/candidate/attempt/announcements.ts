import type { Message } from '@invigil/core/contract/attempts/own-participant';
import { z } from 'zod';
import { localKey } from '../../lib/person/local-keys.ts';
import { logProblem } from '../../lib/problem-log.ts';

/** An administrator's message or action, shown until the candidate presses OK. */
export type Announcement =
  | { kind: 'message'; id: string; text: string }
  /** `ms` more than before */
  | { kind: 'extra-time'; id: string; ms: number }
  /** `ms` from receipt until the attempt is ended */
  | { kind: 'ending'; id: string; ms: number };

/** Messages read on this device, so that a reload does not show them again. */
const messagesReadKey = localKey('messagesRead', z.array(z.string()));

export interface AnnouncementDeps {
  loadMessages(): Promise<Message[]>;
  onChange(announcements: readonly Announcement[]): void;
}

/**
 * Announcements to the candidate. Updates only carry a count: when it has grown, the messages are
 * fetched, one request at a time; a failed one is repeated with the next update.
 */
export class Announcements {
  readonly #deps: AnnouncementDeps;
  readonly #read = new Set(messagesReadKey.read() ?? []);
  #shown: readonly Announcement[] = [];
  #known = 0;
  #wanted = 0;
  #loading = false;
  #extensions = 0;
  #isEnding = false;

  constructor(deps: AnnouncementDeps) {
    this.#deps = deps;
  }

  setCount(messageCount: number): void {
    this.#wanted = messageCount;
    if (messageCount > this.#known && !this.#loading) void this.#load();
  }

  extraTime(ms: number): void {
    this.#extensions += 1;
    this.#show([...this.#shown, { kind: 'extra-time', id: `time-${this.#extensions}`, ms }]);
  }

  ending(ms: number): void {
    if (this.#isEnding) return;
    this.#isEnding = true;
    this.#show([{ kind: 'ending', id: 'ending', ms }, ...this.#shown]);
  }

  acknowledge(): void {
    for (const { kind, id } of this.#shown) if (kind === 'message') this.#read.add(id);
    messagesReadKey.write([...this.#read]);
    this.#show([]);
  }

  async #load(): Promise<void> {
    this.#loading = true;
    const requested = this.#wanted;
    try {
      const messages = await this.#deps.loadMessages();
      this.#known = Math.max(this.#known, messages.length);
      const shown = new Set(this.#shown.map(({ id }) => id));
      const news = messages.filter(({ id }) => !this.#read.has(id) && !shown.has(id));
      if (news.length > 0) {
        const added = news.map(({ id, text }) => ({ kind: 'message', id, text }) as const);
        this.#show([...this.#shown, ...added]);
      }
    } catch (cause) {
      logProblem('Messages could not be fetched; retrying with the next update', cause);
      return;
    } finally {
      this.#loading = false;
    }
    // Another one arrived during the request.
    if (this.#wanted > requested) await this.#load();
  }

  #show(announcements: readonly Announcement[]): void {
    this.#shown = announcements;
    this.#deps.onChange(announcements);
  }
}

export function announcementText(announcement: Announcement): { title: string; text: string } {
  if (announcement.kind === 'message') {
    return { title: 'Message from the administrator', text: announcement.text };
  }
  if (announcement.kind === 'ending') {
    return {
      title: 'The administrator is ending your assessment',
      text: `It ends within ${durationWords(announcement.ms)}. What has reached the server by then is submitted as it stands.`,
    };
  }
  return {
    title: 'You have more time',
    text: `The administrator added ${durationWords(announcement.ms)}. The clock shows the new time.`,
  };
}

/** '5 minutes', '1 minute 30 seconds', '45 seconds' */
function durationWords(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1_000));
  const parts: [number, string][] = [
    [Math.floor(seconds / 60), 'minute'],
    [seconds % 60, 'second'],
  ];
  return parts
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}${count === 1 ? '' : 's'}`)
    .join(' ');
}
