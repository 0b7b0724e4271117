import { readFile } from 'node:fs/promises';
import { addBankQuestion } from '../../features/assessments/bank/change-bank.ts';
import { keepImage } from '../../features/assessments/images/keep-image.ts';
import { changeStructure } from '../../features/assessments/structure/structure.ts';
import type { BankOfScenario, DemoQuestion } from '../scenario/demo-question.ts';
import type { InvitedQuiz, Simulation } from './simulation.ts';

/** An image of a text by the name of its figure. */
const FIGURE = /(?<=\]\(image:)[a-z-]+/g;

/**
 * Adds questions to the bank, each figure as if it was uploaded, and lets an assessment draw from them.
 *
 * @returns what people type, by question
 */
export async function fillBank(
  { ctx, adminId }: Pick<Simulation, 'ctx' | 'adminId'>,
  { questions, structure, negativeMarks }: BankOfScenario,
  quizId: string,
  categoryId: string,
  at: Date,
): Promise<InvitedQuiz['typed']> {
  const typed = new Map<string, DemoQuestion['typed']>();
  const ids = new Map<string, string>();
  for (const { key, definition, tags, difficulty, note = '', typed: answers } of questions) {
    const hashes = new Map<string, string>();
    for (const [name] of definition.question.matchAll(FIGURE)) {
      const file = await readFile(new URL(`../scenario/figures/${name}.svg`, import.meta.url));
      hashes.set(name, (await keepImage(ctx, file, at)).hash);
    }
    const question = definition.question.replaceAll(FIGURE, (name) => hashes.get(name) ?? name);
    const labels = { tags: [...tags], categoryId, difficulty, note };
    const body = { definition: { ...definition, question }, ...labels };
    const { row } = await addBankQuestion(ctx, adminId, body, at);
    ids.set(key, row.id);
    typed.set(row.id, answers);
  }
  const idOf = (key: string) => {
    const id = ids.get(key);
    if (id === undefined) throw new Error(`there is no question ${key}`);
    return id;
  };
  const settings = { structure: structure(idOf), negativeMarks };
  await changeStructure(ctx, adminId, quizId, settings, at);
  return typed;
}
