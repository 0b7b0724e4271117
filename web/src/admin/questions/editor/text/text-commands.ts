import { contentProblems } from '@invigil/core/content/content-problems';

/** A replacement in a text, and what is selected after it. Positions in UTF-16 units. */
export interface Edit {
  from: number;
  to: number;
  insert: string;
  select: [from: number, to: number];
}

export interface Selected {
  text: string;
  from: number;
  to: number;
}

export type Command = (selected: Selected) => Edit;

const ALT_TO_WRITE = 'describe the picture';

function wrap(mark: string, placeholder: string): Command {
  return ({ text, from, to }) => {
    const n = mark.length;
    const inner = text.slice(from, to);
    if (text.slice(from - n, from) === mark && text.slice(to, to + n) === mark && inner !== '') {
      const start = from - n;
      return { from: start, to: to + n, insert: inner, select: [start, start + inner.length] };
    }
    const shown = inner === '' ? placeholder : inner;
    return {
      from,
      to,
      insert: `${mark}${shown}${mark}`,
      select: [from + n, from + n + shown.length],
    };
  };
}

/** Begins each line of the selection with a mark, or takes the marks away. */
function prefixLines(markOf: (index: number) => string, pattern: RegExp): Command {
  return ({ text, from, to }) => {
    const start = text.lastIndexOf('\n', from - 1) + 1;
    const lines = text.slice(start, to).split('\n');
    const isMarked = lines.every((line) => pattern.test(line));
    const changed = lines.map((line, i) =>
      isMarked ? line.replace(pattern, '') : `${markOf(i)}${line}`,
    );
    const insert = changed.join('\n');
    const end = start + insert.length;
    return { from: start, to, insert, select: from === to ? [end, end] : [start, end] };
  };
}

/** A block of its own, between blank lines. `select` is within the block, at `start`. */
export function insertBlock(
  block: string,
  select: string,
  start = Math.max(0, block.indexOf(select)),
): Command {
  return ({ text, from, to }) => {
    const before = text.slice(0, from);
    const lead =
      before === '' || before.endsWith('\n\n') ? '' : before.endsWith('\n') ? '\n' : '\n\n';
    const after = text.slice(to);
    const tail =
      after === '' || after.startsWith('\n\n') ? '' : after.startsWith('\n') ? '\n' : '\n\n';
    const at = from + lead.length + start;
    return {
      from,
      to,
      insert: `${lead}${block}${tail}`,
      select: [at, at + select.length],
    };
  };
}

/**
 * The selected lines as code, or a word to be replaced: without its line end, which the fence needs. No
 * language is guessed.
 */
