import { guardCell } from '@invigil/core/domain/spreadsheet-guard';
import type { Queryable } from '../../../db/database.ts';
import { listQuestions, listQuestionVersions } from '../../../db/queries/questions.ts';
import { listChoices } from './queries.ts';

/** Of a question that was not drawn for this paper: blank is what was drawn and not answered. */
const NOT_DRAWN = '(not drawn)';

/** One column per question of an assessment, after the columns that every report has. */
export interface QuestionColumns {
  heads: string[];
  /** The cells of some attempts, by their id: what was chosen, blank where nothing was. */
  cellsOf(participantIds: string[]): Promise<Map<string, string[]>>;
}

/**
 * The questions of an assessment in their order as they read now. A cell holds the words of the
 * version on the paper, which an edit since has not changed. Texts are kept once per version, so the
 * memory that a report takes does not grow with its rows.
 */
export async function openQuestionColumns(db: Queryable, quizId: string): Promise<QuestionColumns> {
  const questions = await listQuestions(db, quizId);
  const columnOf = new Map(questions.map(({ row }, column) => [row.id, column]));
  const texts = new Map<string, Map<number, string>>();

  async function load(wanted: readonly { questionId: string; version: number }[]) {
    const missing = wanted.filter((w) => !texts.has(keyOf(w)));
    for (const v of await listQuestionVersions(db, missing)) {
      const pairs = v.optionIds.map((id, i) => [id, guardCell(v.optionTexts[i] ?? '')] as const);
      texts.set(keyOf(v), new Map(pairs));
    }
  }

  return {
    heads: questions.map(({ version }, i) => guardCell(`Q${i + 1}: ${version.question}`)),
    async cellsOf(participantIds) {
      const cells = new Map(participantIds.map((id) => [id, questions.map(() => NOT_DRAWN)]));
      const choices = await listChoices(db, participantIds);
      await load(choices);
      for (const choice of choices) {
        const column = columnOf.get(choice.questionId);
        const text = texts.get(keyOf(choice))?.get(choice.optionId ?? 0);
        const row = cells.get(choice.participantId);
        if (row && column !== undefined) row[column] = text ?? '';
      }
      return cells;
    },
  };
}

function keyOf({ questionId, version }: { questionId: string; version: number }): string {
  return `${questionId}/${version}`;
}
