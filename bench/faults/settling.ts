import { setTimeout as delay } from 'node:timers/promises';
import { type MailServer, startSmtpSink } from '@invigil/testkit/mail-servers';
import { latestEnd } from './checks/attempt-checks.ts';
import type { FinalState } from './checks/final-state.ts';
import { codeIn, readFinalState } from './checks/final-state.ts';
import { monotonicNow } from './checks/history.ts';
import type { Notes } from './checks/notes.ts';
import type { System } from './system/system.ts';

const MAIL_WITHIN_MS = 30_000;
/** How long a message being sent by a killed server stays claimed. */
const ABANDONED_MAIL_MS = 180_000;
/** With a bad mail server many messages are retried with exponential backoff. */
const BAD_MAIL_MS = 900_000;

/** Accepts and acknowledges everything. */
export async function startGoodMailServer(): Promise<MailServer> {
  const nothing = async () => undefined;
  const sink = await startSmtpSink();
  return Object.assign(sink, { refused: new Map(), done: {}, goAway: nothing, comeBack: nothing });
}

/**
 * Sets the deadline of abandoned attempts, after all have started: that takes time on a busy machine.
 * Milliseconds from now.
 */
export async function endLeft(system: System, endsInMs: number, graceMs: number): Promise<void> {
  await system.withDatabase((db) =>
    db.query(`
      update quizzes set end_date = date_trunc('milliseconds', clock_timestamp())
          + interval '${Math.round(endsInMs)} milliseconds'
        where end_date is not null;
      update participants p set deadline_at = q.end_date,
          close_at = q.end_date + interval '${graceMs} milliseconds'
        from quizzes q where q.id = p.quiz_id and q.end_date is not null`),
  );
}

/** Waits for the one-time password sent to this address. */
export async function codeOf(mail: MailServer, email: string): Promise<string> {
  const until = performance.now() + MAIL_WITHIN_MS;
  for (;;) {
    const code = codeIn(mail.mails.find(({ to }) => to.includes(email))?.mail.text);
    if (code !== '') return code;
    if (performance.now() > until) throw new Error(`no code reached ${email}`);
    await delay(50);
  }
}

/**
 * The stored state once every attempt is closed and every message delivered, or the limits have passed.
 */
export async function whenSettled(
  system: System,
  mail: MailServer,
  notes: Notes,
  isBad: boolean,
): Promise<FinalState> {
  const mailUntil = monotonicNow() + (isBad ? BAD_MAIL_MS : ABANDONED_MAIL_MS);
  for (;;) {
    const state = await system.withDatabase((db) => readFinalState(db, mail.mails, mail.refused));
    const now = monotonicNow();
    const open = state.attempts.filter(
      (one) => one.status === 'in_progress' && now < latestEnd(one, notes.outages) + 2_000,
    );
    const waiting = state.messages.filter(
      (one) => !['sent', 'failed'].includes(one.state) && now < mailUntil,
    );
    // Waits only for those due soon; a missing submit shows at once.
    const soon = open.filter((one) => one.deadlineAt < now + 60_000);
    if (soon.length + waiting.length === 0) return state;
    await delay(500);
  }
}
