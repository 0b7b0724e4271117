import { setTimeout as delay } from 'node:timers/promises';
import type { MailServer } from '../../server/src/testing/bad-mail-server.ts';
import { startSmtpSink } from '../../server/src/testing/smtp-sink.ts';
import { latestEnd } from './check-ends.ts';
import type { FinalState } from './final-state.ts';
import { monotonicNow } from './history.ts';
import type { Notes } from './notes.ts';
import { codeIn, readFinalState } from './read-final-state.ts';
import type { System } from './system.ts';

const MAIL_WITHIN_MS = 30_000;
/** A message that was under way when its server was killed is claimed so long. */
const ABANDONED_MAIL_MS = 180_000;
/** A bad mail server has many tried again, each time after twice as long. */
const BAD_MAIL_MS = 900_000;

/** Takes everything and says so. */
export async function startGoodMailServer(): Promise<MailServer> {
  const nothing = async () => undefined;
  const sink = await startSmtpSink();
  return Object.assign(sink, { refused: new Map(), done: {}, goAway: nothing, comeBack: nothing });
}

/**
 * Gives the attempts of those who leave their end, once everybody sits: on a busy machine that takes
 * its time. Counted from now, milliseconds.
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

/** The one-time password that reached this address. */
export async function codeOf(mail: MailServer, email: string): Promise<string> {
  const until = performance.now() + MAIL_WITHIN_MS;
  for (;;) {
    const code = codeIn(mail.mails.find(({ to }) => to.includes(email))?.mail.text);
    if (code !== '') return code;
    if (performance.now() > until) throw new Error(`no code reached ${email}`);
    await delay(50);
  }
}

/** What is stored once every end is due and every message is through, or should have been. */
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
    // Only those that end soon are waited for: what should have been submitted shows at once.
    const soon = open.filter((one) => one.deadlineAt < now + 60_000);
    if (soon.length + waiting.length === 0) return state;
    await delay(500);
  }
}
