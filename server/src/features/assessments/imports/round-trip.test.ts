import { parseContent } from '@invigil/core/content/parse-content';
import type { BankQuestion } from '@invigil/core/contract/assessments/bank';
import { textsOf } from '@invigil/core/domain/questions/question-definition';
import { EXPORT_FORMATS, type ExportFormat } from '@invigil/core/domain/questions/question-files';
import { isDraft } from '@invigil/core/domain/questions/types/question-types';
import { setUpAppWithAdmin } from '@invigil/testkit/factories';
import { IMAGE, IMAGE_HASH, questionsHeldBy } from '@invigil/testkit/generated-questions';
import { inForm } from '@invigil/testkit/test-form';
import fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { insertQuestions } from '../../../db/queries/questions.ts';
import { inTransaction } from '../../../db/transaction.ts';
import type { ExportedQuestion } from '../../../formats/exported-question.ts';
import { firstVersion } from '../questions/change-questions.ts';

const QUESTIONS = inForm({ short: 100, long: 10_000 });
const AT_ONCE = 500;
/** Generated ones, each used several times with another text: generating takes longer than all else. */
const DIFFERENT = inForm({ short: 120, long: 500 });

/** Features that the questions of each format have to use, so that their round trip says something. */
const PLAIN = ['multiple_choice', 'all_or_nothing', 'plain'];
const MOODLE = [
  ...['matching', 'per_option'],
  ...[...PLAIN, 'true_false', 'multiple_response', 'numeric', 'short_text', 'weights', 'range'],
  ...[
    'explanation',
    'feedback',
    'tags',
    'category',
    'markdown',
    'emphasis',
    'strong',
    'break',
    'inlineCode',
  ],
  ...['link', 'inlineMath', 'math', 'list', 'table', 'code', 'blockquote', 'thematicBreak'],
];
const FEATURES: Record<ExportFormat, string[]> = {
  csv: PLAIN,
  gift: MOODLE,
  moodle_xml: [
    ...[...MOODLE, 'points', 'image', 'units', 'isUnitRequired', 'isCaseSensitive', 'keepLast'],
    'ordering',
  ],
  qti_3: [
    ...[...MOODLE, 'points', 'image', 'isCaseSensitive', 'keepLast', 'draft', 'difficulty'],
    ...['right_minus_wrong', 'ordering', 'minSelections', 'maxSelections', 'tolerance'],
  ],
};
const SOME_FORMATS = inForm<readonly ExportFormat[]>({
  short: ['csv', 'moodle_xml'],
  long: EXPORT_FORMATS,
});
/** Parts of every text, or of a list or table. */
const ALWAYS = ['root', 'paragraph', 'text', 'listItem', 'tableRow', 'tableCell'];

