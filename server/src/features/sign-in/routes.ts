import type { Account } from '@invigil/core/contract/accounts/auth';
import type { Quiz } from '@invigil/core/contract/assessments/quiz';
import { leftWhenReinstated, remainingMs } from '@invigil/core/domain/attempt';
import { RETENTION_LIMITS } from '@invigil/core/domain/limits';
import type { FastifyRequest } from 'fastify';
import type { AttemptContext, BaseContext, LiveContext } from '../../app-context.ts';
import {
  findCounting,
  findCurrentParticipant,
  listAttemptsOf,
  type ParticipantView,
} from '../../db/queries/attempts/attempts.ts';
import { type Accommodations, findAccommodations } from '../../db/queries/codes.ts';
import { findQuiz, findQuizFor, type QuizView } from '../../db/queries/quizzes.ts';
import type { ParticipantSession, Session } from '../../db/queries/sessions.ts';
import type { Handlers } from '../../http/endpoints.ts';
import { chosenLanguage, preferredLanguages } from '../../http/language.ts';
import {
  clearSessionCookie,
  readDeviceCookie,
  setDeviceCookie,
  setSessionCookie,
} from '../../http/session.ts';
import { Reply } from '../../runtime/reply.ts';
import { canContinue, hasOpened, presentQuiz } from '../assessments/present-quiz.ts';
import { openTrialStream } from '../attempt-news/trial-stream.ts';
import { forPerson, presentOwnParticipant } from '../attempts/present.ts';
import { findOpenResult, mayReadResult } from '../attempts/release-results.ts';
import { findRetake, openingAfterWait } from '../attempts/start-and-end/retakes.ts';
import { findTogetherNews } from '../attempts/start-and-end/waiting.ts';
import { confirmPassword } from './check-password.ts';
import {
  type AskedLanguages,
  languageFor,
  portalLanguageFor,
  rememberLanguage,
} from './languages.ts';
import { completeSignIn } from './second-step.ts';
import { signIn, signOut } from './sign-in.ts';
import type { AccountParts } from './signed-in.ts';

export function authHandlers(ctx: AttemptContext & LiveContext) {
  return {
    async login({ body, request, reply, now }) {
      const caller = { address: request.ip, device: readDeviceCookie(request, ctx) };
      const answer = await signIn(ctx, body, caller, now);
      if ('pending' in answer) return new Reply(202, { pending: answer.pending });
      setSessionCookie(reply, ctx, answer.token);
      const { kind, email } = answer.session;
      if (kind === 'admin') setDeviceCookie(reply, ctx, email, now);
      return new Reply(200, await readAccount(ctx, request, answer.session, now, answer.found));
    },
    async secondStep({ body, request, reply, now }) {
      const { token, session } = await completeSignIn(ctx, body.pending, body.code, now);
      setSessionCookie(reply, ctx, token);
      setDeviceCookie(reply, ctx, session.email, now);
      return await readAccount(ctx, request, session, now);
    },
    confirmPassword: ({ body, session, now }) =>
      confirmPassword(ctx, session, body.currentPassword, now),
    me: ({ session, request, now }) => readAccount(ctx, request, session, now),
    async setLanguage({ session, body }) {
      await rememberLanguage(ctx, session, body.language);
      return { language: body.language };
    },
    streamConnectionCheck: async () => openTrialStream(ctx.clock),
    async logout({ session, reply, now }) {
      if (session) await signOut(ctx, session, now);
      clearSessionCookie(reply, ctx);
      // Images of questions and pages of results; not the storage, which may hold unsent answers.
      return new Reply(204, undefined, { 'clear-site-data': '"cache"' });
    },
  } satisfies Handlers;
}

/**
 * The reply of /me and of sign-in: the person, the quiz of the code, the current attempt.
 *
 * @param found what has been read already
 */
