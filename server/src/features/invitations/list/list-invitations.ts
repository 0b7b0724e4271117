import { type Invitation, PersonInvitation } from '@invigil/core/contract/invitations/invitations';
import { emailSpellings } from '@invigil/core/domain/email-address';
import { asPercent, userNameOf } from '@invigil/core/domain/people';
import { isSameSchedule, ownScheduleOf, scheduleOf } from '@invigil/core/domain/schedule';
import { t } from '@invigil/core/texts/i18n';
import type { BaseContext } from '../../../app-context.ts';
import { portionsOf } from '../../../db/portions.ts';
import { findUser } from '../../../db/queries/people.ts';
import {
  MAIL_WORDS,
  participantHead,
  STATUS_WORDS,
  startedHead,
  statusHead,
  submittedHead,
  unknownText,
  wordOf,
} from '../../../formats/sheets/cell-words.ts';
import type { Handlers } from '../../../http/endpoints.ts';
import { type Table, type TableRow, tableReply } from '../../../http/table-stream.ts';
import { AppError } from '../../../runtime/app-error.ts';
import { Reply } from '../../../runtime/reply.ts';
import { classesAt, requireQuiz } from '../../../sessions/guards.ts';
import { show } from '../../../sessions/show.ts';
import { readInstitution } from '../../../trust/institution.ts';
import { presentOtherTimes } from '../../assessments/present-quiz.ts';
import { KNOWN_COLUMNS } from '../../people/known-columns.ts';
import {
  areKnown,
  countByState,
  listInvitationIds,
  listInvitationsOf,
  listInvitationsOfPerson,
  listInvitationsTo,
  listKeptExtraTime,
  pageInvitations,
} from './list-queries.ts';
import { presentInvitation, presentInvited, presentMail } from './present.ts';

/** Who is invited to an assessment; each of these throws NOT_FOUND for one that there is not. */
export function invitationListHandlers(ctx: BaseContext) {
  const { db } = ctx;
  return {
    async listInvitations({ params, query: { limit, offset, ...filter }, sees, now }) {
      await requireQuiz(db, params.id);
      const page = { limit, offset };
      const { rows, total } = await pageInvitations(db, params.id, { ...filter, now, sees }, page);
      const shown = rows.map((row) => presentInvitation(row, now));
      return new Reply(200, shown, { 'x-total-count': String(total) });
    },

    /** With scores where the reader may see them. */
    async listPersonInvitations({ params, session: { grants }, reach, sees, now }) {
      if (!(await findUser(db, params.id))) throw new AppError('NOT_FOUND');
      const rows = await listInvitationsOfPerson(db, sees, params.id, reach);
      return rows.map((row) => {
        const { quizTitle, categoryId } = row;
        const invitation = { ...presentInvitation(row, now), quizTitle };
        const shows = classesAt(grants, { quizId: invitation.quizId, categoryId });
        return show(PersonInvitation, invitation, { shows, aliases: ctx.keys.aliases });
      });
    },

    async countInvitations({ params, query, sees, now }) {
      await requireQuiz(db, params.id);
      return countByState(db, params.id, { ...query, sees, now });
    },

    async listInvitationIds({ params, query, sees, now }) {
      await requireQuiz(db, params.id);
      return { ids: await listInvitationIds(db, params.id, { ...query, sees, now }) };
    },

    async findInvited({ params, body, sees, reach }) {
      const quiz = await requireQuiz(db, params.id);
      const emails = body.emails.flatMap(emailSpellings);
      const rows = await listInvitationsTo(db, sees, params.id, emails);
      // Only invitations by those who reach all people begin with the time that is kept of someone.
      const isAll = reach === 'all' && sees === 'all';
      const kept = isAll ? await listKeptExtraTime(db, params.id, emails) : [];
      const own = rows.flatMap(({ invitation, email, person, participant }) =>
        invitation.extraTimeFactor === 1 || participant !== null || email === null
          ? []
          : [
              {
                ...{ ...person, email, percent: asPercent(invitation.extraTimeFactor) },
                ...presentOtherTimes(invitation),
              },
            ],
      );
      const ahead = kept.map(({ groups, ...person }) => {
        const times = scheduleOf(quiz, { groups, ownTimes: null });
        return {
          ...person,
          ...(isSameSchedule(ownScheduleOf(quiz), times) ? {} : presentOtherTimes(times)),
        };
      });
      return {
        invited: rows.map(presentInvited),
        extraTime: [...own, ...ahead].map(({ email, percent, times, ...person }) => ({
          ...{ email, percent },
          ...(times ? { times } : {}),
          ...userNameOf(person),
        })),
      };
    },

    async readDelivery({ params, body, sees }) {
      await requireQuiz(db, params.id);
      const rows = await listInvitationsOf(db, sees, params.id, body.ids);
      const mails = rows.flatMap(({ invitation, mail }) =>
        mail === null ? [] : [{ id: invitation.id, ...presentMail(mail) }],
      );
      return { mails };
    },

    async exportInvitations({ params, query: { format, ...filter }, command, sees, now }) {
      await requireQuiz(db, params.id);
      const ids = await listInvitationIds(db, params.id, { ...filter, sees, now });
      const details = { count: ids.length };
      await command(({ record }) => record('invitations.exported', ['quiz', params.id], details));
      const { timeZone } = await readInstitution(ctx, db);
      const known = (await areKnown(db, sees, ids)) ? KNOWN_COLUMNS : [];
      async function* portions() {
        for (const some of portionsOf(ids, ROWS_AT_A_TIME)) {
          const rows = await listInvitationsOf(db, sees, params.id, some);
          yield rows.map((row) => [
            ...cells(presentInvitation(row, now)),
            ...known.map(([, cell]) => cell(row.person)),
          ]);
        }
      }
      const make = () => ({
        name: t(/* name of a sheet */ 'invitationTable.name', 'Invitations'),
        head: [...heads(), ...known.map(([head]) => head())],
        portions: portions(),
      });
      return tableReply('invitations', make, { format, timeZone, now, rows: ids.length });
    },
  } satisfies Handlers;
}

const heads = (): Table['head'] => [
  participantHead(),
  { at: t(/* head of a column of dates and times */ 'invitationTable.invitedAt', 'Invited At') },
  t(/* head of a column: whether an email was sent */ 'invitationTable.mailState', 'Mail State'),
  t(/* head of a column: why it was not sent */ 'invitationTable.mailError', 'Mail Error'),
  { at: t(/* head of a column of dates and times */ 'invitationTable.mailSentAt', 'Mail Sent At') },
  { at: t(/* head of a column of dates and times */ 'invitationTable.signedInAt', 'Signed In At') },
  statusHead(),
  startedHead(),
  submittedHead(),
  { at: t(/* head of a column of dates and times */ 'invitationTable.revokedAt', 'Revoked At') },
  t(
    /* head of a column: 1.25 for a quarter more */ 'invitationTable.extraTime',
    'Extra Time Factor',
  ),
];
const ROWS_AT_A_TIME = 500;

function cells(row: Invitation): TableRow {
  return [
    row.email ?? unknownText(),
    moment(row.invitedAt),
    wordOf(MAIL_WORDS, row.mail?.state),
    row.mail?.lastError ?? '',
    moment(row.mail?.sentAt),
    moment(row.signedInAt),
    wordOf(STATUS_WORDS, row.status),
    moment(row.startedAt),
    moment(row.submittedAt),
    moment(row.revokedAt),
    row.extraTimeFactor,
  ];
}

const moment = (at: string | null | undefined) => (at == null ? '' : new Date(at));
