import { pointsOf, scorePaper } from '@invigil/core/domain/questions/scoring';
import type { Queryable } from '../../../db/database.ts';
import { listBankById } from '../../../db/queries/question-bank.ts';
import {
  listQuestions,
  listQuestionVersions,
  type QuestionVersionRow,
  type QuestionView,
} from '../../../db/queries/questions.ts';
import { type Choice, listChoices, listDrawnQuestions } from './queries.ts';

/** Cell of a question that is not on the paper; one that is but was not answered is blank. */
const NOT_DRAWN = '(not drawn)';

/** One column per question of an assessment, after the standard columns; two with points. */
export interface QuestionColumns {
  heads: string[];
  /** Cells by attempt id: what was answered, blank where nothing was, and the points. */
  cellsOf(participantIds: string[]): Promise<Map<string, (string | number)[]>>;
}

/**
 * The questions of an assessment in their order, with their current text. A cell has the text of
 * the version on the paper, which later edits do not change. Texts are cached once per version, so
 * the memory of a report does not grow with its rows.
 *
 * @param hasPoints whether any of the attempts has points; those without have blank cells for them
 */
export async function openQuestionColumns(
  db: Queryable,
  quizId: string,
  hasPoints: boolean,
): Promise<QuestionColumns> {
  const questions = await listReported(db, quizId);
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
      `Q${i + 1}: ${version.question}`,
      ...(hasPoints ? [`Q${i + 1}: points`] : []),
    ]),
    async cellsOf(participantIds) {
      const blank = questions.flatMap(() => (hasPoints ? [NOT_DRAWN, ''] : [NOT_DRAWN]));
      const cells = new Map(
        participantIds.map((id): [string, (string | number)[]] => [id, [...blank]]),
      );
      const choices = await listChoices(db, participantIds);
      await load(choices);
      for (const choice of choices) {
        const column = columnOf.get(choice.questionId);
        const version = versions.get(keyOf(choice));
        const row = cells.get(choice.participantId);
        if (!row || column === undefined || !version) continue;
        row[column] = answerCell(version, choice);
        if (!hasPoints) continue;
        row[column + 1] = pointsCell(version, choice);
      }
      return cells;
    },
  };
}

type Version = QuestionVersionRow & { textOf: ReadonlyMap<number, string> };

/**
 * An assessment's own questions, then the others that its papers have had, oldest first: archived ones,
 * and those of the bank, also where the sections that drew them were removed since then.
 */
async function listReported(db: Queryable, quizId: string): Promise<QuestionView[]> {
  const own = await listQuestions(db, quizId);
  const others = new Set(await listDrawnQuestions(db, quizId));
  for (const { row } of own) others.delete(row.id);
  if (others.size === 0) return own;
  const drawn = await listBankById(db, [...others]);
  return [...own, ...drawn.sort((a, b) => (a.row.id < b.row.id ? -1 : 1))];
}

function textsOf({ optionIds, optionTexts }: QuestionVersionRow): Map<number, string> {
  return new Map(optionIds.map((id, i) => [id, optionTexts[i] ?? ''] as const));
}

/** The text of the selected option, of several with semicolons between, or what was typed. */
function answerCell({ details, textOf }: Version, { optionId, response }: Choice): string {
  if (details?.type === 'multiple_response') {
    const ids = (response ?? '').split(',').map(Number);
    return ids.flatMap((id) => textOf.get(id) ?? []).join('; ');
  }
  return response === null ? (textOf.get(optionId ?? 0) ?? '') : response;
}

/** As in the record: by the negative marks the attempt began with, whatever the setting is today. */
function pointsCell(version: Version, choice: Choice): string | number {
  if (choice.maxPoints === null) return '';
  const [scored] = scorePaper([version], [choice], choice.negativeMarks).questions;
  return pointsOf(scored?.points ?? 0);
}

function keyOf({ questionId, version }: { questionId: string; version: number }): string {
  return `${questionId}/${version}`;
}