async function readAccount(
  ctx: BaseContext,
  request: FastifyRequest,
  session: Session,
  now: Date,
  found?: AccountParts,
): Promise<Account> {
  if (session.kind === 'admin') {
    return {
      user: { id: session.adminId, email: session.email },
      quiz: null,
      role: 'admin',
      attempt: null,
      ...(session.name === '' ? {} : { name: session.name }),
      grants: [...session.grants],
      ...(session.mustSetUpTotp ? { mustSetUpTotp: true } : {}),
      ...(await portalLanguageFor(ctx, session, askedOf(request))),
    };
  }
  if (session.kind === 'preview') {
    const quiz = await findQuiz(ctx.db, session.quizId);
    return {
      user: { id: session.adminId, email: session.email },
      // A preview shows the assessment as open, because it is used before the opening.
      quiz: quiz ? { ...presentQuiz(quiz, now), isOpen: true } : null,
      role: 'participant',
      attempt: null,
      ...zoneOf(ctx, quiz),
      ...(await languageFor(ctx.db, null, quiz, undefined, askedOf(request))),
      preview: true,
    };
  }
  const parts = found ?? (await findParts(ctx, session));
  const { attempt, retake = null, accommodations } = await seenBy(ctx, session, parts, now);
  const quiz = parts.quiz && openingAfterWait(parts.quiz, retake, now);
  const { extraTimeFactor } = accommodations;
  const before =
    attempt || parts.isFirst ? undefined : (await listAttemptsOf(ctx.db, [session])).at(-1);
  const together =
    quiz && !attempt ? await findTogetherNews(ctx.db, session.invitationId, quiz, before, now) : {};
  return {
    user: { id: session.userId, email: session.email },
    quiz: quiz ? presentForCandidate(quiz, accommodations, before, together, now) : null,
    role: 'participant',
    attempt: attempt ? presentOwnParticipant(attempt, now) : null,
    ...zoneOf(ctx, quiz),
    ...(await languageFor(ctx.db, session.userId, quiz, attempt, askedOf(request))),
    ...(retake
      ? { retake: { after: retake.after, number: retake.number, left: retake.left } }
      : {}),
    ...(attempt &&
    attempt.status !== 'in_progress' &&
    (await mayReadResult(ctx.db, session, attempt)) &&
    (await findOpenResult(ctx, attempt.id, await findQuiz(ctx.db, session.quizId), now))
      ? { hasResult: true }
      : {}),
    ...(quiz ? { evidenceDays: quiz.retentionDays ?? RETENTION_LIMITS.defaultDays } : {}),
    ...(extraTimeFactor === 1 ? {} : { extraTimeFactor }),
    ...(before?.replacedHow === 'reinstate' ? { continuesMs: leftWhenReinstated(before) } : {}),
    ...(quiz?.endDate && !quiz.finishAfterEnd && attempt?.status !== 'in_progress'
      ? { endsInMs: remainingMs(quiz.endDate, now) }
      : {}),
    ...(quiz?.opensAt && !hasOpened(quiz, now) && attempt?.status !== 'in_progress'
      ? { opensInMs: remainingMs(quiz.opensAt, now) }
      : {}),
    ...together,
  };
}

const askedOf = (request: FastifyRequest): AskedLanguages => ({
  chosen: chosenLanguage(request),
  preferred: preferredLanguages(request),
});

async function findParts(ctx: BaseContext, session: ParticipantSession): Promise<AccountParts> {
  return {
    quiz: await findQuizFor(ctx.db, session),
    attempt: await findCurrentParticipant(ctx.db, session.userId, session.quizId),
    accommodations: await findAccommodations(ctx.db, session.invitationId),
  };
}

/**
 * The attempt that an account shows. A session other than the one that held the latest, ended attempt may begin the
 * next one, and reads the one that counts.
 */
async function seenBy(
  ctx: BaseContext,
  session: ParticipantSession,
  parts: AccountParts,
  now: Date,
): Promise<Pick<AccountParts, 'attempt' | 'retake' | 'accommodations'>> {
  const { quiz, attempt } = parts;
  if (!attempt || attempt.status === 'in_progress' || attempt.sessionId === session.id) {
    return parts;
  }
  return {
    ...parts,
    attempt: await findCounting(ctx.db, session.userId, session.quizId),
    retake: await findRetake(ctx.db, quiz, session, now),
  };
}

/** The institution's, where there are times that are said in it. */
function zoneOf({ config }: BaseContext, quiz: QuizView | undefined) {
  if (!quiz?.opensAt && !quiz?.endDate && !quiz?.startBy) return {};
  return { timeZone: quiz.timeZone ?? config.timeZone };
}

/**
 * Instructions and device check follow the assessment as it applies to this person. Before it opens, or is started
 * for all, nothing of the paper is known: not even how many questions it has.
 */
function presentForCandidate(
  quiz: QuizView,
  accommodations: Accommodations,
  before: ParticipantView | undefined,
  { startTogether }: Pick<Account, 'startTogether'>,
  now: Date,
): Quiz {
  const known = presentQuiz(quiz, now);
  const isOpen =
    before?.replacedHow === 'reinstate' ? canContinue(quiz, before, now) : known.isOpen;
  const shown = { ...known, isOpen, policy: forPerson(known.policy, accommodations) };
  const hasStarted = startTogether === undefined || startTogether.lateForMs !== undefined;
  if (hasOpened(quiz, now) && hasStarted) return shown;
  const { hasSections: _, hasOtherAnswers: __, ...rest } = shown;
  return { ...rest, totalQuestions: 0, questionCount: 0 };
}
