import type { Message } from '@invigil/core/contract/attempts/own-participant';
import { durationText, secondsText } from '@invigil/core/texts/amounts';
import { t } from '@invigil/core/texts/i18n';
import { z } from 'zod';
import { localKey } from '../../lib/person/local-keys.ts';
import { logProblem } from '../../lib/problem-log.ts';

/** An administrator's message or action, shown until the candidate presses OK. */
export type Announcement =
  | { kind: 'message'; id: string; text: string }
  /** Messages that were sent before this device had the attempt, by their ids: they are in the list. */
  | { kind: 'earlier'; id: string; messages: readonly string[] }
  /** `ms` more than before */
  | { kind: 'extra-time'; id: string; ms: number }
  /** `ms` from receipt until the attempt is ended */
  | { kind: 'ending'; id: string; ms: number };

/** Messages read on this device, so that a reload does not show them again. */
const messagesReadKey = localKey('messagesRead', z.array(z.string()));

export interface AnnouncementDeps {
  loadMessages(): Promise<Message[]>;
  /** `messages`: all of the attempt, oldest first. */
  onChange(announcements: readonly Announcement[], messages: readonly Message[]): void;
}

/**
 * Announcements to the candidate. Updates only carry a count: when it has grown, the messages are
 * fetched, one request at a time; a failed one is repeated with the next update.
 */
export class Announcements {
  readonly #deps: AnnouncementDeps;
  readonly #read: Set<string>;
  /** This device does not know what was read on another one. */
  #isNewHere: boolean;
  #messages: readonly Message[] = [];
  #shown: readonly Announcement[] = [];
  #known = 0;
  #wanted = 0;
  #loading = false;
  #extensions = 0;
  #isEnding = false;

  constructor(deps: AnnouncementDeps) {
    this.#deps = deps;
    const read = messagesReadKey.read();
    this.#read = new Set(read ?? []);
    this.#isNewHere = read === null;
  }

  setCount(messageCount: number): void {
    this.#wanted = messageCount;
    if (messageCount === 0 && this.#isNewHere) this.#markRead([]);
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

  acknowledge(id: string): void {
    const read = this.#shown.find((one) => one.id === id);
    if (read?.kind === 'message') this.#markRead([id]);
    if (read?.kind === 'earlier') this.#markRead(read.messages);
    this.#show(this.#shown.filter((one) => one !== read));
  }

  #markRead(ids: readonly string[]): void {
    this.#isNewHere = false;
    for (const id of ids) this.#read.add(id);
    messagesReadKey.write([...this.#read]);
  }

  async #load(): Promise<void> {
    this.#loading = true;
    const requested = this.#wanted;
    try {
      const messages = await this.#deps.loadMessages();
      this.#known = Math.max(this.#known, messages.length);
      const known = new Set(this.#messages.map(({ id }) => id));
      const news = messages.filter(({ id }) => !this.#read.has(id) && !known.has(id));
      const ids = news.map(({ id }) => id);
      const added = this.#isNewHere
        ? [{ kind: 'earlier', id: 'earlier', messages: ids } as const]
        : news.map(({ id, text }) => ({ kind: 'message', id, text }) as const);
      this.#isNewHere = false;
      this.#messages = messages;
      if (ids.length > 0 || known.size === 0) this.#show([...this.#shown, ...added]);
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
    this.#deps.onChange(announcements, this.#messages);
  }
}

export function announcementText(announcement: Announcement): { title: string; text: string } {
  if (announcement.kind === 'message') {
    return {
      title: t('announcements.message', 'Message from the administrator'),
      text: announcement.text,
    };
  }
  if (announcement.kind === 'earlier') {
    return {
      title: t('announcements.list', 'Messages from the administrator'),
      text: t(
        /* Messages is the button of the bar */
        'announcements.earlier',
        '{n, plural, one {# message was sent before you opened the assessment here. Read it under Messages, beside the time.} other {# messages were sent before you opened the assessment here. Read them under Messages, beside the time.}}',
        { n: announcement.messages.length },
      ),
    };
  }
  if (announcement.kind === 'ending') {
    return {
      title: t('announcements.ending.title', 'The administrator is ending your assessment'),
      text: t(
        /* {time}: 1 minute 30 seconds */
        'announcements.ending.text',
        'It ends within {time}. What has reached the server by then is submitted as it stands.',
        { time: durationWords(announcement.ms) },
      ),
    };
  }
  return {
    title: t('announcements.extraTime.title', 'You have more time'),
    text: t(
      /* {time}: 1 minute 30 seconds */
      'announcements.extraTime.text',
      'The administrator added {time}. The clock shows the new time.',
      { time: durationWords(announcement.ms) },
    ),
  };
}

/** '5 minutes', '1 minute 30 seconds', '45 seconds' */
function durationWords(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1_000));
  return seconds < 60 ? secondsText(seconds * 1_000) : durationText(seconds / 60);
}
