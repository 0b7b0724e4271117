import type { ConvertedText } from '@invigil/core/content/html/html-text';
import { t } from '@invigil/core/texts/i18n';
import { atLine, type ImportedItem, type ReadFile, UnreadableFile } from './imported-file.ts';
import { decodeText } from './text/decode-text.ts';
import { type ItemHead, importedItem, notSupported } from './text/imported-item.ts';

/** `A) text`; without a space, a letter and a point begin an abbreviation rather than an option. */
const OPTION = /^([A-Z])(?:[.)]\s+|\)(?=\S))(.*)$/;
export const AIKEN_ANSWER = /^ANSWER\s*:\s*(.*)$/i;

/**
 * Reads Moodle's Aiken format: the question, options `A.` or `A)`, and `ANSWER: A`. A question ends with
 * its answer; a broken one ends at a blank line.
 */
export const readAiken: ReadFile = async ({ name, bytes, ...choices }, sink) => {
  const { text, encoding } = decodeText(bytes, choices.encoding);
  let count = 0;
  let question: string[] = [];
  let options: { letter: string; text: string }[] = [];
  let start = 0;
  const end = (answer: string | null, line: number) => {
    if (question.length + options.length > 0) {
      const head = {
        source: { file: name, line: start },
        title: '',
        tags: [],
        categoryPath: [],
        notes: [],
      };
      sink.item(itemOf(head, question.join('\n'), options, answer, line));
      count += 1;
    }
    question = [];
    options = [];
  };
  const lines = text.split('\n');
  lines.forEach((raw, i) => {
    const line = raw.trim();
    const answer = AIKEN_ANSWER.exec(line)?.[1];
    const [, letter, text = ''] = OPTION.exec(line) ?? [];
    if (question.length + options.length === 0 && line !== '') start = i + 1;
    if (answer !== undefined) end(answer.trim(), i + 1);
    else if (letter !== undefined && question.length > 0)
      options.push({ letter, text: text.trim() });
    else if (line === '') {
      // Options end a question; blank lines before them are inside of it.
      if (options.length > 0 && !followsAnswer(lines, i)) end(null, i + 1);
    } else if (options.length > 0) {
      const last = options.at(-1);
      if (last) last.text += `\n${line}`;
    } else question.push(line);
  });
  end(null, lines.length);
  if (count === 0)
    throw new UnreadableFile(
      t(/* Aiken is a format */ 'import.aiken.none', 'No questions were found in the Aiken file.'),
    );
  return { format: 'aiken', problems: [], encoding };
};

function followsAnswer(lines: readonly string[], from: number): boolean {
  const next =
    lines
      .slice(from, from + 5)
      .find((line) => line.trim() !== '')
      ?.trim() ?? '';
  return AIKEN_ANSWER.test(next) || OPTION.test(next);
}

function itemOf(
  head: ItemHead,
  question: string,
  options: { letter: string; text: string }[],
  answer: string | null,
  line: number,
): ImportedItem {
  const refuse = (sentence: string) => notSupported(head, atLine(line, sentence), question);
  if (question === '')
    return refuse(t('import.aiken.noQuestion', 'An answer without a question before it.'));
  if (answer === null)
    return refuse(
      t(
        /* ANSWER: is a word of the format */ 'import.aiken.noAnswer',
        'The line “ANSWER:” is missing.',
      ),
    );
  const order = options.findIndex(({ letter }, i) => letter !== String.fromCharCode(65 + i));
  if (order >= 0) {
    const { letter = '' } = options[order] ?? {};
    return refuse(
      t(/* {letter}: A, B, C */ 'import.aiken.order', 'Option {letter} does not follow in order.', {
        letter,
      }),
    );
  }
  const index = options.findIndex(({ letter }) => letter === answer.toUpperCase());
  if (index < 0)
    return refuse(
      t('import.aiken.noOption', '“{answer}” is not the letter of an option.', {
        answer: answer.slice(0, 40),
      }),
    );
  const plain = (text: string): ConvertedText => ({ text, format: 'plain', notes: [] });
  return importedItem(
    head,
    {
      question: plain(question),
      options: options.map(({ text }) => plain(text)),
      explanation: null,
    },
    {
      type: 'multiple_choice',
      rule: 'all_or_nothing',
      points: 1,
      options: options.map((_, i) => ({ isCorrect: i === index })),
    },
  );
}
