import { PolicySettings } from '@invigil/core/contract/assessments/policy';
import type { Quiz } from '@invigil/core/contract/assessments/quiz';
import { isLanguage } from '@invigil/core/texts/languages';
import type { QuizView } from '../../db/queries/quizzes.ts';

/** Active, not archived, and the end date has not passed (product 1: "open"). */
export function isQuizOpen(
  quiz: { isActive: boolean; archivedAt: Date | null; endDate: Date | null },
  now: Date,
): boolean {
  return (
    quiz.isActive &&
    quiz.archivedAt === null &&
    (quiz.endDate === null || now.getTime() < quiz.endDate.getTime())
  );
}

/** Whether attempts may start, as far as its opening time decides. */
export function hasOpened({ opensAt }: { opensAt: Date | null }, now: Date): boolean {
  return opensAt === null || now >= opensAt;
}

export function presentQuiz(quiz: QuizView, now: Date): Quiz {
  return {
    id: quiz.id,
    title: quiz.title,
    description: quiz.description,
    categoryId: quiz.categoryId,
    category: quiz.category,
    duration: quiz.duration,
    totalQuestions: quiz.totalQuestions,
    // A paper with sections has questions from elsewhere, too, so its total counts.
    questionCount: quiz.structure ? quiz.totalQuestions : quiz.questionCount,
    ...(quiz.structure ? { hasSections: true as const } : {}),
    ...(quiz.hasOtherAnswers ? { hasOtherAnswers: true as const } : {}),
    ...(quiz.negativeMarks ? { negativeMarks: quiz.negativeMarks } : {}),
    ...(quiz.opensAt ? { opensAt: quiz.opensAt.toISOString() } : {}),
    endDate: quiz.endDate?.toISOString() ?? null,
    finishAfterEnd: quiz.finishAfterEnd,
    closingMail: quiz.closingMail,
    ...(quiz.languages ? { languages: quiz.languages.filter(isLanguage) } : {}),
    isActive: quiz.isActive,
    isOpen: isQuizOpen(quiz, now),
    policy: { version: quiz.policyVersion, ...parsePolicySettings(quiz.policySettings) },
    version: quiz.version,
    createdAt: quiz.createdAt.toISOString(),
  };
}

/**
 * The settings of a stored policy; fields that an earlier version did not have get their default.
 */
export function parsePolicySettings(stored: unknown): PolicySettings {
  return PolicySettings.parse(stored);
}
