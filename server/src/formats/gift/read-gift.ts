import type { ConvertedText } from '@invigil/core/content/html/html-text';
import { t } from '@invigil/core/texts/i18n';
import { type ImportedItem, type ReadFile, UnreadableFile } from '../imported-file.ts';
import { categoryPathOf } from '../moodle/category-path.ts';
import { type MoodleFormat, readFormatted } from '../moodle/formatted-text.ts';
import {
  belowZeroNote,
  choiceItem,
  feedbackLostText,
  type MoodleAnswer,
  matchingItem,
  numberWithTolerance,
  numericKey,
  shortTextKey,
  type TypedNumber,
  trueFalseKey,
  wildcardText,
} from '../moodle/moodle-answers.ts';
import { decodeText } from '../text/decode-text.ts';
import {
  type ItemHead,
  importedItem,
  NO_TEXT,
  notSupported,
  type QuestionTexts,
} from '../text/imported-item.ts';
import {
  type GiftBlock,
  indexOfUnescaped,
  MOST_ANSWERS,
  splitAnswers,
  splitGift,
  unescapeGift,
} from './split-gift.ts';

/**
 * Reads Moodle's GIFT format (docs.moodle.org, "GIFT format"). Written here, because the parser on npm
 * gives up on the whole file at the first mistake, and knows no lines for its questions.
 */
export const readGift: ReadFile = async ({ name, bytes, ...choices }, sink) => {
  const { text, encoding } = decodeText(bytes, choices.encoding);
  let count = 0;
  let categoryPath: string[] = [];
  for (const block of splitGift(text)) {
    const category = /^\s*\$CATEGORY:(.*)/.exec(block.text)?.[1];
    if (category !== undefined) {
      categoryPath = categoryPathOf(category);
      continue;
    }
    sink.item(readQuestion(block, name, categoryPath));
    count += 1;
  }
  if (count === 0)
    throw new UnreadableFile(t('import.gift.none', 'No questions were found in the GIFT file.'));
  return { format: 'gift', problems: [], encoding };
};

function readQuestion(block: GiftBlock, file: string, categoryPath: string[]): ImportedItem {
  let text = block.text.trim();
  let title = '';
  if (text.startsWith('::')) {
    const end = indexOfUnescaped(text, '::', 2);
    if (end > 0) {
      title = unescapeGift(text.slice(2, end)).trim();
      text = text.slice(end + 2).trim();
    }
  }
  const { line, identifier, tags } = block;
  const head: ItemHead = {
    source: { file, line, identifier },
    title,
    tags,
    categoryPath,
    notes: [],
  };
  const open = indexOfUnescaped(text, '{');
  if (open < 0)
    return notSupported(
      head,
      t(
        'import.gift.description',
        'This is a description, not a question: it has no answers in braces.',
      ),
      text,
    );
  const close = indexOfUnescaped(text, '}', open);
  if (close < 0)
    return notSupported(
      head,
      t('import.gift.noBrace', 'Line {line}: the closing brace {brace} is missing.', {
        line,
        brace: '}',
      }),
      text,
    );
  const { format, rest: before } = readFormat(text.slice(0, open), 'auto');
  const after = text.slice(close + 1).trim();
  if (after !== '')
    head.notes.push(
      t('import.gift.gap', 'The gap in the sentence became _____, the answers stand below.'),
    );
  const stem = after === '' ? before : `${before}_____${text.slice(close + 1)}`.trim();
  const [answers, general] = splitAt(text.slice(open + 1, close), '####');
  const texts: QuestionTexts = {
    question: read(stem, format),
    options: [],
    explanation: general.trim() === '' ? null : readWithFormat(general, format),
  };
  return readAnswers(answers.trim(), format, head, texts);
}

const tooManyText = (): string =>
  t(
    /* a question */ 'import.tooManyAnswers',
    '{max, plural, one {It has more than # answer.} other {It has more than # answers.}}',
    { max: MOST_ANSWERS },
  );