const codeBlock: Command = (selected) => {
  const inner = selected.text.slice(selected.from, selected.to).replace(/^\n+|\n+$/g, '');
  const code = inner === '' ? 'code' : inner;
  const longest = Math.max(2, ...(code.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  const start = `${fence}\n`;
  return insertBlock(`${start}${code}\n${fence}`, code, start.length)(selected);
};

/** Inserts a table behind the selection, which stays. */
const table: Command = ({ text, to }) =>
  insertBlock(
    '| Column | Column |\n| --- | --- |\n| cell | cell |',
    'Column',
  )({
    text,
    from: to,
    to,
  });

export function insertText(insert: string, select = ''): Command {
  return ({ from, to }) => {
    const at = select === '' ? from + insert.length : from + insert.indexOf(select);
    return { from, to, insert, select: [at, at + select.length] };
  };
}

/** A link on the selection: an address becomes the target, anything else the text. */
const link: Command = ({ text, from, to }) => {
  const inner = text.slice(from, to);
  if (/^https?:\/\/\S+$/.test(inner)) {
    return { from, to, insert: `[text](${inner})`, select: [from + 1, from + 5] };
  }
  const shown = inner === '' ? 'text' : inner;
  const at = from + shown.length + 3;
  return { from, to, insert: `[${shown}](https://)`, select: [at, at + 8] };
};

export const COMMANDS = {
  bold: wrap('**', 'bold text'),
  italic: wrap('*', 'italic text'),
  code: wrap('`', 'code'),
  formula: wrap('$', 'x^2'),
  link,
  bullets: prefixLines(() => '- ', /^- /),
  numbers: prefixLines((i) => `${i + 1}. `, /^\d+\. /),
  table,
  codeBlock,
} satisfies Record<string, Command>;

interface Place {
  from: number;
  to: number;
}

/** Dollars that are no formula's. */
export const formulaAsText =
  ({ from, to }: Place): Command =>
  ({ text }) => {
    const insert = text
      .slice(from, to)
      .replace(/^\$+|\$+$/g, (dollars) => '\\$'.repeat(dollars.length));
    return { from, to, insert, select: [from + insert.length, from + insert.length] };
  };

/** Matches the rest of a command or an address around a formula: `$PATH:$` of `$PATH:$HOME/bin`. */
const CODE_BEFORE = /[\w$(){}[\]/\\:=.^|+*-]*$/;
const CODE_AFTER = /^[\w$(){}[\]/\\:=.^|+*-]*/;

/** The whole word around a formula as code; a block of its own, where the formula has one. */
export const formulaAsCode =
  ({ from, to }: Place): Command =>
  ({ text }) => {
    const source = text.slice(from, to);
    if (source.includes('\n')) {
      const code = source.replace(/^\$+\n?|\n?\$+$/g, '');
      return insertBlock(`\`\`\`\n${code}\n\`\`\``, '')({ text, from, to });
    }
    const before = CODE_BEFORE.exec(text.slice(0, from))?.[0] ?? '';
    // A point or colon behind a word ends the sentence.
    const after = CODE_AFTER.exec(text.slice(to))?.[0].replace(/[.:]+$/, '') ?? '';
    const insert = `\`${before}${source}${after}\``;
    const start = from - before.length;
    return {
      from: start,
      to: to + after.length,
      insert,
      select: [start + insert.length, start + insert.length],
    };
  };

/** Images below one another; the description of the first is selected to be written. */
export const images = (hashes: readonly string[]): Command =>
  insertText(hashes.map((hash) => `![${ALT_TO_WRITE}](image:${hash})`).join('\n\n'), ALT_TO_WRITE);

/** Enter in a list begins its next item; in an empty item it ends the list. */
export function continueList({ text, from, to }: Selected): Edit | null {
  const start = text.lastIndexOf('\n', from - 1) + 1;
  const item = /^(\s*)(?:([-*])|(\d+)\.) (.*)$/.exec(text.slice(start, from));
  if (item === null || from !== to) return null;
  const [, indent = '', bullet, number = '0', content] = item;
  if (content === '') return { from: start, to, insert: '', select: [start, start] };
  const insert = `\n${indent}${bullet ?? `${Number(number) + 1}.`} `;
  return { from, to, insert, select: [from + insert.length, from + insert.length] };
}

/** Applies a command in a field as if it were typed, so that the browser's undo takes it back. */
export function run(field: HTMLTextAreaElement, command: (selected: Selected) => Edit | null) {
  const edit = command({
    text: field.value,
    from: field.selectionStart,
    to: field.selectionEnd,
  });
  if (edit === null) return false;
  field.focus();
  field.setSelectionRange(edit.from, edit.to);
  const done =
    edit.insert === ''
      ? document.execCommand('delete')
      : document.execCommand('insertText', false, edit.insert);
  if (!done) {
    field.setRangeText(edit.insert, edit.from, edit.to, 'end');
    field.dispatchEvent(new InputEvent('input', { bubbles: true }));
  }
  field.setSelectionRange(...edit.select);
  return true;
}

/** The problems that must be corrected in a Markdown text, in the server's words, each sentence once. */
export function textProblems(text: string): string[] {
  const sentences = contentProblems(text).map(({ line, sentence }) => `Line ${line}: ${sentence}`);
  const place = text.split('\n').findIndex((line) => line.includes(`![${ALT_TO_WRITE}](image:`));
  if (place >= 0) {
    sentences.push(
      `Line ${place + 1}: Describe the picture for people who cannot see it: replace “${ALT_TO_WRITE}”.`,
    );
  }
  return [...new Set(sentences)];
}
