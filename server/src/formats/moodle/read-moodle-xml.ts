import { createHash } from 'node:crypto';
import {
  type ConvertedText,
  inOneFormat,
  markdownFromHtml,
} from '@invigil/core/content/html/html-text';
import { QUESTION_LIMITS } from '@invigil/core/domain/limits';
import { figureText } from '@invigil/core/domain/locale';
import { t } from '@invigil/core/texts/i18n';
import {
  type ImportedItem,
  type ImportSink,
  type ReadFile,
  UnreadableFile,
} from '../imported-file.ts';
import { percentDecoded } from '../text/decode-text.ts';
import {
  type ItemHead,
  importedItem,
  NO_TEXT,
  notSupported,
  type QuestionTexts,
} from '../text/imported-item.ts';
import { feedbackLost } from '../text/option-feedback.ts';
import { readXml } from '../xml/read-xml.ts';
import { element } from '../xml/write-xml.ts';
import { childOf, childrenOf, textOf, type XmlElement } from '../xml/xml-element.ts';
import { categoryPathOf } from './category-path.ts';
import { clozeItem } from './cloze-item.ts';
import { type MoodleFormat, readFormatted } from './formatted-text.ts';
import {
  belowZeroNote,
  choiceItem,
  feedbackLostText,
  type MoodleAnswer,
  matchingItem,
  shortTextKey,
  trueFalseKey,
  wildcardText,
} from './moodle-answers.ts';
import { moodleNumericKey } from './moodle-units.ts';
import { readCloze } from './read-cloze.ts';

/** Names of Moodle's question types, as its own pages have them. */
const TYPE_NAMES: Record<string, string> = {
  calculated: 'Calculated',
  calculatedmulti: 'Calculated multichoice',
  calculatedsimple: 'Calculated simple',
  coderunner: 'CodeRunner',
  ddimageortext: 'Drag and drop onto image',
  ddmarker: 'Drag and drop markers',
  ddwtos: 'Drag and drop into text',
  essay: 'Essay',
  formulas: 'Formulas',
  gapselect: 'Select missing words',
  randomsamatch: 'Random short-answer matching',
  stack: 'STACK',
};

const FORMATS: Record<string, MoodleFormat> = {
  html: 'html',
  moodle_auto_format: 'auto',
  plain_text: 'plain',
  markdown: 'markdown',
};

/** Moodle's own default, and none at all. */
const USUAL_PENALTIES = [0, 1, 0.3333333, 0.1];

const otherGradingText = (): string =>
  t(
    /* “here”: in Invigil */ 'import.moodle.orderGrading',
    'Moodle counts which items follow each other; here each item at its right place earns its share.',
  );

/** Elements with feedback on a whole answer. */
const COMBINED_FEEDBACK = ['correctfeedback', 'partiallycorrectfeedback', 'incorrectfeedback'];

const WITH_COMBINED_FEEDBACK = /^(?:multichoice|match|matching|ddmatch|ordering)$/;

/** Texts that Moodle fills in there, in the language of the author; they say no more than the points do. */
const USUAL_FEEDBACK = new Set([
  ...['', 'Your answer is correct.', 'Your answer is partially correct.'],
  ...['Your answer is incorrect.', 'Die Antwort ist richtig.', 'Die Antwort ist falsch.'],
  ...['Die Antwort ist teilweise richtig.', 'Votre réponse est correcte.'],
  ...['Votre réponse est partiellement correcte.', 'Votre réponse est incorrecte.'],
]);

