import { setTimeout as delay } from 'node:timers/promises';
import { imagesOf } from '@invigil/core/content/content-facts';
import { contentProblems } from '@invigil/core/content/content-problems';
import {
  definitionOfDraft,
  type QuestionDefinition,
} from '@invigil/core/domain/questions/question-definition';
import {
  type QuestionDraft,
  validateQuestion,
} from '@invigil/core/domain/questions/question-options';
import type { DefinitionProblem } from '@invigil/core/domain/questions/types/type-of-question';
import { validateDefinition } from '@invigil/core/domain/questions/validate-definition';
import { t } from '@invigil/core/texts/i18n';
import type { Queryable } from '../../../db/database.ts';
import { listImagesByHash } from '../../../db/queries/images.ts';
import { AppError } from '../../../runtime/app-error.ts';

/** A question of the specification's form. Throws INVALID_INPUT with an issue for each problem. */
export function requirePlainQuestion(sent: Readonly<QuestionDraft>): QuestionDefinition {
  const result = validateQuestion(sent.question, sent.options, sent.correctAnswer);
  if (!result.ok) throw invalidQuestion(result.problems);
  return definitionOfDraft(result.draft);
}

/**
 * A valid definition whose texts can be shown and whose images are stored. Throws INVALID_INPUT with an
 * issue for each problem.
 */
export async function requireDefinition(
  db: Queryable,
  input: QuestionDefinition,
): Promise<QuestionDefinition> {
  const result = validateDefinition(input);
  if (!result.ok) throw invalidQuestion(result.problems);
  const { definition } = result;
  if (definition.format === 'plain') return definition;
  const texts = [];
  for (const { path, text } of textsOf(definition)) {
    const read = () => ({ path, images: imagesOf(text), problems: contentProblems(text) });
    texts.push(await oneAtATime(read));
  }
  const hashes = texts.flatMap(({ images }) => images);
  const stored = new Set((await listImagesByHash(db, hashes)).map(({ hash }) => hash));
  const problems = texts.flatMap(({ path, images, problems }) => [
    ...problems.map(({ line, sentence }) => ({ path, message: lineText(line, sentence) })),
    ...images.filter((hash) => !stored.has(hash)).map(() => ({ path, message: imageGoneText() })),
  ]);
  if (problems.length > 0) throw invalidQuestion(problems);
  return definition;
}

const lineText = (line: number, problem: string): string =>
  t(
    /* {problem} is a sentence about a line of a text */ 'server.question.line',
    'Line {line}: {problem}',
    {
      line,
      problem,
    },
  );
const imageGoneText = (): string =>
  t('server.question.imageGone', 'An image of this text is not stored here. Add it again');

let reading: Promise<unknown> = Promise.resolve();

/**
 * Reads one text at a time in this process, and pauses for as long as that took: a long text takes a quarter
 * of a second, several authors may save, and so do candidates.
 */
function oneAtATime<T>(read: () => T): Promise<T> {
  const result = reading.then(async () => {
    const from = performance.now();
    const value = read();
    await delay(performance.now() - from);
    return value;
  });
  reading = result.catch(() => undefined);
  return result;
}

function textsOf({ question, options, explanation }: QuestionDefinition) {
  return [
    { path: 'question', text: question },
    ...options.flatMap(({ text, feedback = '' }, i) => [
      { path: `options.${i}.text`, text },
      { path: `options.${i}.feedback`, text: feedback },
    ]),
    ...(explanation === undefined ? [] : [{ path: 'explanation', text: explanation }]),
  ];
}

function invalidQuestion(problems: DefinitionProblem[]): AppError {
  return new AppError('INVALID_INPUT', {
    ...(problems[0] ? { message: problems[0].message } : {}),
    issues: problems,
  });
}
