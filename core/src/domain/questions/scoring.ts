/** The key of one position of the paper: the correct option of its question version. */
export interface KeyedPosition {
  questionId: string;
  correctOptionId: number;
}

/** A stored answer; `null` is unanswered. */
export interface ScorableAnswer {
  questionId: string;
  optionId: number | null;
}

/**
 * One mark per question of the paper for the correct option, nothing for a wrong or missing one (product
 * 4.7). A pure function of paper and answers, which can be recomputed at any time.
 *
 * @returns marks, `0 <= score <= totalMarks`
 */
export function scorePaper(
  paper: readonly KeyedPosition[],
  answers: readonly ScorableAnswer[],
): { score: number; totalMarks: number } {
  const selected = new Map(answers.map((answer) => [answer.questionId, answer.optionId]));
  const score = paper.filter((p) => selected.get(p.questionId) === p.correctOptionId).length;
  return { score, totalMarks: paper.length };
}
