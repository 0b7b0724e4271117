import { type PaperPosition, seededRandom } from '@invigil/core/domain/questions/draw';
import { newId } from '../../db/new-id.ts';
import type { AnswerRow } from '../../db/queries/attempts/answers.ts';
import type { QuestionView } from '../../db/queries/questions.ts';
import type { InvitedQuiz } from './simulation.ts';

/** How a person works through a paper. */
export interface WorkPlan {
  questions: readonly QuestionView[];
  /** What people type, by question. */
  typed: InvitedQuiz['typed'];
  startedAt: Date;
  deadlineAt: Date;
  /** When the person stops working. */
  until: Date;
  /** Completes the paper by then; otherwise works too slowly for the available time. */
  finishes: boolean;
  /** 0 to 1 */
  skill: number;
  seed: string;
}

/** The time that those who do not finish would need, as a multiple of the time they have. */
const SLOW_PACE = 1.15;

/**
 * The answers that a person has given by a moment: one question after another, some flagged, some
 * changed, a few skipped. Hard questions are hard for everyone. Everything follows from the seed.
 */
export function answerPaper(
  participantId: string,
  paper: readonly PaperPosition[],
  plan: WorkPlan,
): AnswerRow[] {
  const { startedAt, deadlineAt, until, finishes, skill, seed } = plan;
  const random = seededRandom(`${seed}/answers`);
  const questions = new Map(plan.questions.map((q) => [q.version.questionId, q]));
  const workedMs = until.getTime() - startedAt.getTime();
  const wholeMs = finishes
    ? workedMs * 0.94
    : (deadlineAt.getTime() - startedAt.getTime()) * SLOW_PACE;
  const paceMs = wholeMs / Math.max(1, paper.length);
  return paper.flatMap((entry, index): AnswerRow[] => {
    const [knows, picks, skips, flags, returns, pause] = Array.from({ length: 6 }, random);
    const savedMs = paceMs * (index + 0.4 + 0.5 * (pause ?? 0));
    const question = questions.get(entry.questionId);
    if (savedMs > workedMs || !question || (skips ?? 0) < 0.03) return [];
    const ease = seededRandom(`ease/${question.version.question}`)() * 0.5 - 0.25;
    const isCorrect = (knows ?? 0) < Math.min(0.98, skill + ease * (1 - skill) * 2);
    const answer = answerOf(question.version, entry, plan.typed, isCorrect, picks ?? 0);
    const createdAt = new Date(Math.round(startedAt.getTime() + savedMs));
    // Some are changed on the review page.
    const changed = finishes && (returns ?? 0) < 0.12;
    const againMs = workedMs * (0.95 + 0.04 * (pause ?? 0));
    return [
      {
        participantId,
        questionId: entry.questionId,
        id: newId(),
        ...answer,
        isFlagged: (flags ?? 0) < 0.1,
        revision: changed ? 3 : 1 + Math.floor((flags ?? 0) * 1.4),
        createdAt,
        savedAt: changed ? new Date(Math.round(startedAt.getTime() + againMs)) : createdAt,
      },
    ];
  });
}

/** An answer in the form in which it is stored. `pick`, 0 to 1, is which of several. */
function answerOf(
  { correctOptionId, details, optionIds, questionId }: QuestionView['version'],
  { optionOrder }: PaperPosition,
  typed: WorkPlan['typed'],
  isCorrect: boolean,
  pick: number,
): Pick<AnswerRow, 'optionId' | 'response'> {
  const oneOf = <T>(list: readonly T[]) => list[Math.floor(pick * list.length)];
  const answers = typed.get(questionId);
  if (answers) {
    return { optionId: null, response: oneOf(isCorrect ? answers.right : answers.wrong) ?? null };
  }
  if (details?.type === 'multiple_response') {
    const selected = new Set(optionIds.filter((_, i) => details.options[i]?.isCorrect));
    // Whoever does not know all of it has one option wrong.
    const changed = isCorrect ? undefined : oneOf(optionOrder);
    if (changed !== undefined && !selected.delete(changed)) selected.add(changed);
    const ids = [...selected].sort((a, b) => a - b);
    return { optionId: null, response: ids.join(',') };
  }
  const wrong = optionOrder.filter((option) => option !== correctOptionId);
  return {
    optionId: isCorrect ? correctOptionId : (oneOf(wrong) ?? correctOptionId),
    response: null,
  };
}
