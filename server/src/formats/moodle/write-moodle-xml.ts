import { imagesOf } from '@invigil/core/content/content-facts';
import { furtherAnswers, inPairs } from '@invigil/core/domain/questions/matching-options';
import type {
  OptionDefinition,
  QuestionDefinition,
} from '@invigil/core/domain/questions/question-definition';
import type { ExportedQuestion, ImageBytes } from '../exported-question.ts';
import { imageFileName } from '../text/image-file-name.ts';
import { trueOption } from '../text/true-false.ts';
import { element, type WrittenXml, xmlFile } from '../xml/write-xml.ts';
import { categoryOf } from './category-path.ts';
import { writeFormatted } from './formatted-text.ts';
import { plainAnswer } from './moodle-answers.ts';
import { inverse } from './moodle-units.ts';
import { centerOf, fractionsOf } from './write-fractions.ts';

const FORMATS = { html: 'html', plain: 'plain_text', markdown: 'markdown' } as const;

/** Writes questions as Moodle XML, with their images inside. See xmlCannotHold for what is lost. */
export function writeMoodleXml(questions: readonly ExportedQuestion[], image: ImageBytes): string {
  let category: string | null = null;
  const parts: (WrittenXml | string)[] = [];
  for (const question of questions) {
    const path = categoryOf(question.categoryPath);
    if (path !== (category ?? categoryOf([]))) {
      parts.push(
        '\n',
        element('question', { type: 'category' }, element('category', {}, text(path))),
      );
    }
    category = path;
    parts.push('\n', new Writer(question, image).write());
  }
  return xmlFile(element('quiz', {}, ...parts, '\n'));
}

const text = (value: string) => element('text', {}, value);

class Writer {
  private readonly question: ExportedQuestion;
  private readonly definition: QuestionDefinition;
  private readonly image: ImageBytes;

  constructor(question: ExportedQuestion, image: ImageBytes) {
    this.question = question;
    this.definition = question.definition;
    this.image = image;
  }

  write(): WrittenXml {
    const { definition, question } = this;
    const { title, tags } = question;
    const { points, explanation } = definition;
    const { type, content } = this.key();
    return element(
      'question',
      { type },
      element('name', {}, text(title)),
      this.formatted('questiontext', {}, definition.question),
      explanation === undefined ? null : this.formatted('generalfeedback', {}, explanation),
      element('defaultgrade', {}, String(points)),
      element('penalty', {}, '0'),
      ...content,
      tags.length === 0
        ? null
        : element('tags', {}, ...tags.map((tag) => element('tag', {}, text(tag)))),
    );
  }

  private key(): { type: string; content: WrittenXml[] } {
    const { type, options, rule, numeric, shortText } = this.definition;
    const fractionOf = (weight: number | undefined) => (rule === 'weights' ? (weight ?? 0) : 100);
    switch (type) {
      case 'true_false':
        return {
          type: 'truefalse',
          content: options.map(({ isCorrect }, i) =>
            element(
              'answer',
              { fraction: isCorrect ? 100 : 0, format: 'moodle_auto_format' },
              text(i === trueOption(options) ? 'true' : 'false'),
              this.feedback(options[i]),
            ),
          ),
        };
      case 'numeric':
        return {
          type: 'numerical',
          content: [...this.numbers(fractionOf), ...this.units(numeric?.units ?? [])],
        };
      case 'short_text':
        return {
          type: 'shortanswer',
          content: [
            element('usecase', {}, shortText?.isCaseSensitive ? '1' : '0'),
            ...(shortText?.accepted ?? []).map((accepted) =>
              element(
                'answer',
                { fraction: fractionOf(accepted.weight), format: 'plain_text' },
                text(accepted.text.replace(/\*/g, '\\*')),
              ),
            ),
          ],
        };
      case 'matching':
        return { type: 'matching', content: this.pairs() };
      case 'ordering':
        return { type: 'ordering', content: this.items() };
      case 'multiple_choice':
      case 'multiple_response': {
        const fractions = fractionsOf(this.definition);
        const isOrdered = options.length > 0 && options.every(({ isLast }) => isLast);
        return {
          type: 'multichoice',
          content: [
            element('single', {}, type === 'multiple_choice' ? 'true' : 'false'),
            element('shuffleanswers', {}, isOrdered ? 'false' : 'true'),
            element('answernumbering', {}, 'abc'),
            ...options.map((option, i) =>
              this.formatted(
                'answer',
                { fraction: fractions[i] ?? 0 },
                option.text,
                this.feedback(option),
              ),
            ),
          ],
        };
      }
    }
  }

