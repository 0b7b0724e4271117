import { Readable } from 'node:stream';
import type { ParticipantRecord } from '@invigil/core/contract/review/participant-record';
import type { PersonField } from '@invigil/core/domain/people';
import type { AttemptContext, FileContext } from '../../app-context.ts';
import { listAttempts } from '../../db/queries/attempts/attempt-list.ts';
import { listAttemptIdsOf } from '../../db/queries/attempts/evidence.ts';
import { listMessages } from '../../db/queries/attempts/messages.ts';
import { listPersonFields } from '../../db/queries/institution.ts';
import { listMessageIdsOf } from '../../db/queries/outbox.ts';
import {
  erasePersonalData,
  findUser,
  isTakingATest,
  listInvitationsOf,
  listMailTo,
  lockAllOf,
  lockUser,
} from '../../db/queries/people.ts';
import { findQuiz } from '../../db/queries/quizzes.ts';
import { recordLeftovers } from '../../db/upkeep/erased-leftovers.ts';
import { KEPT_PARAMS, storedSubject } from '../../deliveries/mails.ts';
import type { Handlers } from '../../http/endpoints.ts';
import { AppError } from '../../runtime/app-error.ts';
import { inLanguage, inLanguageOf } from '../../runtime/language.ts';
import { Reply } from '../../runtime/reply.ts';
import type { Command, Write } from '../../sessions/command.ts';
import { MESSAGES, PEOPLE } from '../../trust/row-kinds.ts';
import { changeSealed, RESULTS } from '../../trust/sealed-kinds.ts';
import { listLateAnswersOf } from '../attempts/answers/list-answers-for.ts';
import { deleteEvidenceOf } from '../attempts/evidence/delete-evidence.ts';
import { openAllEvidence } from '../attempts/evidence/read-evidence.ts';
import { shownOf } from '../attempts/release-results.ts';
import { presentMessage } from '../attempts/send-message.ts';
import { deletePolls } from './live/poll-queries.ts';
import { readRecord } from './read-record.ts';

/** The values by the names of their fields, which a person can read. */
const namedFields = (fields: readonly PersonField[], values: Record<string, string>) =>
  Object.fromEntries(
    fields.flatMap(({ id, name }) => (values[id] === undefined ? [] : [[name, values[id]]])),
  );

/**
 * Everything stored about a person, pictures included, as one JSON document; emails without the
 * one-time passwords. Audited. Throws NOT_FOUND.
 */
async function exportPerson(
  ctx: AttemptContext & FileContext,
  command: Command<'person.exported'>,
  userId: string,
  now: Date,
): Promise<Readable> {
  const user = await findUser(ctx.db, userId);
  if (!user) throw new AppError('NOT_FOUND');
  const invitations = await listInvitationsOf(ctx.db, userId);
  const mail = await listMailTo(ctx.db, userId);
  const attempts = await listAttempts(ctx.db, 'all', userId);
  const fields = await listPersonFields(ctx.db);
  await command(({ record }) => record('person.exported', ['user', userId]));
  const head = {
    exportedAt: now.toISOString(),
    person: {
      ...{ id: user.id, email: user.email, knownSince: user.createdAt.toISOString() },
      ...{ givenName: user.givenName, familyName: user.familyName, externalId: user.externalId },
      ...{ groups: user.groups, language: user.language, extraTime: user.extraTime },
      note: user.note,
      formerEmails: user.formerEmails,
      fields: namedFields(fields, user.fields),
    },
    invitations: invitations.map((invitation) => ({
      id: invitation.id,
      quizId: invitation.quizId,
      invitedAt: invitation.lastInvitedAt.toISOString(),
      firstSignInAt: invitation.firstSignInAt?.toISOString() ?? null,
      extraTimeFactor: invitation.extraTimeFactor,
      cameraEnabled: invitation.cameraEnabled,
      microphoneEnabled: invitation.microphoneEnabled,
      faceCovered: invitation.faceCovered,
      ...(invitation.breaks > 0
        ? { breaks: { count: invitation.breaks, minutes: invitation.breakMinutes } }
        : {}),
      ...(invitation.entered
        ? {
            entered: {
              ...invitation.entered,
              fields: namedFields(fields, invitation.entered.fields ?? {}),
            },
          }
        : {}),
    })),
    mail: mail.map(({ variables, createdAt, sentAt, ...message }) => ({
      ...message,
      subject: inLanguage('en', () => storedSubject({ ...message, variables })),
      createdAt: createdAt.toISOString(),
      sentAt: sentAt?.toISOString() ?? null,
    })),
  };
  const ids = attempts.map(({ id }) => id);
  // The document is for keeping: the same in whatever language the portal is.
  return Readable.from(inLanguageOf('en', writeDocument(ctx, head, ids, now)));
}

