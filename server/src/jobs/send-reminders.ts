import { emailKey } from '@invigil/core/domain/email-address';
import { nameOf } from '@invigil/core/domain/people';
import { preferredIn } from '@invigil/core/texts/languages';
import type { AttemptContext } from '../app-context.ts';
import type { Tx } from '../db/database.ts';
import { getPolicy, lockQuiz } from '../db/queries/quizzes.ts';
import { listDueReminders, lockForReminders, noteReminded } from '../db/queries/reminders.ts';
import { withTimesOf } from '../db/queries/schedules.ts';
import { listInvitedNames, NOT_EVERYONE } from '../db/queries/seen-people.ts';
import { inTransaction } from '../db/transaction.ts';
import { reminder } from '../deliveries/mails/reminder.ts';
import { queueMail } from '../deliveries/queue-mail.ts';
import { policyFor } from '../features/attempts/present.ts';
import { canMail } from '../features/attempts/release-results.ts';
import { timeParams } from '../features/invitations/invite/send-codes.ts';
import { AppError } from '../runtime/app-error.ts';
import { requireInstitution } from '../trust/institution.ts';
import {
  ASSESSMENTS,
  MONITORING_POLICIES,
  PEOPLE,
  readGenuine,
  requireGenuine,
} from '../trust/row-kinds.ts';

/** Most reminders in one transaction. */
const MOST = 500;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/**
 * Puts the reminders that are due into the outbox, each once, for the periodic job. Without a mail server none is:
 * it would be late when there is one.
 */
export async function sendReminders(
  ctx: AttemptContext,
  now: Date,
  stop: AbortSignal = new AbortController().signal,
): Promise<void> {
  for (let after = FIRST_ID; !stop.aborted && (await canMail(ctx.db)); ) {
    const due = await listDueReminders(ctx.db, now, { after, most: MOST });
    const byQuiz = Map.groupBy(due, ({ invitation }) => invitation.quizId);
    for (const [quizId, rows] of byQuiz) {
      const ids = rows.map(({ invitation }) => invitation.id);
      await inTransaction(ctx.db, (tx) => remind(ctx, tx, quizId, ids, now)).catch((error) => {
        // An assessment that was changed outside of Invigil holds up no other.
        if (!(error instanceof AppError)) throw error;
      });
    }
    if (due.length > 0) ctx.wakeMail();
    after = due.at(-1)?.invitation.id ?? after;
    if (due.length < MOST) return;
  }
}

/** Reminds the people of some invitations, except those who have begun meanwhile. Throws CHANGED_OUTSIDE. */
async function remind(
  ctx: AttemptContext,
  tx: Tx,
  quizId: string,
  ids: readonly string[],
  now: Date,
): Promise<void> {
  const quiz = await lockQuiz(tx, quizId, 'share');
  if (!quiz) return;
  requireGenuine(ctx, ASSESSMENTS, quiz);
  const policy = await getPolicy(tx, quizId, quiz.policyVersion);
  requireGenuine(ctx, MONITORING_POLICIES, policy);
  const { name: institution, timeZone, publicUrl, languages } = await requireInstitution(ctx, tx);
  await lockForReminders(tx, ids);
  const due = await listDueReminders(tx, now, { ids });
  const people = await readGenuine(
    ...([ctx, tx, PEOPLE, due.map(({ invitation }) => invitation.userId)] as const),
  );
  const names = new Map(
    (await listInvitedNames(tx, NOT_EVERYONE, ids)).map((row) => [row.id, nameOf(row)]),
  );
  const spoken = { ...quiz, offered: languages };
  const messages = due.flatMap(({ invitation, email, of: before }) => {
    const person = people.get(invitation.userId);
    // The sealed address only.
    if (!person || emailKey(person.email ?? '') !== emailKey(email ?? '')) return [];
    const timed = withTimesOf(quiz, invitation);
    const { codeUntil: _, ...times } = timeParams(timed, invitation.extraTimeFactor, now, now);
    const { camera, microphone } = policyFor({ policySettings: policy.settings, ...invitation });
    const params = {
      ...{ quizId, title: quiz.title, name: names.get(invitation.id) ?? '', before, ...times },
      ...{ institution, timeZone, signInUrl: `${publicUrl}/login`, camera, microphone },
    };
    const language = preferredIn(spoken, [person.language]);
    return [{ recipient: person.email ?? '', invitationId: invitation.id, language, params }];
  });
  for (const [before, some] of Map.groupBy(messages, ({ params }) => params.before)) {
    await noteReminded(
      tx,
      some.map(({ invitationId }) => invitationId),
      before,
      now,
    );
  }
  await queueMail(tx, ctx, publicUrl, reminder, messages, now);
}