/** Reads Moodle XML, question by question, so that a long file is never in memory as a whole tree. */
export const readMoodleXml: ReadFile = async ({ name, bytes }, sink) => {
  let count = 0;
  let categoryPath: string[] = [];
  const root = readXml(bytes, {
    elements: ['question'],
    onElement: (question) => {
      if (question.attributes.type === 'category') {
        categoryPath = categoryPathOf(innerText(childOf(question, 'category')));
        return;
      }
      sink.item(new MoodleQuestion(question, name, categoryPath, sink).read());
      count += 1;
    },
  });
  if (root.name !== 'quiz')
    throw new UnreadableFile(
      t(
        /* {element} is a code: <quiz> */ 'import.moodle.notXml',
        'This is not a Moodle XML file: {element} is missing.',
        { element: '<quiz>' },
      ),
    );
  if (count === 0)
    throw new UnreadableFile(t('import.moodle.none', 'The Moodle XML file has no questions.'));
  return { format: 'moodle_xml', problems: [] };
};

function innerText(element: XmlElement | undefined): string {
  const text = element && (childOf(element, 'text') ?? element);
  return text ? textOf(text).trim() : '';
}

class MoodleQuestion {
  private readonly question: XmlElement;
  private readonly sink: ImportSink;
  private readonly head: ItemHead;

  constructor(question: XmlElement, file: string, categoryPath: string[], sink: ImportSink) {
    this.question = question;
    this.sink = sink;
    const identifier = this.textOf('idnumber');
    const tags = childOf(question, 'tags');
    this.head = {
      source: { file, line: question.line, ...(identifier === '' ? {} : { identifier }) },
      title: this.textOf('name'),
      tags: tags
        ? childrenOf(tags, 'tag')
            .map(innerText)
            .filter((tag) => tag !== '')
        : [],
      categoryPath,
      notes: [],
    };
  }

  read(): ImportedItem {
    const type = this.question.attributes.type ?? '';
    const texts: QuestionTexts = {
      question: this.formatted(childOf(this.question, 'questiontext')),
      options: [],
      explanation: this.formatted(childOf(this.question, 'generalfeedback')),
    };
    this.addOldImage(texts);
    const points = this.points();
    this.recordWhatIsLost();
    switch (type) {
      case 'multichoice': {
        const isSingle = !/^(?:false|0)$/.test(this.textOf('single'));
        const isOrdered = /^(?:false|0)$/.test(this.textOf('shuffleanswers'));
        return choiceItem(this.head, texts, this.answers(), { isSingle, isOrdered, points });
      }
      case 'truefalse': {
        const answers = this.answers();
        const right = answers.find(({ fraction }) => fraction > 0);
        if (!right)
          return this.refuse(
            t(
              /* words of the file */ 'import.moodle.noTruth',
              'Neither True nor False is marked as right.',
            ),
            texts,
          );
        const isNamed = ({ text }: MoodleAnswer) => /^(?:true|false)$/i.test(text.text);
        // Answers with other names, as old files have them in their language, go by place, as in Moodle.
        const isTrue = (answer: MoodleAnswer) =>
          isNamed(answer) ? /^true$/i.test(answer.text.text) : answer === answers[0];
        if (!answers.every(isNamed)) {
          this.head.notes.push(
            t(
              'import.moodle.namedOtherwise',
              'The answers are not named True and False: the first was read as True, the second as False.',
            ),
          );
        }
        const { texts: options, key } = trueFalseKey(isTrue(right));
        // A file has them in any order.
        const feedback = [true, false].map(
          (value) => answers.find((answer) => isTrue(answer) === value)?.feedback ?? NO_TEXT,
        );
        return importedItem(this.head, { ...texts, options, feedback }, { ...key, points });
      }
      case 'shortanswer': {
        // Moodle's answers are plain text here: what candidates type is no HTML, whatever the format says.
        const answers = this.answers((answer) => ({ ...NO_TEXT, text: innerText(answer) }));
        const key = shortTextKey(answers, this.textOf('usecase') === '1');
        if (!key) return this.refuse(wildcardText(), texts);
        return importedItem(this.head, texts, { ...key, points });
      }
      case 'numerical': {
        const { problem, notes, key } = moodleNumericKey(this.question);
        if (problem !== null) return this.refuse(problem, texts);
        this.head.notes.push(...notes);
        return importedItem(this.head, texts, { ...key, points });
      }
      case 'match':
      case 'matching':
      case 'ddmatch':
        return matchingItem(this.head, texts, this.pairs(type === 'ddmatch'), points);
      case 'ordering':
        return this.ordering(texts, points);
      case 'cloze':
      case 'multianswer': {
        const asked = childOf(this.question, 'questiontext');
        const cloze = readCloze(innerText(asked));
        if (!cloze || !asked)
          return this.refuse(
            t(
              'import.moodle.cloze',
              'Embedded answers (Cloze) are only supported with one gap: a choice, a text or a number.',
            ),
            texts,
          );
        const read = (html: string) =>
          readFormatted(html, 'html', (src) => this.imageOf(asked, src));
        const question = read(`${cloze.before}_____${cloze.after}`);
        return clozeItem(this.head, { ...texts, question }, cloze.gap, read);
      }
      case 'description':
        return this.refuse(
          t('import.moodle.description', 'This is a description, not a question.'),
          texts,
        );
      default:
        return this.refuse(
          t(
            /* {type} as Moodle names it in English */ 'import.moodle.type',
            'Questions of Moodle’s type “{type}” are not supported.',
            { type: TYPE_NAMES[type] ?? type },
          ),
          texts,
        );
    }
  }

