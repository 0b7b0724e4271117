import { guardCell } from '@invigil/core/domain/questions/spreadsheet-guard';
import type { Queryable } from '../../../db/database.ts';
import { listQuestions, listQuestionVersions } from '../../../db/queries/questions.ts';
import { listChoices } from './queries.ts';

/** Cell of a question that is not on the paper; one that is but was not answered is blank. */
const NOT_DRAWN = '(not drawn)';

/** One column per question of an assessment, after the standard columns. */
export interface QuestionColumns {
  heads: string[];
  /** Cells by attempt id: the selected option, blank where there is none. */
  cellsOf(participantIds: string[]): Promise<Map<string, string[]>>;
}

/**
 * The questions of an assessment in their order, with their current text. A cell has the text of
 * the version on the paper, which later edits do not change. Texts are cached once per version, so
 * the memory of a report does not grow with its rows.
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
