import { pointsOf, scorePaper } from '@invigil/core/domain/questions/scoring';
import { guardCell } from '@invigil/core/domain/questions/spreadsheet-guard';
import type { Queryable } from '../../../db/database.ts';
import { hasArchivedQuestions, listBankById } from '../../../db/queries/question-bank.ts';
import {
  listQuestions,
  listQuestionVersions,
  type QuestionVersionRow,
} from '../../../db/queries/questions.ts';
import type { QuizRow } from '../../../db/queries/quizzes.ts';
import { type Choice, listChoices, listDrawnQuestions } from './queries.ts';

/** Cell of a question that is not on the paper; one that is but was not answered is blank. */
const NOT_DRAWN = '(not drawn)';

/** One column per question of an assessment, after the standard columns; two where it has points. */
export interface QuestionColumns {
  heads: string[];
  /** Cells by attempt id: what was answered, blank where nothing was, and the points. */
  cellsOf(participantIds: string[]): Promise<Map<string, string[]>>;
}

/**
 * The questions of an assessment in their order, with their current text. A cell has the text of
 * the version on the paper, which later edits do not change. Texts are cached once per version, so
 * the memory of a report does not grow with its rows.
 */
export async function openQuestionColumns(
  db: Queryable,
  quiz: Pick<QuizRow, 'id' | 'structure' | 'negativeMarks'>,
): Promise<QuestionColumns> {
  const questions = await listReported(db, quiz);
  const hasPoints = questions.some(({ version }) => version.details !== null);
  const width = hasPoints ? 2 : 1;
  const columnOf = new Map(questions.map(({ row }, i) => [row.id, i * width]));
  const versions = new Map<string, Version>();

  async function load(wanted: readonly { questionId: string; version: number }[]) {
    const missing = wanted.filter((w) => !versions.has(keyOf(w)));
    for (const version of await listQuestionVersions(db, missing)) {
      versions.set(keyOf(version), { ...version, textOf: textsOf(version) });
    }
  }

  return {
    heads: questions.flatMap(({ version }, i) => [
      guardCell(`Q${i + 1}: ${version.question}`),
      ...(hasPoints ? [`Q${i + 1}: points`] : []),
    ]),
    async cellsOf(participantIds) {
      const blank = questions.flatMap(() => (hasPoints ? [NOT_DRAWN, ''] : [NOT_DRAWN]));
      const cells = new Map(participantIds.map((id) => [id, [...blank]]));
      const choices = await listChoices(db, participantIds);
      await load(choices);
      for (const choice of choices) {
        const column = columnOf.get(choice.questionId);
        const version = versions.get(keyOf(choice));
        const row = cells.get(choice.participantId);
        if (!row || column === undefined || !version) continue;
        row[column] = answerCell(version, choice);
        if (!hasPoints) continue;
        const {
          questions: [scored],
        } = scorePaper([version], [choice], quiz.negativeMarks);
        row[column + 1] = String(pointsOf(scored?.points ?? 0));
      }
      return cells;
    },
  };
}

type Version = QuestionVersionRow & { textOf: ReadonlyMap<number, string> };

/** An assessment's own questions, and the archived and drawn ones that its papers have had. */
async function listReported(db: Queryable, quiz: Pick<QuizRow, 'id' | 'structure'>) {
  const own = await listQuestions(db, quiz.id);
  if (!quiz.structure && !(await hasArchivedQuestions(db, quiz.id))) return own;
  const drawn = new Set(await listDrawnQuestions(db, quiz.id));
  for (const { row } of own) drawn.delete(row.id);
  return [...own, ...(await listBankById(db, [...drawn]))];
}

function textsOf({ optionIds, optionTexts }: QuestionVersionRow): Map<number, string> {
  return new Map(optionIds.map((id, i) => [id, guardCell(optionTexts[i] ?? '')] as const));
}

/** The text of the selected option, of several with semicolons between, or what was typed. */
function answerCell({ details, textOf }: Version, { optionId, response }: Choice): string {
  if (details?.type === 'multiple_response') {
    const ids = (response ?? '').split(',').map(Number);
    return ids.flatMap((id) => textOf.get(id) ?? []).join('; ');
  }
  return response === null ? (textOf.get(optionId ?? 0) ?? '') : guardCell(response);
}

function keyOf({ questionId, version }: { questionId: string; version: number }): string {
  return `${questionId}/${version}`;
}