  /** An answer that is right for no item is a pair without one. */
  private pairs(): WrittenXml[] {
    const { definition } = this;
    const answer = (of: string | null) =>
      element('answer', {}, text(plainAnswer(of ?? '', definition)));
    return [
      element('shuffleanswers', {}, 'true'),
      ...inPairs(definition.options).map((pair) =>
        this.formatted('subquestion', {}, pair.item, answer(pair.answer)),
      ),
      ...furtherAnswers(definition.options).map((further) =>
        element('subquestion', { format: 'html' }, text(''), answer(further)),
      ),
    ];
  }

  private items(): WrittenXml[] {
    const { options, rule } = this.definition;
    return [
      element('layouttype', {}, 'VERTICAL'),
      element('selecttype', {}, 'ALL'),
      element('selectcount', {}, '0'),
      element(
        'gradingtype',
        {},
        rule === 'all_or_nothing' ? 'ALL_OR_NOTHING' : 'ABSOLUTE_POSITION',
      ),
      element('showgrading', {}, 'SHOW'),
      element('numberingstyle', {}, 'none'),
      ...options.map((option, i) => this.formatted('answer', { fraction: i + 1 }, option.text)),
    ];
  }

  private numbers(fractionOf: (weight: number | undefined) => number): WrittenXml[] {
    return (this.definition.numeric?.accepted ?? []).map((accepted) => {
      const { value, tolerance } = centerOf(accepted);
      return element(
        'answer',
        { fraction: fractionOf(accepted.weight), format: 'plain_text' },
        text(value),
        element('tolerance', {}, tolerance),
      );
    });
  }

  private units(units: readonly { unit: string; factor: string }[]): WrittenXml[] {
    const isRequired = this.definition.numeric?.isUnitRequired === true;
    const handling = [
      element('unitgradingtype', {}, isRequired ? '1' : '0'),
      element('unitpenalty', {}, isRequired ? '1' : '0.1'),
      element('showunits', {}, units.length > 0 ? '0' : '3'),
      element('unitsleft', {}, '0'),
    ];
    if (units.length === 0) return handling;
    const list = units.map(({ unit, factor }) =>
      element(
        'unit',
        {},
        element('multiplier', {}, inverse(factor)?.text ?? '1'),
        element('unit_name', {}, unit),
      ),
    );
    return [element('units', {}, ...list), ...handling];
  }

  private feedback(option: OptionDefinition | undefined): WrittenXml | null {
    return option?.feedback ? this.formatted('feedback', {}, option.feedback) : null;
  }

  /** A text with its format and the images in it. */
  private formatted(
    name: string,
    attributes: Record<string, string | number>,
    content: string,
    ...more: (WrittenXml | null)[]
  ): WrittenXml {
    const { format } = this.definition;
    const files = new Map<string, { name: string; bytes: Uint8Array }>();
    if (format === 'markdown') {
      for (const hash of imagesOf(content)) {
        const bytes = this.image(hash);
        if (bytes) files.set(hash, { name: imageFileName(hash, bytes), bytes });
      }
    }
    const written = writeFormatted(
      content,
      format,
      (hash) => `@@PLUGINFILE@@/${files.get(hash)?.name ?? hash}`,
    );
    return element(
      name,
      { ...attributes, format: FORMATS[written.format] },
      text(written.text),
      ...[...files.values()].map((file) =>
        element(
          'file',
          { name: file.name, path: '/', encoding: 'base64' },
          Buffer.from(file.bytes).toString('base64'),
        ),
      ),
      ...more,
    );
  }
}