function readAnswers(
  answers: string,
  format: MoodleFormat,
  head: ItemHead,
  texts: QuestionTexts,
): ImportedItem {
  const refuse = (reason: string) => notSupported(head, reason, texts.question.text);
  if (answers === '') return refuse(t('import.gift.essay', 'Essay questions are not supported.'));
  if (answers.startsWith('#')) return readNumeric(answers.slice(1), head, texts, refuse);
  const truth = /^(T|TRUE|F|FALSE)\s*(?:#|$)/i.exec(answers)?.[1]?.toUpperCase();
  if (truth !== undefined) {
    const isTrue = truth.startsWith('T');
    const { texts: options, key } = trueFalseKey(isTrue);
    // Moodle's order: first the feedback on the wrong answer, then on the correct one.
    const [wrong, right] = splitAt(splitAt(answers, '#')[1], '#').map((text) =>
      readWithFormat(text, format),
    );
    const feedback = [isTrue ? right : wrong, isTrue ? wrong : right].map(
      (text) => text ?? NO_TEXT,
    );
    return importedItem(head, { ...texts, options, feedback }, { ...key, points: 1 });
  }
  const parts = splitAnswers(answers);
  if (parts.length > MOST_ANSWERS) return refuse(tooManyText());
  const isMatching = parts.every(
    (part) => part.sign === '=' && indexOfUnescaped(part.text, '->') >= 0,
  );
  if (isMatching) {
    const pairs = parts.map(({ text }) => {
      const [item, answer] = splitAt(text, '->');
      return {
        item: readWithFormat(item, format),
        answer: readPlain(answer),
      };
    });
    return matchingItem(head, texts, pairs, 1);
  }
  const isChoice = parts.some((part) => part.sign === '~');
  const read = parts.map((part) => readAnswer(part, isChoice ? format : 'plain', format));
  const broken = read.find((answer) => typeof answer === 'string');
  if (broken !== undefined) return refuse(broken);
  const marked = read.filter((answer) => typeof answer !== 'string');
  if (isChoice) {
    const isSingle = parts.some((part) => part.sign === '=');
    return choiceItem(head, texts, marked, { isSingle, points: 1 });
  }
  if (marked.some(({ feedback }) => feedback)) noteFeedback(head);
  head.notes.push(...belowZeroNote(marked));
  const key = shortTextKey(marked);
  return key ? importedItem(head, texts, { ...key, points: 1 }) : refuse(wildcardText());
}

function readAnswer(
  { sign, text }: { sign: string; text: string },
  format: MoodleFormat,
  feedbackFormat: MoodleFormat,
): MoodleAnswer | string {
  const { fraction, rest } = takeWeight(text, sign === '~' ? 0 : 100);
  if (fraction === null)
    return t('import.gift.weight', 'A weight in percent is not a number from -100 to 100.');
  const [answer, feedback] = splitAt(rest, '#');
  const said = feedback.trim() === '' ? {} : { feedback: readWithFormat(feedback, feedbackFormat) };
  return { text: readWithFormat(answer, format), fraction, ...said };
}

function readNumeric(
  answers: string,
  head: ItemHead,
  texts: QuestionTexts,
  refuse: (reason: string) => ImportedItem,
): ImportedItem {
  const numbers: TypedNumber[] = [];
  const parts = splitAnswers(answers);
  if (parts.length > MOST_ANSWERS) return refuse(tooManyText());
  for (const part of parts) {
    // Moodle shows this one as * in its form: the feedback for all other answers.
    if (part.sign === '~') {
      if (splitAt(part.text, '#')[1].trim() !== '') noteFeedback(head);
      continue;
    }
    const { fraction, rest } = takeWeight(part.text, 100);
    const [value, feedback] = splitAt(rest, '#');
    if (feedback.trim() !== '') noteFeedback(head);
    const accepted = numberOf(value.trim());
    if (fraction === null || accepted === null) {
      return refuse(
        t('import.gift.notNumber', '“{text}” is not a number with a tolerance or a range.', {
          text: part.text.trim().slice(0, 60),
        }),
      );
    }
    numbers.push({ value: accepted, fraction });
  }
  head.notes.push(...belowZeroNote(numbers));
  return importedItem(head, texts, { ...numericKey(numbers), points: 1 });
}

function numberOf(text: string) {
  const range = text.split('..');
  if (range.length === 2) {
    const [min = '', max = ''] = range.map((end) => end.trim().replace(',', '.'));
    return { min, max };
  }
  const [value = '', tolerance = '0', ...more] = text.split(':');
  return more.length > 0 ? null : numberWithTolerance(value, tolerance);
}

function takeWeight(text: string, otherwise: number): { fraction: number | null; rest: string } {
  const match = /^\s*%([^%\n]{1,20})%/.exec(text);
  if (!match) return { fraction: otherwise, rest: text };
  const fraction = Number(match[1]?.trim().replace(',', '.') || Number.NaN);
  const isWeight = fraction >= -100 && fraction <= 100;
  return { fraction: isWeight ? fraction : null, rest: text.slice(match[0].length) };
}

const FORMATS: Record<string, MoodleFormat> = {
  html: 'html',
  moodle: 'auto',
  plain: 'plain',
  markdown: 'markdown',
};

function readFormat(text: string, otherwise: MoodleFormat): { format: MoodleFormat; rest: string } {
  const match = /^\s*\[(html|moodle|plain|markdown)\]/i.exec(text);
  const format = FORMATS[match?.[1]?.toLowerCase() ?? ''];
  return match && format
    ? { format, rest: text.slice(match[0].length) }
    : { format: otherwise, rest: text };
}

function readWithFormat(text: string, otherwise: MoodleFormat): ConvertedText {
  const { format, rest } = readFormat(text, otherwise);
  return read(rest, format);
}

/** Line ends of the file count as its format says, as in Moodle, and so do those written as `\n`. */
function read(text: string, format: MoodleFormat): ConvertedText {
  return readFormatted(unescapeGift(text), format, () => null);
}

function readPlain(text: string): ConvertedText {
  return read(text.trim(), 'plain');
}

function splitAt(text: string, sign: string): [string, string] {
  const at = indexOfUnescaped(text, sign);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + sign.length)];
}

function noteFeedback(head: ItemHead): void {
  const note = feedbackLostText();
  if (!head.notes.includes(note)) head.notes.push(note);
}
