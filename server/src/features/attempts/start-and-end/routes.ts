import type { AttemptContext, LiveContext } from '../../../app-context.ts';
import type { Handlers } from '../../../http/endpoints.ts';
import { renewSessionCookie } from '../../../http/session.ts';
import { AppError } from '../../../runtime/app-error.ts';
import { Reply } from '../../../runtime/reply.ts';
import { openCandidateStream } from '../../attempt-news/candidate-stream.ts';
import { startingDevice } from '../device.ts';
import { presentOwnParticipant } from '../present.ts';
import { presentPaper } from '../read-paper.ts';
import { submitParticipant } from './submit-participant.ts';

export function attemptHandlers(ctx: AttemptContext & Pick<LiveContext, 'openStreams'>) {
  return {
    async startParticipant({ body, session, request, reply, now }) {
      const foreign =
        (body.userId !== undefined && body.userId !== session.userId) ||
        (body.quizId !== undefined && body.quizId !== session.quizId);
      if (foreign) throw new AppError('NOT_FOUND');
      const details = {
        consentTextVersion: body.consent?.textVersion ?? null,
        language: body.language ?? null,
        consentTo: body.consent?.to ?? null,
        deviceCheck: body.deviceCheck ?? null,
        address: request.ip,
        device: startingDevice(request, body.mobile),
        saysMobile: body.mobile ?? false,
        sees: body.device ?? null,
      };
      const {
        isNew,
        hasAnswers = false,
        attempt,
      } = await ctx.attemptStarts.start({
        ...{ session, details, now },
        ...{ resumes: body.resumes, retakes: body.retakes },
      });
      renewSessionCookie(request, reply, ctx);
      const own = presentOwnParticipant(attempt, now);
      // A page that gets no questions here reads them, and the answers.
      const asked = isNew && !hasAnswers && body.withQuestions === true;
      const questions = asked ? { questions: await presentPaper(ctx, attempt) } : {};
      return new Reply(isNew ? 201 : 200, { ...own, ...questions });
    },

    async submitParticipant({ params, body, session, now }) {
      const end = await submitParticipant(ctx, session, params.id, body, now);
      return new Reply(200, end.body, end.late > 0 ? { 'x-late-answers': String(end.late) } : {});
    },

    streamOpening: ({ session }) =>
      openCandidateStream(ctx, session.id, session.quizId, async (stream) => {
        const news = await ctx.waitingRoom.read({ session, isReady: false });
        if (news) stream.send('opening', news);
      }),
    async reportWaiting({ session }) {
      const news = await ctx.waitingRoom.read({ session, isReady: true });
      if (!news) throw new AppError('NOT_FOUND');
      return news;
    },
  } satisfies Handlers;
}
