import type { Block } from '@invigil/core/content/content-nodes';
import { parseContent } from '@invigil/core/content/parse-content';
import { phrasesOf, type Run, runsOf } from '@invigil/core/content/runs';
import { writeContent } from '@invigil/core/content/write-content';
import { QUESTION_LIMITS } from '@invigil/core/domain/limits';
import { linesOf, withoutStart } from './pasted-options.ts';

/** A question as documents have it: a text, and the answers to select from. Texts are Markdown. */
export interface PastedQuestion {
  question: string;
  options: { text: string; isCorrect: boolean }[];
  /** How the right options are marked; null: none is. */
  markedBy: 'line' | 'sign' | 'look' | null;
  /** The number that the question had, which is not in its text. */
  number: string | null;
}

type Piece = { line: Run[]; joint: Run | null } | { block: Block };

/** An answer before its label and marks are taken off; other blocks than one line have neither. */
interface Answer {
  pieces: Piece[];
  label: Label | null;
}
interface Label {
  kind: 'upper' | 'lower' | 'number' | 'bullet';
  /** from 0; of a bullet its sign */
  at: number | string;
  sign: 'right' | 'wrong' | null;
  /** The characters of the line before its text. */
  length: number;
}

const RIGHT_SIGN = /^(?:\*(?!\s)|[✓✔✅☑☒]|\[[xX]\]|\([xX]\)(?=\s))\s*/u;
const WRONG_SIGN = /^(?:[☐□]|\[ ?\]|\( ?\))\s*/u;
const LETTER = /^\(?([A-Za-z]|\d{1,2})(?:[.)](?:\s+|$)|\)(?=\S))/;
const BULLET = /^([-•–—◦○●▪·*])\s+/u;
const RIGHT_END = /\s*(?:\*|[✓✔✅☑]|[([]\s*(?:correct|(?:correct|right) answer)\s*[)\]])\s*$/iu;
const KEY_LINE =
  /^(?:(?:the\s+)?(?:correct|right)\s+)?(?:answers?|ans\.?|key|solution|correct)\s*(?::|=|\bis\b|\bare\b)\s*(.+?)\.?$/i;
const NUMBER = /^(?:(?:question|q)\.?\s*)?\d{1,3}\s*[.):]\s+/i;

/**
 * Reads one whole question. Returns null where it is not clear what is what: without answers that are a list or
 * have labels in order, with several questions, or where marks of the right answer disagree.
 *
 * @param marked the same text, in which all that is underlined, colored or highlighted is bold
 */
export function questionIn(text: string, marked: string, isSource: boolean): PastedQuestion | null {
  const found = splitQuestion(text, isSource);
  if (found === null) return null;
  const { stem, answers, key } = found;
  const options = answers.map(readAnswer);
  if (options.some(({ pieces }) => pieces.length === 0)) return null;
  const named = key === null ? null : indexesIn(key, options);
  if (key !== null && named === null) return null;
  const marks = {
    line: named ?? [],
    sign: someOf(options.map(({ isRight }) => isRight)),
    look: looksIn(options, marked, isSource),
  };
  const given = (['line', 'sign', 'look'] as const).filter((by) => marks[by].length > 0);
  const markedBy = given[0] ?? null;
  const right = markedBy === null ? [] : marks[markedBy];
  if (given.some((by) => marks[by].join() !== right.join())) return null;
  const { stem: blocks, number } = withoutNumber(stem);
  const question = textOf(blocks);
  if (question === '') return null;
  return {
    question,
    options: options.map(({ pieces }, i) => ({
      // A look that only the right one has would tell candidates.
      text: textOf(marks.look.includes(i) ? pieces.map(withoutStrong) : pieces),
      isCorrect: right.includes(i),
    })),
    markedBy,
    number,
  };
}

/** The options that look another way than the others: bold ones, or else those that are highlighted. */
function looksIn(
  options: readonly { pieces: readonly Piece[] }[],
  marked: string,
  isSource: boolean,
): number[] {
  const bold = someOf(options.map(isStrong));
  const looks = splitQuestion(marked, isSource)?.answers.map(readAnswer) ?? [];
  return bold.length > 0 || looks.length !== options.length ? bold : someOf(looks.map(isStrong));
}

/** The indexes of those that are true; none where all are, which says nothing of one of them. */
function someOf(flags: readonly boolean[]): number[] {
  const found = flags.flatMap((flag, i) => (flag ? [i] : []));
  return found.length < flags.length ? found : [];
}

function splitQuestion(text: string, isSource: boolean) {
  const pieces = unwrapped(parseContent(text).children).flatMap((block): Piece[] =>
    block.type === 'paragraph' ? linesOf(block, isSource) : [{ block }],
  );
  const last = pieces.at(-1);
  const key = last !== undefined && 'line' in last ? keyIn(last.line) : null;
  const rest = key === null ? pieces : pieces.slice(0, -1);
  const answers = listedAnswers(rest) ?? labelledAnswers(rest);
  if (answers === null) return null;
  const { length } = answers;
  if (length < 2 || length > QUESTION_LIMITS.richOptionsMax) return null;
  const stem = rest.slice(0, answers.from);
  return stem.length === 0 || isOfSeveral(stem, answers) ? null : { stem, answers, key };
}

