import type { AppContext } from '../../app-context.ts';
import { AppError } from '../../app-error.ts';
import type { Handlers } from '../../plugins/endpoints.ts';
import { findParticipant } from '../participants/queries.ts';
import { submitParticipant } from '../participants/submit-participant.ts';
import { presentAnswer, presentLateAnswer } from './present.ts';
import { listAnswers, listLateAnswers } from './queries.ts';
import { closed, saveAnswers } from './save-answers.ts';

export function answerHandlers(ctx: AppContext) {
  return {
    async saveAnswers({ params, body, session, now }) {
      return { status: 200, body: await saveAnswers(ctx, session, params.id, body.answers, now) };
    },
    async submitParticipant({ params, body, session, now }) {
      return { status: 200, body: await submitParticipant(ctx, session, params.id, body.answers, now) };
    },
    async listAnswers({ params, session, now }) {
      const attempt = await findParticipant(ctx.db, params.id);
      if (!attempt) throw new AppError('NOT_FOUND');
      if (session.kind === 'participant') {
        const own = attempt.userId === session.userId && attempt.quizId === session.quizId;
        if (!own || attempt.replacedAt !== null) throw new AppError('NOT_FOUND');
        if (attempt.status !== 'in_progress' || now > attempt.closeAt) throw closed(attempt);
      }
      const paper = await ctx.papers.get(params.id);
      const rows = await listAnswers(ctx.db, params.id);
      const withKey = session.kind === 'admin';
      return { status: 200, body: rows.map((row) => presentAnswer(row, paper, withKey)) };
    },
    async listLateAnswers({ params }) {
      if (!(await findParticipant(ctx.db, params.id))) throw new AppError('NOT_FOUND');
      const paper = await ctx.papers.get(params.id);
      const rows = await listLateAnswers(ctx.db, params.id);
      return { status: 200, body: rows.map((row) => presentLateAnswer(row, paper)) };
    },
  } satisfies Handlers;
}
