import { expect, type Page } from '@playwright/test';
import type { QuestionDefinition } from '../../core/src/domain/questions/question-definition.ts';
import { QUESTION_TYPE_NAMES, SCORING_RULE_NAMES } from '../../web/src/lib/question-labels.ts';
import { textFile } from './controls.ts';

/** A question as its author has it in mind: its figure comes last, uploaded as a file. */
export interface WrittenQuestion extends QuestionDefinition {
  figure: { svg: string; alternative: string; caption?: string };
}

/** Writes a question for an assessment in the editor, field by field, and saves it. */
export async function writeQuestion(
  page: Page,
  quizId: string,
  { figure, ...definition }: WrittenQuestion,
): Promise<void> {
  const { type, question, options, points, rule, numeric, shortText, explanation } = definition;
  const fill = (name: string, value: string | number) =>
    page.locator(`[name="${name}"]`).fill(String(value));
  const select = async (label: string, option: string) => {
    await page.getByRole('combobox', { name: label }).click();
    await page.getByRole('option', { name: option, exact: true }).click();
  };
  const add = (button: string) => page.getByRole('button', { name: button, exact: true }).click();

  await page.goto(`/admin/questions/new?quiz=${quizId}`);
  if (type !== 'multiple_choice') await select('Type', QUESTION_TYPE_NAMES[type]);
  await fill('question', `${question}\n\n`);
  await page
    .getByLabel('Images for question')
    .setInputFiles(textFile('figure.svg', figure.svg, 'image/svg+xml'));
  // The cursor is where the description belongs.
  await expect(page.getByText(/: Describe the picture/)).toBeVisible();
  await page.keyboard.type(figure.alternative);
  if (figure.caption !== undefined) {
    await page.keyboard.press('Control+End');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.type(` "${figure.caption}"`);
  }
  if (explanation !== undefined) {
    await add('Add an explanation');
    await fill('explanation', explanation);
  }

  for (const [i, { text, isCorrect, isLast }] of options.entries()) {
    const letter = 'ABCDE'.charAt(i);
    if (type !== 'true_false') {
      const field = page.locator(`[name="options.${i}.text"]`);
      if (!(await field.isVisible())) await add('Add option');
      await field.fill(text);
    }
    if (isLast) await add(`Keep option ${letter} last`);
    if (!isCorrect) continue;
    const role = type === 'multiple_response' ? 'checkbox' : 'radio';
    await page.getByRole(role, { name: `Option ${letter} is correct` }).press('Space');
  }
  for (const [i, accepted] of (numeric?.accepted ?? []).entries()) {
    if (i > 0) await add('Add number');
    if (!('tolerancePercent' in accepted)) throw new Error('only tolerances are written here');
    await select(`How number ${i + 1} is compared`, 'Within percent');
    await fill(`numeric.accepted.${i}.value`, accepted.value);
    await fill(`numeric.accepted.${i}.tolerancePercent`, accepted.tolerancePercent);
  }
  for (const [i, { unit, factor }] of (numeric?.units ?? []).entries()) {
    await add('Add unit');
    await fill(`numeric.units.${i}.unit`, unit);
    await fill(`numeric.units.${i}.factor`, factor);
  }
  for (const [i, { text }] of (shortText?.accepted ?? []).entries()) {
    if (i > 0) await add('Add answer');
    await fill(`shortText.accepted.${i}.text`, text);
  }

  await fill('points', points);
  if (rule !== 'all_or_nothing') await select('Scoring rule', SCORING_RULE_NAMES[rule]);
  for (const field of ['minSelections', 'maxSelections'] as const) {
    const limit = definition[field];
    if (limit !== undefined) await fill(field, limit);
  }
  const preview = page.getByRole('region', { name: 'Preview' });
  await expect(preview.getByRole('img', { name: figure.alternative })).toBeVisible();
  await expect(preview.locator('math').first()).toBeAttached();
  await page.keyboard.press('Control+s');
  await expect(page).toHaveURL(/\/admin\/questions\/[0-9a-f-]{36}/);
}
