import type { HandedOut } from '@invigil/core/contract/invitations/invitations';
import { codeValidUntil, groupCode } from '@invigil/core/domain/one-time-code';
import { may } from '@invigil/core/domain/rights';
import { momentText, noEndText } from '@invigil/core/texts/moments';
import type { BaseContext } from '../../../app-context.ts';
import { listWatchers } from '../../../db/queries/admins.ts';
import { lockQuizOfResults } from '../../../db/queries/quizzes.ts';
import { passwordsMade } from '../../../deliveries/mails/passwords-made.ts';
import { queueMail } from '../../../deliveries/queue-mail.ts';
import type { Handlers } from '../../../http/endpoints.ts';
import { tableReply } from '../../../http/table-stream.ts';
import { AppError } from '../../../runtime/app-error.ts';
import type { Write } from '../../../sessions/command.ts';
import { requireInstitution } from '../../../trust/institution.ts';
import { isQuizOpen } from '../../assessments/present-quiz.ts';
import { lockPeople } from './manage-invitations.ts';
import { makeCodes, readReaders } from './send-codes.ts';

/**
 * A further one-time password for each of some people, to hand out without mail; earlier ones keep
 * working. Who has finished gets one where results are released, which it opens: made by those only who may
 * see scores. One made earlier by someone else opens it only where the attempt was taken with it. Those who
 * were revoked or erased get none. Only hashes are stored; audited and mailed to the other administrators
 * whose business it is, as any look at a candidate's code (product 11).
 *
 * Throws NOT_FOUND, QUIZ_NOT_OPEN.
 */
async function makePasswords(
  ctx: BaseContext,
  { tx, actor, now, record, afterCommit }: Write<'invitations.passwords_made'>,
  admin: string,
  quizId: string,
  ids: string[],
): Promise<HandedOut> {
  const institution = await requireInstitution(ctx, tx);
  const { publicUrl, timeZone } = institution;
  const moment = (at: Date | null) => at && momentText(at.toISOString(), timeZone);
  const { quiz, people } = await lockPeople(tx, await lockQuizOfResults(tx, quizId, 'share'), ids);
  const place = { quizId, categoryId: quiz.categoryId };
  const opensResults = may(actor.grants, 'scores.see', place);
  const hasFinished = ({ attempt: { status } }: (typeof people)[number]) =>
    status !== undefined && status !== 'in_progress';
  // People who have begun continue after the end, on another device with a further password.
  const hasBegun = people.every(({ attempt }) => attempt.status !== undefined);
  if (!isQuizOpen(quiz, now) && !hasBegun) throw new AppError('QUIZ_NOT_OPEN');
  const recipients = people
    .filter((person) => (opensResults && quiz.releaseRules !== null) || !hasFinished(person))
    .flatMap(({ invitation, email }) =>
      email === null || invitation.revokedAt !== null ? [] : [{ invitation, email }],
    );
  const made =
    recipients.length === 0 ? [] : await makeCodes(tx, ctx, recipients, { opensResults }, now);
  const readers = await readReaders(tx, ctx, actor.sees, made);
  if (made.length > 0) {
    const by = { by: admin, quizId, count: made.length, at: now.toISOString() };
    const watchers = await listWatchers(tx, actor.id, place);
    const messages = watchers.map(({ email }) => ({
      recipient: email,
      params: { ...by, publicUrl, timeZone },
    }));
    await queueMail(tx, ctx, publicUrl, passwordsMade, messages, now);
  }
  await record('invitations.passwords_made', ['quiz', quizId], { count: made.length });
  afterCommit(() => ctx.wakeMail());
  return {
    signInUrl: `${publicUrl}/login`,
    opensAt: moment(quiz.opensAt),
    completeBy: moment(endFor(people) ?? quiz.endDate) ?? noEndText(),
    validUntil: hasBegun || quiz.endDate !== null ? null : moment(codeValidUntil(now, quiz)),
    passwords: made.map(({ invitation: { id }, email, code }) => {
      const userName = readers.get(id)?.name;
      return { id, email, ...(userName ? { userName } : {}), code: groupCode(code) };
    }),
  };
}

/** When the last of their attempts ends, where all are in progress: that of the assessment may be past. */
function endFor(people: Awaited<ReturnType<typeof lockPeople>>['people']): Date | null {
  const ends = people.flatMap(({ attempt: { status, deadlineAt } }) =>
    status === 'in_progress' && deadlineAt ? [deadlineAt.getTime()] : [],
  );
  return ends.length < people.length ? null : new Date(Math.max(...ends));
}

export function passwordHandlers(ctx: BaseContext) {
  return {
    makePasswords: ({ params, body, session: { email }, command }) =>
      command((write) => makePasswords(ctx, write, email, params.id, body.ids)),

    /** The same as a file, for a mail merge. */
    async exportPasswords({ params, body: { ids, format }, session: { email }, command, now }) {
      const made = await command((write) => makePasswords(ctx, write, email, params.id, ids));
      const { timeZone } = await requireInstitution(ctx, ctx.db);
      const { signInUrl, opensAt, completeBy, validUntil } = made;
      const hasNames = made.passwords.some(({ userName }) => userName !== undefined);
      async function* portions() {
        const facts = [signInUrl, opensAt ?? '', completeBy, validUntil ?? ''];
        yield made.passwords.map(({ email, userName = '', code }) => [
          ...[email, ...(hasNames ? [userName] : []), code, ...facts],
        ]);
      }
      const head = [
        'Participant',
        ...(hasNames ? ['Name'] : []),
        ...['One-time Password', 'Sign In At', 'Opens At', 'Complete By', 'Valid Until'],
      ];
      const table = { name: 'One-time passwords', head, portions: portions() };
      return tableReply('one_time_passwords', table, { format, timeZone, now });
    },
  } satisfies Handlers;
}
