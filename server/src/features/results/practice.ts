import type { AnsweredQuestion } from '@invigil/core/contract/assessments/answered-question';
import type { Practice } from '@invigil/core/contract/assessments/practice';
import { pointsOf, scorePaper } from '@invigil/core/domain/questions/scoring';
import type { AppContext } from '../../app-context.ts';
import { findPracticeId } from '../../db/queries/practice.ts';
import { isImageOnPapers, listOnPapers } from '../../db/queries/question-pool.ts';
import { listQuestionVersions } from '../../db/queries/questions.ts';
import { findQuiz, type QuizView } from '../../db/queries/quizzes.ts';
import type { Handlers } from '../../http/endpoints.ts';
import { AppError } from '../../runtime/app-error.ts';
import { Reply } from '../../runtime/reply.ts';
import { drawForNobody } from '../assessments/change-quiz.ts';
import { hasOpened, isQuizOpen, parsePolicySettings } from '../assessments/present-quiz.ts';
import { readAnswer } from '../attempts/answers/answer-text.ts';
import { contentOf } from '../attempts/paper-cache.ts';
import { feedbackOf, presentAnswer } from './candidate-result.ts';

type Context = Pick<AppContext, 'db' | 'images'>;

/** A copy in a browser outlives a withdrawn address no longer than this. */
const IMAGE_SECONDS = 3_600;

/**
 * Practice has no attempt: every call is answered from the assessment alone, and writes nothing. So no list,
 * figure or report can have anything of it.
 */
export function practiceHandlers(ctx: Context) {
  return {
    async getPractice({ params, now }) {
      return present(ctx, await requirePractice(ctx, params.token, now));
    },
    async checkPracticeAnswer({ params, body, now }) {
      return check(ctx, await requirePractice(ctx, params.token, now), body);
    },
    async readPracticeImage({ params, now }) {
      const quiz = await requirePractice(ctx, params.token, now);
      const isShown = await isImageOnPapers(ctx.db, quiz, params.hash, { orExplains: true });
      const bytes = isShown ? await ctx.images.get(params.hash) : undefined;
      if (bytes === undefined) throw new AppError('NOT_FOUND');
      return new Reply(200, bytes, { 'cache-control': `private, max-age=${IMAGE_SECONDS}` });
    },
  } satisfies Handlers;
}

/** A practice assessment that is open. Throws NOT_FOUND for everything else. */
async function requirePractice({ db }: Context, token: string, now: Date): Promise<QuizView> {
  const id = await findPracticeId(db, token);
  const quiz = id === undefined ? undefined : await findQuiz(db, id);
  const isReady = quiz?.practiceToken === token && isQuizOpen(quiz, now) && hasOpened(quiz, now);
  if (!isReady) throw new AppError('NOT_FOUND');
  return quiz;
}

async function present(ctx: Context, quiz: QuizView): Promise<Practice> {
  const { title, description, duration, negativeMarks, policySettings } = quiz;
  return {
    title,
    description,
    duration,
    ...(negativeMarks ? { negativeMarks } : {}),
    policy: parsePolicySettings(policySettings),
    questions: await drawForNobody(ctx.db, quiz),
  };
}

/**
 * The result of one answer by the rules that score attempts. Throws NOT_FOUND for a question that is on no paper of
 * the assessment, INVALID_INPUT for an answer that is none to it, as after it was edited.
 */
async function check(
  { db }: Context,
  quiz: QuizView,
  { questionId, answer }: { questionId: string; answer: string },
): Promise<AnsweredQuestion> {
  const [version] = await listQuestionVersions(db, await listOnPapers(db, quiz, questionId));
  if (!version) throw new AppError('NOT_FOUND');
  const entry = {
    position: 1,
    questionId,
    optionOrder: version.optionIds,
    content: contentOf(version),
  };
  const given = readAnswer(entry, answer);
  if ('problem' in given) {
    throw new AppError('INVALID_INPUT', { issues: [{ path: 'answer', message: given.problem }] });
  }
  const answered = { questionId, ...given };
  const [score] = scorePaper([version], [answered], quiz.negativeMarks).questions;
  return {
    ...presentAnswer(entry, given, { key: version, hasKey: true, feedback: feedbackOf(version) }),
    isCorrect: score?.isCorrect ?? false,
    points: pointsOf(score?.points ?? 0),
    maxPoints: pointsOf(score?.maxPoints ?? 0),
    ...(version.details?.explanation ? { explanation: version.details.explanation } : {}),
  };
}