describe(`a bank of ${QUESTIONS} with all that a format holds`, () => {
  const app = setUpAppWithAdmin();
  let imageHash: string;

  beforeAll(async () => {
    const headers = { 'content-type': 'image/webp' };
    const stored = await app.call('uploadImage', { as: app.admin, body: IMAGE, headers });
    expect(stored.status).toBe(201);
    imageHash = stored.body.hash;
    for (const name of ['Biology', 'Cells/Plants', 'x']) {
      await app.call('createCategory', { as: app.admin, body: { name } });
    }
  });
  beforeEach(async () => {
    await app.pool.query('update questions set deleted_at = now()');
  });

  const timeout = inForm({ short: 120_000, long: 900_000 });
  it.each(SOME_FORMATS)(
    'is the same after an export and an import: %s',
    { timeout },
    async (format) => {
      const sample = fc.sample(questionsHeldBy(format), { numRuns: DIFFERENT, seed: 19 });
      expect([...new Set(sample.flatMap(featuresOf))].sort()).toEqual(FEATURES[format].sort());
      const questions = Array.from({ length: QUESTIONS }, (_, i) =>
        asStored(sample[i % DIFFERENT], i, imageHash),
      );
      await store(questions);
      const check = await app.call('checkExport', { as: app.admin, query: { format } });
      expect(check.body).toEqual({ questions: QUESTIONS, affected: 0, reasons: [], losses: [] });
      const before = await bank();
      const file = await app.call('exportQuestions', { as: app.admin, query: { format } });
      expect(file.status).toBe(200);
      const [, name = ''] =
        /filename="([^"]+)"/.exec(String(file.headers['content-disposition'])) ?? [];
      await app.pool.query('update questions set deleted_at = now()');
      const reply = await app.call('importFile', {
        as: app.admin,
        body: Buffer.concat([Buffer.from(`{"name":"${name}"}\n`), file.bytes]),
        headers: { 'content-type': 'application/octet-stream' },
      });
      expect(reply.body).toMatchObject({ added: QUESTIONS, duplicates: 0, left: [] });
      expect(await bank()).toEqual(before);
    },
  );

  async function store(questions: readonly ExportedQuestion[]): Promise<void> {
    const { body: categories } = await app.call('listCategories', { as: app.admin });
    const idOf = new Map(
      categories.map(({ id, name }: { id: string; name: string }) => [name, id]),
    );
    const now = app.clock.now();
    await inTransaction(app.context.db, async (tx) => {
      for (let i = 0; i < questions.length; i += AT_ONCE) {
        const views = questions.slice(i, i + AT_ONCE).map((question) => {
          const { definition, tags, categoryPath, difficulty = null, note = '' } = question;
          const { row, version } = firstVersion(app.context, null, definition, 1, now);
          const categoryId = (idOf.get(categoryPath[0] ?? '') as string | undefined) ?? null;
          return { row: { ...row, tags: [...tags], categoryId, difficulty, note }, version };
        });
        await insertQuestions(tx, views);
      }
    });
  }

  /** All questions, in the order in which they came. */
  async function bank() {
    const all: BankQuestion[] = [];
    for (let offset = 0; ; offset += 1_000) {
      const query = { limit: '1000', offset: `${offset}` };
      const { body } = await app.call('listBank', { as: app.admin, query });
      all.push(...body);
      if (body.length < 1_000) break;
    }
    return all
      .map(({ definition, tags, categoryId, difficulty, note }) => ({
        definition,
        tags,
        categoryId,
        difficulty,
        note,
      }))
      .reverse();
  }
});

/** With a text of its own, an image that is stored, and at most one category, as the bank has them. */
function asStored(
  question: ExportedQuestion | undefined,
  i: number,
  imageHash: string,
): ExportedQuestion {
  if (!question) throw new Error('too few were generated');
  const text = JSON.stringify(question.definition).replaceAll(IMAGE_HASH, imageHash);
  const definition: ExportedQuestion['definition'] = JSON.parse(text);
  return {
    ...question,
    categoryPath: question.categoryPath.slice(0, 1),
    definition: { ...definition, question: `Question ${i}.\n\n${definition.question}` },
  };
}

/** The features that a question uses, of all that a question can have. */
function featuresOf({ definition, tags, categoryPath, difficulty }: ExportedQuestion): string[] {
  const { type, rule, format, numeric, shortText, options } = definition;
  const flags = {
    explanation: definition.explanation,
    feedback: options.some(({ feedback }) => feedback),
    draft: isDraft(definition),
    keepLast: options.some(({ isLast }) => isLast),
    minSelections: definition.minSelections,
    maxSelections: definition.maxSelections,
    range: numeric?.accepted.some((accepted) => 'min' in accepted),
    tolerance: numeric?.accepted.some((accepted) => 'tolerancePercent' in accepted),
    units: numeric?.units,
    isUnitRequired: numeric?.isUnitRequired,
    isCaseSensitive: shortText?.isCaseSensitive,
    isSpaceExact: shortText?.isSpaceExact,
    points: definition.points !== 1,
    tags: tags.length > 0,
    category: categoryPath.length > 0,
    difficulty,
  };
  const used = Object.entries(flags).flatMap(([name, value]) => (value ? [name] : []));
  return [type, rule, format, ...used, ...(format === 'plain' ? [] : nodesOf(definition))];
}

function nodesOf(definition: Parameters<typeof textsOf>[0]): string[] {
  const types: string[] = [];
  const add = (node: { type: string; children?: readonly { type: string }[] }) => {
    if (!ALWAYS.includes(node.type)) types.push(node.type);
    node.children?.forEach(add);
  };
  for (const text of textsOf(definition)) add(parseContent(text));
  return types;
}
