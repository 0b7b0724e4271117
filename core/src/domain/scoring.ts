/** What scoring needs of one position of the paper: the correct option of the version that was given. */
export interface KeyedPosition {
  questionId: string;
  correctOptionId: number;
}

/** What scoring needs of one stored answer; `null` is unanswered. */
export interface ScorableAnswer {
  questionId: string;
  optionId: number | null;
}

/**
 * One mark per question of the paper for the correct option, nothing for a wrong or missing one
 * (product 4.7). A pure function of paper and answers, so that it can be recomputed at any time.
 *
 * @returns marks, `0 <= score <= totalMarks`
 */
export function scorePaper(
  paper: readonly KeyedPosition[],
  answers: readonly ScorableAnswer[],
): { score: number; totalMarks: number } {
  const chosen = new Map(answers.map((answer) => [answer.questionId, answer.optionId]));
  const score = paper.filter((p) => chosen.get(p.questionId) === p.correctOptionId).length;
  return { score, totalMarks: paper.length };
}
