import { QUESTION_LIMITS } from '@invigil/core/domain/limits';
import { figureText } from '@invigil/core/domain/locale';
import type {
  OptionDefinition,
  QuestionDefinition,
} from '@invigil/core/domain/questions/question-definition';
import { validateDefinition } from '@invigil/core/domain/questions/validate-definition';
import { t } from '@invigil/core/texts/i18n';
import type { ImportedItem } from '../../imported-file.ts';
import { withoutBlankOptions } from '../../text/blank-options.ts';
import { formulaProblems } from '../../text/formula-notes.ts';
import { fullPointsNote } from '../../text/full-points.ts';
import { withFeedback } from '../../text/option-feedback.ts';
import { type Note, NotSupported } from '../fit/score.ts';
import { textsFromHtml } from './item-texts.ts';
import type { PackageFiles } from './package-files.ts';

/** A question without its texts. */
export type QuestionShape = Omit<
  QuestionDefinition,
  'format' | 'question' | 'options' | 'explanation'
> & { options: Omit<OptionDefinition, 'text'>[] };

/** An item as the file has it: texts in HTML, scoring understood. */
export interface RawQuestion {
  shape: QuestionShape;
  html: { question: string; options: string[]; explanation: string; feedback: string[] };
  /** The texts are Markdown even without marks. */
  isMarkdown?: boolean;
  notes: Note[];
}

/** The facts of an item that are known before its question. */
export type ItemHead = Omit<ImportedItem, 'definition' | 'attempt' | 'notes'>;

const MOST_TITLE = 80;

/** Reads an item by `read` and validates it; what is not supported says why. */
export async function importItem(
  { source, title, ...facts }: ItemHead,
  files: PackageFiles,
  read: () => RawQuestion | Promise<RawQuestion>,
): Promise<ImportedItem> {
  const { identifier } = source;
  const head: ItemHead = {
    ...facts,
    source: identifier === undefined ? source : { ...source, identifier: copyOf(identifier) },
    title: copyOf(title),
  };
  try {
    const { shape, html, isMarkdown, notes } = await read();
    const texts = await textsFromHtml(
      [html.question, html.explanation, ...html.options, ...html.feedback],
      (src) => files.image(head.source.file, src),
      isMarkdown,
    );
    const [question = '', explanation = '', ...others] = texts.texts.map(copyOf);
    const options = others.slice(0, html.options.length);
    const given = withFeedback(shape.options, others.slice(options.length));
    const { points, note } = pointsWithinLimits(shape.points);
    const filled = withoutBlankOptions(
      shape.rule,
      given.options,
      options,
      html.options.map((option) => /<img\b/i.test(option)),
    );
    if (filled.problem !== null) throw new NotSupported(filled.problem);
    const result = validateDefinition({
      ...shape,
      points,
      format: texts.format,
      question,
      options: filled.options.map((option, i) => ({ ...option, text: filled.texts[i] ?? '' })),
      ...(explanation === '' ? {} : { explanation }),
    });
    if (!result.ok) {
      throw new NotSupported(
        [...new Set(result.problems.map((problem) => problem.message))].join('. '),
      );
    }
    const asSource = texts.format === 'markdown' ? formulaProblems(texts.texts) : [];
    const isSaid = notes.some((one) => typeof one === 'function');
    const all = [
      ...notes.map((one) => (typeof one === 'function' ? one(points) : one)),
      ...(note && !isSaid ? [note] : []),
      ...texts.notes,
      ...asSource,
      ...given.notes,
      ...filled.notes,
      ...fullPointsNote(result.definition),
    ];
    return {
      ...head,
      title: head.title || shortened(question),
      definition: result.definition,
      notes: [...new Set(all)],
    };
  } catch (error) {
    if (!(error instanceof NotSupported)) throw error;
    return {
      ...head,
      title: head.title || head.source.identifier || '',
      definition: null,
      notes: [error.message],
    };
  }
}

/** V8 makes a part of a string a view of the whole, which would keep each item's file in memory. */
function copyOf(text: string): string {
  return ` ${text}`.slice(1);
}

function shortened(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length > MOST_TITLE ? `${line.slice(0, MOST_TITLE)}…` : line;
}

/** Points with two decimals, from the least to the most that a question can have. */
function pointsWithinLimits(points: number): { points: number; note: string | null } {
  const { pointsMin, pointsMax } = QUESTION_LIMITS;
  const possible = Math.min(pointsMax, Math.max(pointsMin, Math.round(points * 100) / 100));
  const isSame = Math.abs(possible - points) < 1e-9;
  return {
    points: possible,
    note: isSame ? null : pointsChangedText(Number(points.toFixed(5)), possible),
  };
}

const pointsChangedText = (before: number, now: number): string =>
  t(
    /* {figure} is the same number as {before} */ 'import.qti.pointsChanged',
    '{before, plural, one {{figure} points in the file became {now}.} other {{figure} points in the file became {now}.}}',
    { before, figure: figureText(before), now: figureText(now) },
  );