/** Streamed: the pictures of a person may be more than a server should hold in memory. */
async function* writeDocument(
  ctx: AttemptContext & FileContext,
  head: object,
  attempts: string[],
  now: Date,
) {
  yield `${openObject(head)},\n"attempts": [`;
  for (const [i, id] of attempts.entries()) {
    const record = await readRecord(ctx, 'all', id, now);
    const isKeyWaiting = await isKeyHeld(ctx, record.participant.quizId, now);
    const attempt = {
      ...record,
      ...(isKeyWaiting ? { questions: record.questions.map(withoutKey) } : {}),
      messages: (await listMessages(ctx.db, id)).map(presentMessage),
      lateAnswers: await listLateAnswersOf(ctx, id),
    };
    yield `${i > 0 ? ',' : ''}\n${openObject(attempt)},\n"evidence": [`;
    let isFirst = true;
    for await (const upload of openAllEvidence(ctx, id)) {
      yield `${isFirst ? '' : ','}\n${JSON.stringify(upload)}`;
      isFirst = false;
    }
    yield ']}';
  }
  yield ']}\n';
}

/** Whether right answers wait until no one can start: the document is for one who has finished. */
async function isKeyHeld({ db }: AttemptContext, quizId: string, now: Date): Promise<boolean> {
  const quiz = await findQuiz(db, quizId);
  if (!quiz?.releaseRules) return false;
  return (await shownOf(db, quiz, quiz.releaseRules, now)).waiting.length > 0;
}

/** A question as its candidate had it, without anything that tells what is right. */
function withoutKey(question: ParticipantRecord['questions'][number]) {
  const { correctAnswer, definition, isCorrect, points, maxPoints, correction, ...own } = question;
  return own;
}

/** An object's JSON without its last brace. */
function openObject(value: object): string {
  return JSON.stringify(value, null, 2).replace(/\n\}$/, '');
}

/**
 * Erases what identifies a person. The email then reads 'Unknown'; results stay (product 9).
 * Throws NOT_FOUND, STILL_RUNNING.
 */
async function erasePerson(
  ctx: FileContext,
  { tx, now, record, afterCommit }: Write<'person.erased'>,
  userId: string,
  reason: string,
): Promise<void> {
  await lockAllOf(tx, userId);
  if (!(await lockUser(tx, userId))) throw new AppError('NOT_FOUND');
  if (await isTakingATest(tx, userId)) throw new AppError('STILL_RUNNING');
  const attempts = await listAttemptIdsOf(tx, userId);
  const messages = await listMessageIdsOf(tx, userId);
  const key = ctx.keys.integrity;
  await changeSealed(tx, key, RESULTS, attempts, () =>
    changeSealed(tx, key, MESSAGES, messages, () =>
      changeSealed(tx, key, PEOPLE, [userId], () =>
        erasePersonalData(tx, userId, KEPT_PARAMS, now),
      ),
    ),
  );
  await deletePolls(tx);
  await deleteEvidenceOf(ctx, tx, userId, now, afterCommit);
  await recordLeftovers(tx, now);
  // The one reason in the clear: the person's key, which would seal it, is destroyed here.
  await record('person.erased', ['user', userId], { reason });
}

export function userHandlers(ctx: AttemptContext & FileContext) {
  return {
    async exportPerson({ params, command, now }) {
      return new Reply(200, await exportPerson(ctx, command, params.id, now), {
        'content-disposition': `attachment; filename="person_${params.id}.json"`,
      });
    },
    erasePerson: ({ params, body, command }) =>
      command((write) => erasePerson(ctx, write, params.id, body.reason)),
  } satisfies Handlers;
}