  /** @param isFormatted answers are formatted texts in the drag and drop type, and plain ones in Moodle's own */
  private pairs(isFormatted: boolean): { item: ConvertedText; answer: ConvertedText }[] {
    return childrenOf(this.question, 'subquestion').map((pair) => {
      const answer = childOf(pair, 'answer');
      return {
        item: this.formatted(pair),
        answer: isFormatted ? this.formatted(answer) : { ...NO_TEXT, text: innerText(answer) },
      };
    });
  }

  /** The items of an ordering are in the right order in the file. */
  private ordering(texts: QuestionTexts, points: number): ImportedItem {
    const answers = this.answers();
    const { notes } = this.head;
    const grading = this.textOf('gradingtype').toUpperCase();
    const isWhole = grading === 'ALL_OR_NOTHING';
    if (!isWhole && !/^ABS/.test(grading)) notes.push(otherGradingText());
    if (!/^(?:ALL|EXACT|0|)$/i.test(this.textOf('selecttype') || this.textOf('logical'))) {
      notes.push(
        t(
          /* “here”: in Invigil */ 'import.moodle.someItems',
          'Moodle asks for some of the items only; here all of them are put in order.',
        ),
      );
    }
    if (answers.some(({ feedback }) => feedback?.text)) notes.push(feedbackLostText());
    return importedItem(
      this.head,
      { ...texts, options: answers.map(({ text }) => text) },
      {
        type: 'ordering',
        rule: isWhole ? 'all_or_nothing' : 'per_option',
        options: answers.map(() => ({ isCorrect: false })),
        points,
      },
    );
  }

  private refuse(reason: string, { question }: QuestionTexts): ImportedItem {
    return notSupported(this.head, reason, question.text);
  }

  private textOf(name: string): string {
    return innerText(childOf(this.question, name));
  }

  /** Moodle allows any grade; what cannot be kept is changed as little as possible. */
  private points(): number {
    const written = this.textOf('defaultgrade');
    const grade = written === '' ? 1 : Number(written);
    const wanted = Number.isFinite(grade) ? grade : 1;
    const inside = Math.min(Math.max(wanted, QUESTION_LIMITS.pointsMin), QUESTION_LIMITS.pointsMax);
    const points = Math.round(inside * 100) / 100;
    if (points !== wanted || !Number.isFinite(grade)) {
      this.head.notes.push(
        t(
          /* {points} decides on the form, {figure} is the same number */ 'import.moodle.mark',
          '{points, plural, one {The default mark {mark} became {figure} points.} other {The default mark {mark} became {figure} points.}}',
          { mark: written.slice(0, 20), points, figure: figureText(points) },
        ),
      );
    }
    return points;
  }