/** Whether what is before the answers has answers of its own, and so is of other questions, too. */
function isOfSeveral(stem: readonly Piece[], answers: Answers): boolean {
  const answer = answers[0]?.label ?? null;
  return stem.some((piece, i) => {
    if ('line' in piece) {
      const label = labelOf(piece.line);
      const isSame = answer !== null && label?.kind === answer.kind && label.at === answer.at;
      return keyIn(piece.line) !== null || (isSame && label.kind !== 'number');
    }
    const { block } = piece;
    const before = stem[i - 1];
    if (block.type !== 'list' || before === undefined) return false;
    const isAsked = answers.isList && 'line' in before && wordsOf(before.line).trim().endsWith('?');
    return isAsked || (block.ordered && block.children.length === 1);
  });
}

/** A numbered question, around which documents have a list with one item. */
function unwrapped([first, ...others]: readonly Block[]): readonly Block[] {
  if (first?.type !== 'list') return first === undefined ? [] : [first, ...others];
  const [item, ...more] = first.children;
  return first.ordered && item !== undefined && more.length === 0
    ? [...item.children, ...others]
    : [first, ...others];
}

/** The answers, and with which piece they begin. */
type Answers = Answer[] & { from: number; isList: boolean };
const from = (answers: Answer[], at: number, isList = false): Answers =>
  Object.assign(answers, { from: at, isList });

function listedAnswers(pieces: readonly Piece[]): Answers | null {
  const list = pieces.at(-1);
  if (list === undefined || !('block' in list) || list.block.type !== 'list') return null;
  const items = list.block.children.map(({ children }) =>
    children.flatMap((block): Piece[] =>
      block.type === 'paragraph' ? linesOf(block, false) : [{ block }],
    ),
  );
  const isNested = items.some((item) =>
    item.some((piece) => 'block' in piece && piece.block.type === 'list'),
  );
  if (isNested) return null;
  const labels = items.map(([first]) =>
    first !== undefined && 'line' in first ? labelOf(first.line) : null,
  );
  const hasLabels = labels.every((label, i) => label?.at === i && label.kind === labels[0]?.kind);
  const answers = items.map((item, i) => ({
    pieces: item,
    label: hasLabels ? (labels[i] ?? null) : null,
  }));
  return from(answers, pieces.length - 1, true);
}

/** The last lines, which have letters or numbers in order, or the same bullets. */
function labelledAnswers(pieces: readonly Piece[]): Answers | null {
  const answers: Answer[] = [];
  let end = pieces.length;
  let after: Label | null = null;
  for (let i = pieces.length - 1; i >= 0; i -= 1) {
    const piece = pieces[i];
    if (piece === undefined || !('line' in piece)) return null;
    const label = labelOf(piece.line);
    const isNext: boolean =
      label !== null &&
      (after === null ||
        (label.kind === after.kind &&
          (typeof after.at === 'number' ? label.at === after.at - 1 : label.at === after.at)));
    if (label !== null && isNext) {
      answers.unshift({ pieces: pieces.slice(i, end), label });
      end = i;
      after = label;
      if (label.at === 0) return from(answers, i);
    } else if (after?.kind === 'bullet') return from(answers, end);
    // A line that goes on; behind the last answer it may be anything.
    else if (after === null || piece.joint === null) return null;
  }
  return after?.kind === 'bullet' ? from(answers, end) : null;
}

const wordsOf = (line: readonly Run[]) =>
  line.map(({ of }) => ('value' in of ? of.value : '')).join('');

function keyIn(line: readonly Run[]): string | null {
  return KEY_LINE.exec(wordsOf(line).trim())?.[1] ?? null;
}

function labelOf(line: readonly Run[]): Label | null {
  const [first] = line;
  if (first?.of.type !== 'text') return null;
  const words = wordsOf(line);
  const start = /^\s*/.exec(words)?.[0].length ?? 0;
  const before = signIn(words.slice(start));
  const rest = words.slice(start + before.length);
  const [label = '', letter] = LETTER.exec(rest) ?? BULLET.exec(rest) ?? [];
  const isBare = letter === undefined;
  if (isBare && before.sign === null) return null;
  const behind = signIn(rest.slice(label.length));
  const sign = before.sign ?? behind.sign;
  const length = start + before.length + label.length + behind.length;
  if (isBare || BULLET.test(label)) {
    // Boxes are bullets, whether they are checked or not.
    return { kind: 'bullet', at: letter ?? 'box', sign, length };
  }
  const kind = /\d/.test(letter) ? 'number' : letter < 'a' ? 'upper' : 'lower';
  const at = kind === 'number' ? Number(letter) - 1 : letter.toLowerCase().charCodeAt(0) - 97;
  return { kind, at, sign, length };
}

