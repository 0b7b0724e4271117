import type { HandedOut } from '@invigil/core/contract/invitations/invitations';
import { currentLanguage } from '@invigil/core/domain/locale';
import { codeValidUntil, groupCode } from '@invigil/core/domain/one-time-code';
import { may } from '@invigil/core/domain/rights';
import { t } from '@invigil/core/texts/i18n';
import { type Language, preferredIn } from '@invigil/core/texts/languages';
import { momentText, noEndText } from '@invigil/core/texts/moments';
import { slipLines } from '@invigil/core/texts/slip';
import type { BaseContext } from '../../../app-context.ts';
import { listWatchers } from '../../../db/queries/admins.ts';
import { lockQuizOfResults } from '../../../db/queries/quizzes.ts';
import { passwordsMade } from '../../../deliveries/mails/passwords-made.ts';
import { queueMail, toAdmin } from '../../../deliveries/queue-mail.ts';
import { participantHead } from '../../../formats/sheets/cell-words.ts';
import type { Handlers } from '../../../http/endpoints.ts';
import { tableReply } from '../../../http/table-stream.ts';
import { inLanguage } from '../../../runtime/language.ts';
import type { Write } from '../../../sessions/command.ts';
import { requireInstitution } from '../../../trust/institution.ts';
import { isFinished, lockPeople, requireOpenTo } from './manage-invitations.ts';
import { makeCodes, readReaders } from './send-codes.ts';

/** Passwords to hand out, before they are put into words. */
interface Made extends Pick<HandedOut, 'signInUrl'> {
  passwords: (HandedOut['passwords'][number] & { language: Language })[];
  timeZone: string;
  opensAt: Date | null;
  completeBy: Date | null;
  validUntil: Date | null;
}

/** Puts moments into words, in the language in use. */
function handedOut({ passwords, ...made }: Made): HandedOut {
  const others = new Set(passwords.map(({ language }) => language));
  others.delete(currentLanguage() as Language);
  const slips = new Map(
    [...others].map((language) => {
      const lines = inLanguage(language, () => slipLines(factsOf(made)));
      return [language, { language, lines }] as const;
    }),
  );
  return {
    ...factsOf(made),
    passwords: passwords.map(({ language, ...password }) => {
      const slip = slips.get(language);
      return { ...password, ...(slip && { slip }) };
    }),
  };
}

function factsOf({
  signInUrl,
  timeZone,
  opensAt,
  completeBy,
  validUntil,
}: Omit<Made, 'passwords'>) {
  const moment = (at: Date | null) => at && momentText(at.toISOString(), timeZone);
  return {
    signInUrl,
    opensAt: moment(opensAt),
    completeBy: moment(completeBy) ?? noEndText(),
    validUntil: moment(validUntil),
  };
}

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
): Promise<Made> {
  const institution = await requireInstitution(ctx, tx);
  const { publicUrl, timeZone } = institution;
  const { quiz, people } = await lockPeople(tx, await lockQuizOfResults(tx, quizId, 'share'), ids);
  const place = { quizId, categoryId: quiz.categoryId };
  const opensResults = may(actor.grants, 'scores.see', place);
  // People who have begun continue after the end, on another device with a further password.
  const hasBegun = people.every(({ attempt }) => attempt.status !== undefined);
  if (!hasBegun) requireOpenTo(quiz, people, now);
  const recipients = people
    .filter((person) => (opensResults && quiz.releaseRules !== null) || !isFinished(person.attempt))
    .flatMap(({ invitation, email }) =>
      email === null || invitation.revokedAt !== null ? [] : [{ invitation, email }],
    );
  const made =
    recipients.length === 0 ? [] : await makeCodes(tx, ctx, recipients, { opensResults }, now);
  const readers = await readReaders(tx, ctx, actor.sees, made);
  if (made.length > 0) {
    const by = { by: admin, quizId, count: made.length, at: now.toISOString() };
    const watchers = await listWatchers(tx, actor.id, place);
    const messages = watchers.map((watcher) => ({
      ...toAdmin(watcher, institution),
      params: { ...by, publicUrl, timeZone },
    }));
    await queueMail(tx, ctx, publicUrl, passwordsMade, messages, now);
  }
  await record('invitations.passwords_made', ['quiz', quizId], { count: made.length });
  afterCommit(() => ctx.wakeMail());
  return {
    signInUrl: `${publicUrl}/login`,
    timeZone,
    opensAt: quiz.opensAt,
    completeBy: endFor(people) ?? quiz.endDate,
    validUntil: hasBegun || quiz.endDate !== null ? null : codeValidUntil(now, quiz),
    passwords: made.map(({ invitation: { id }, email, code }) => {
      const { name: userName, language = '' } = readers.get(id) ?? {};
      return {
        ...{ id, email, ...(userName ? { userName } : {}), code: groupCode(code) },
        language: preferredIn({ ...quiz, offered: institution.languages }, [language]),
      };
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

const heads = (hasNames: boolean): string[] => [
  participantHead(),
  ...(hasNames ? [t(/* head of a column: names of people */ 'passwordTable.person', 'Name')] : []),
  t(/* head of a column */ 'passwordTable.password', 'One-time Password'),
  t(/* head of a column: the address of the page for it */ 'passwordTable.signInAt', 'Sign In At'),
  t(/* head of a column: when the assessment opens */ 'passwordTable.opensAt', 'Opens At'),
  t(
    /* head of a column: until when the assessment is to be taken */ 'passwordTable.completeBy',
    'Complete By',
  ),
  t(
    /* head of a column: until when the password can be used */ 'passwordTable.validUntil',
    'Valid Until',
  ),
];

export function passwordHandlers(ctx: BaseContext) {
  return {
    makePasswords: async ({ params, body, session: { email }, command }) =>
      handedOut(await command((write) => makePasswords(ctx, write, email, params.id, body.ids))),

    /** The same as a file, for a mail merge. */
    async exportPasswords({ params, body: { ids, format }, session: { email }, command, now }) {
      const made = await command((write) => makePasswords(ctx, write, email, params.id, ids));
      const { timeZone } = made;
      const hasNames = made.passwords.some(({ userName }) => userName !== undefined);
      const make = () => ({
        name: t(/* name of a sheet */ 'passwordTable.name', 'One-time passwords'),
        head: heads(hasNames),
        portions: (async function* () {
          const { signInUrl, opensAt, completeBy, validUntil, passwords } = handedOut(made);
          const facts = [signInUrl, opensAt ?? '', completeBy, validUntil ?? ''];
          yield passwords.map(({ email, userName = '', code }) => [
            ...[email, ...(hasNames ? [userName] : []), code, ...facts],
          ]);
        })(),
      });
      return tableReply('one_time_passwords', make, { format, timeZone, now });
    },
  } satisfies Handlers;
}