  private recordWhatIsLost(): void {
    const { notes } = this.head;
    const penalty = Number(this.textOf('penalty') || 0);
    if (!USUAL_PENALTIES.some((usual) => Math.abs(usual - penalty) < 1e-6)) {
      notes.push(t('import.moodle.penalty', 'The penalty for each further try was left out.'));
    }
    const answers = childrenOf(this.question, 'answer');
    const isTyped = /^(?:shortanswer|numerical)$/.test(this.question.attributes.type ?? '');
    if (isTyped && answers.some((answer) => innerText(childOf(answer, 'feedback')) !== '')) {
      notes.push(feedbackLostText());
    }
    if (isTyped) {
      const fractions = answers.map(({ attributes }) => ({
        fraction: Number(attributes.fraction),
      }));
      notes.push(...belowZeroNote(fractions));
    }
    if (WITH_COMBINED_FEEDBACK.test(this.question.attributes.type ?? '')) {
      const said = COMBINED_FEEDBACK.map((name) =>
        // A figure alone says something too.
        this.textOf(name)
          .replace(/<(?!img\b)[^<>]*>|&nbsp;/gi, ' ')
          .replace(/\s+/g, ' ')
          .trim(),
      );
      notes.push(...feedbackLost(said.filter((text) => !USUAL_FEEDBACK.has(text)).length));
    }
    if (childrenOf(this.question, 'hint').some((hint) => innerText(hint) !== ''))
      notes.push(t('import.moodle.hints', 'Hints were left out.'));
  }

  private answers(read = (answer: XmlElement) => this.formatted(answer)): MoodleAnswer[] {
    return childrenOf(this.question, 'answer').map((answer) => ({
      text: read(answer),
      fraction: Number(answer.attributes.fraction ?? 0) || 0,
      feedback: this.formatted(childOf(answer, 'feedback')),
    }));
  }

  /** A text with its format and its images. */
  private formatted(element: XmlElement | undefined): ConvertedText {
    const text = element && childOf(element, 'text');
    if (!text) return NO_TEXT;
    const format = FORMATS[element.attributes.format ?? ''] ?? 'auto';
    return readFormatted(textOf(text), format, (src) => this.imageOf(element, src));
  }

  /** Before 2.0, a question had one image, below its text. */
  private addOldImage(texts: QuestionTexts): void {
    const name = this.textOf('image');
    const bytes = childOf(this.question, 'image_base64');
    const image = bytes ? this.keep(textOf(bytes)) : null;
    if (name === '' && image === null) return;
    const converted = markdownFromHtml(element('img', { src: name || 'data:,' }).xml, () => image);
    const notes = [...texts.question.notes, ...converted.notes];
    if (image === null) {
      texts.question = { ...texts.question, notes };
      return;
    }
    const unified = inOneFormat([texts.question, converted]);
    texts.question = {
      text: unified.texts.filter((part) => part !== '').join('\n\n'),
      format: 'markdown',
      notes,
    };
  }

  private imageOf(element: XmlElement, src: string): string | null {
    const inline = /^data:image\/[\w.+-]+;base64,([\s\S]*)$/.exec(src)?.[1];
    if (inline !== undefined) return this.keep(inline);
    const path = /^@@PLUGINFILE@@(\/.*)$/.exec(src.replace(/\?.*$/s, ''))?.[1];
    if (path === undefined) return null;
    const wanted = [path, percentDecoded(path)];
    const file = childrenOf(element, 'file').find(({ attributes }) =>
      wanted.includes(`${attributes.path ?? '/'}${attributes.name ?? ''}`),
    );
    return file?.attributes.encoding === 'base64' ? this.keep(textOf(file)) : null;
  }

  private keep(base64: string): string | null {
    const bytes = Buffer.from(base64, 'base64');
    if (bytes.length === 0) return null;
    const hash = createHash('sha256').update(bytes).digest('hex');
    this.sink.image(hash, bytes);
    return `image:${hash}`;
  }
}