function signIn(words: string): { sign: Label['sign']; length: number } {
  const right = RIGHT_SIGN.exec(words)?.[0].length;
  if (right !== undefined) return { sign: 'right', length: right };
  const wrong = WRONG_SIGN.exec(words)?.[0].length;
  return wrong === undefined ? { sign: null, length: 0 } : { sign: 'wrong', length: wrong };
}

/** An answer without its label and the signs at its ends. */
function readAnswer({ pieces, label }: Answer): { pieces: Piece[]; isRight: boolean } {
  const [first, ...others] = pieces;
  if (first === undefined || !('line' in first)) return { pieces, isRight: false };
  const sign = label === null ? signIn(wordsOf(first.line)) : label;
  const start = withoutStart(first.line, sign.length);
  const lines: Piece[] = [{ ...first, line: start }, ...others];
  const last = lines.at(-1);
  const end = last !== undefined && 'line' in last ? withoutEnd(last.line) : null;
  if (end !== null && last !== undefined) lines[lines.length - 1] = { ...last, line: end } as Piece;
  const isEmpty = textOf(lines) === '';
  return { pieces: isEmpty ? [] : lines, isRight: sign.sign === 'right' || end !== null };
}

/** A line without the sign of a right answer at its end; null: it has none. */
function withoutEnd(line: readonly Run[]): Run[] | null {
  const at = line.findLastIndex(({ of }) => of.type !== 'text' || of.value.trim() !== '');
  const last = line[at];
  if (last?.of.type !== 'text' || !RIGHT_END.test(last.of.value)) return null;
  const of = { ...last.of, value: last.of.value.replace(RIGHT_END, '') };
  return [...line.slice(0, at), { ...last, of }];
}

/** Whether all words of an answer are bold. */
function isStrong({ pieces }: { pieces: readonly Piece[] }): boolean {
  const words = pieces
    .flatMap((piece) => ('line' in piece ? piece.line : []))
    .filter(({ of }) => (of.type === 'text' && of.value.trim() !== '') || of.type === 'inlineCode');
  return words.length > 0 && words.every(({ marks }) => marks.includes('strong'));
}

function withoutStrong(piece: Piece): Piece {
  if (!('line' in piece)) return piece;
  const line = piece.line.map((run) => ({
    ...run,
    marks: run.marks.filter((mark) => mark !== 'strong'),
  }));
  return { ...piece, line };
}

function withoutNumber(stem: readonly Piece[]): { stem: readonly Piece[]; number: string | null } {
  const [first, ...others] = stem;
  const number =
    first !== undefined && 'line' in first ? NUMBER.exec(wordsOf(first.line))?.[0] : undefined;
  if (number === undefined || first === undefined || !('line' in first)) {
    return { stem, number: null };
  }
  const line = withoutStart(first.line, number.length);
  return { stem: [{ ...first, line }, ...others], number: number.trim() };
}

/** The options that a line names, by letter, number or text; null: one of them is not there. */
function indexesIn(key: string, options: readonly { pieces: Piece[] }[]): number[] | null {
  const words = options.map(({ pieces }) => plain(wordsOf(runsIn(pieces))));
  const whole = indexNamed(key, words);
  if (whole !== null) return [whole];
  const parts = key.split(/\s*(?:[,;&+/]|\band\b)\s*/i).filter((part) => part !== '');
  const found = parts.map((part) => indexNamed(part, words));
  if (found.length === 0 || found.includes(null)) return null;
  return [...new Set(found.filter((index) => index !== null))].sort((a, b) => a - b);
}

const plain = (words: string) => words.replace(/\s+/g, ' ').trim().toLowerCase();

function indexNamed(part: string, words: readonly string[]): number | null {
  const same = words.indexOf(plain(part));
  if (same >= 0) return same;
  const [, letter = '', rest = ''] = /^\(?([A-Za-z]|\d{1,2})(?:[.):]+\s*(.*))?$/.exec(part) ?? [];
  if (letter === '') return null;
  const index = /\d/.test(letter) ? Number(letter) - 1 : letter.toLowerCase().charCodeAt(0) - 97;
  const isThere = index >= 0 && index < words.length;
  return isThere && (rest === '' || words[index] === plain(rest)) ? index : null;
}

const runsIn = (pieces: readonly Piece[]) =>
  pieces.flatMap((piece) =>
    'line' in piece
      ? [...(piece.joint === null ? [] : [piece.joint]), ...piece.line]
      : 'children' in piece.block && piece.block.type === 'paragraph'
        ? runsOf(piece.block.children)
        : [],
  );

/** The Markdown of lines and blocks; lines that belong together are one paragraph again. */
function textOf(pieces: readonly Piece[]): string {
  const children: Block[] = [];
  let paragraph: Run[] = [];
  const end = () => {
    const phrases = phrasesOf(paragraph);
    if (phrases.length > 0) children.push({ type: 'paragraph', children: phrases });
    paragraph = [];
  };
  for (const piece of pieces) {
    if ('block' in piece) {
      end();
      children.push(piece.block);
    } else {
      if (piece.joint === null || paragraph.length === 0) end();
      else paragraph.push(piece.joint);
      paragraph.push(...piece.line);
    }
  }
  end();
  return writeContent({ type: 'root', children });
}
