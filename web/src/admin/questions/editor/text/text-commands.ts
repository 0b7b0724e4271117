import { contentProblems } from '@invigil/core/content/content-problems';
import { t } from '@invigil/core/texts/i18n';

/** A replacement in a text, and what is selected after it. Positions in UTF-16 units. */
interface Edit {
  from: number;
  to: number;
  insert: string;
  select: [from: number, to: number];
}

interface Selected {
  text: string;
  from: number;
  to: number;
}

export type Command = (selected: Selected) => Edit;

const altToWrite = () =>
  t(
    /* stands in a text until an author replaces it; without brackets */ 'richText.image.toDescribe',
    'describe the picture',
  );

/** A block of its own, between blank lines. `select` is within the block, at `start`. */
function insertBlock(
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

export function insertText(insert: string, select = ''): Command {
  return ({ from, to }) => {
    const at = select === '' ? from + insert.length : from + insert.indexOf(select);
    return { from, to, insert, select: [at, at + select.length] };
  };
}

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
export const images = (hashes: readonly string[]): Command => {
  const alt = altToWrite();
  return insertText(hashes.map((hash) => `![${alt}](image:${hash})`).join('\n\n'), alt);
};

/** Applies a command in a field as if it were typed, so that the browser's undo takes it back. */
export function run(field: HTMLTextAreaElement, command: Command) {
  const edit = command({
    text: field.value,
    from: field.selectionStart,
    to: field.selectionEnd,
  });
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
}

/** The problems that must be corrected in a Markdown text, in the server's words, each sentence once. */
export function textProblems(text: string): string[] {
  const sentences = contentProblems(text).map(({ line, sentence }) =>
    t(/* what is wrong in a line of a text */ 'richText.problem', 'Line {line}: {sentence}', {
      line,
      sentence,
    }),
  );
  const words = altToWrite();
  const place = text.split('\n').findIndex((line) => line.includes(`![${words}](image:`));
  if (place >= 0) {
    sentences.push(
      t(
        'richText.problem.undescribed',
        'Line {line}: Describe the picture for people who cannot see it: replace “{words}”.',
        { line: place + 1, words },
      ),
    );
  }
  return [...new Set(sentences)];
}
