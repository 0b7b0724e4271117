import type { List, Literal, Nodes, Parents, Root, Text } from 'mdast';
import { gfmTableToMarkdown } from 'mdast-util-gfm-table';
import { type Handle, type Options, toMarkdown } from 'mdast-util-to-markdown';
import type { Content } from './content-nodes.ts';
import { isTextInDollars } from './dollars.ts';
import { parseContent } from './parse-content.ts';

interface MathNode<Type extends string> extends Literal {
  type: Type;
}

/** Formulas are nodes of mdast like others, as in mdast-util-math. */
declare module 'mdast' {
  interface PhrasingContentMap {
    inlineMath: MathNode<'inlineMath'>;
  }
  interface BlockContentMap {
    math: MathNode<'math'>;
  }
  interface RootContentMap {
    inlineMath: MathNode<'inlineMath'>;
    math: MathNode<'math'>;
  }
}

/**
 * A tree of the closed list as Markdown: `parseContent` reads the same tree from it. What no text gives
 * (a formula with a dollar of its own, a break at the end of a paragraph) is written as what looks the same.
 */
export function writeContent(content: Content): string {
  return writeMarkdown(content as Root);
}

/** Writes a tree of mdast in the syntax of math-syntax.ts and the spelling of this house. */
export function writeMarkdown(root: Root): string {
  return withoutReferences(toMarkdown(root, STYLE).trimEnd());
}

/** A character beside a formula that would make text of it, as a character reference. */
function reference(character: string): string {
  return `&#x${character.codePointAt(0)?.toString(16).toUpperCase()};`;
}

const textOf = (node: Nodes | undefined) => (node?.type === 'text' ? node.value : '');

/** Whether what touches the formula at a place would make text of it. */
function isTouched(siblings: readonly Nodes[], at: number): boolean {
  const formula = siblings[at];
  if (formula?.type !== 'inlineMath') return false;
  const after = textOf(siblings[at + 1]);
  return (
    /^\d/.test(after) ||
    isTextInDollars(formula.value, textOf(siblings[at - 1]).slice(-1), after.slice(0, 2))
  );
}

/** Places where a line begins with the mark of a list, which is left as it is before another one. */
const MARKER_ALONE = /(?<=\n)(?=[-+](?:\s|$))/g;
const BESIDE_HALF = /(?<=[\ud800-\udfff]_*)(?<!\\)_|(?<!\\)_(?=_*[\ud800-\udfff])/g;

const text: Handle = (node: Text, parent: Parents | undefined, state, info) => {
  const siblings: readonly Nodes[] = parent?.children ?? [];
  const at = siblings.indexOf(node);
  const characters = [...node.value];
  // Emphasis beside them is read by whole characters, but written by halves of them.
  const isEmphasized = parent?.type === 'emphasis' || parent?.type === 'strong';
  const isAstral = (character = '') => isEmphasized && character.length > 1;
  const isBehind =
    (/^[\p{L}\p{N}|]/u.test(node.value) && isTouched(siblings, at - 1)) ||
    (at === 0 && isAstral(characters[0]));
  const isBefore =
    (/[\p{L}\p{N}]$/u.test(node.value) && isTouched(siblings, at + 1)) ||
    (at === siblings.length - 1 && isAstral(characters.at(-1)));
  const first = isBehind ? characters.shift() : undefined;
  const last = isBefore ? characters.pop() : undefined;
  const between = {
    before: first === undefined ? info.before : ';',
    after: last === undefined ? info.after : '&',
  };
  return [
    first === undefined ? '' : reference(first),
    // Between letters it is left as it is, but the reader takes emoji for signs.
    state
      .safe(characters.join(''), { ...info, ...between })
      .replace(BESIDE_HALF, '\\_')
      .replace(MARKER_ALONE, '\\'),
    last === undefined ? '' : reference(last),
  ].join('');
};

/** A line that would begin a block inside of a formula in a text. */
const BLOCK_BEGINS =
  /\s*\n(?=\s|#{1,6}(?:\s|$)|>|[-+*](?:\s|$)|\d{1,9}[.)](?:\s|$)|`{3}|~{3}|\$\$|(?:[-*_]\s*){3})/g;

/** Escaped signs, which stay; dollars and bars; a backslash that would escape the closing dollar. */
const LOOSE = /\\(?:[^\n]|$)|[$|]/g;

const inlineMath: Handle = (node: MathNode<'inlineMath'>, parent: Parents | undefined, state) => {
  // A cell ends at a bar. TeX has a name for it.
  const bar = state.stack.includes('tableCell') ? '\\vert ' : '|';
  const inner = node.value.trim();
  const with$ = (dollar: string) =>
    inner
      .replace(BLOCK_BEGINS, ' ')
      .replace(LOOSE, (sign) => ({ $: dollar, '\\': '\\ ', '|': bar })[sign] ?? sign);
  const tex = with$('\\$');
  // A text in it has a formula of its own, which two dollars can hold.
  const nested = with$('$');
  const isNested = nested !== tex && !nested.includes('$$');
  // Two formulas that touch would be one.
  const siblings: readonly Nodes[] = parent?.children ?? [];
  const space = siblings[siblings.indexOf(node) - 1]?.type === 'inlineMath' ? ' ' : '';
  const isText = tex === '' || isTextInDollars(tex, '', '');
  // Two dollars in a paragraph are a formula on its own line.
  if (
    parent?.type === 'paragraph' ||
    tex === '' ||
    (!isText && !isNested && inner === node.value)
  ) {
    return `${space}$${isText ? `{${tex}}` : tex}$`;
  }
  return `${space}$$${node.value.replace(inner, () => (isNested ? nested : tex))}$$`;
};

const display = ({ value }: { value: string }) =>
  ['$$', ...value.split('\n').filter((line) => !/^(?:\s*\$\$\s*)?$/.test(line)), '$$'].join('\n');

/** Dashes in a list could be those of an item. */
const thematicBreak: Handle = (_, parent: Parents | undefined) =>
  parent?.type === 'listItem' ? '___' : '---';

/** Whether a list would belong to the paragraph above it: it begins with an empty item, or is not numbered from 1. */
function isTakenForText({ ordered, start, children: [item] }: List): boolean {
  const first = item?.children[0];
  return (
    first === undefined ||
    (ordered === true && start !== 1) ||
    (first.type === 'list' && isTakenForText(first))
  );
}

/** Every dollar of a text is escaped. */
const STYLE: Options = {
  bullet: '-',
  emphasis: '*',
  fences: true,
  listItemIndent: 'one',
  resourceLink: true,
  rule: '_',
  unsafe: [
    { character: '$', inConstruct: 'phrasing' },
    // An address of mail, whatever it begins with.
    { character: '<', after: '[^\\s<>]+@', inConstruct: 'phrasing' },
  ],
  handlers: { text, inlineMath, math: display, thematicBreak } as NonNullable<Options['handlers']>,
  join: [
    // The lines of a table would belong to the paragraph at the end of a quote or list.
    ({ type }, right) =>
      right.type === 'table' && /^(?:blockquote|list)$/.test(type) ? 1 : undefined,
    ({ type }, right) =>
      type === 'paragraph' && right.type === 'list' && isTakenForText(right) ? 1 : undefined,
  ],
  extensions: [gfmTableToMarkdown({ tablePipeAlign: false })],
};

/** Letters of scripts without spaces between words, and what takes two halves, as emoji do. */
const REFERENCE = /&#x(?:3[0-9A-F]{3}|[4-9A-D][0-9A-F]{3}|F[9A][0-9A-F]{2}|[12][0-9A-F]{4});/g;

/**
 * CommonMark needs references beside emphasis where words have no spaces; our reader does not. They stay
 * where a text would be read otherwise without them.
 */
function withoutReferences(written: string): string {
  const plain = written.replace(REFERENCE, (reference) =>
    String.fromCodePoint(Number.parseInt(reference.slice(3, -1), 16)),
  );
  if (plain === written) return written;
  const isSame = JSON.stringify(parseContent(plain)) === JSON.stringify(parseContent(written));
  return isSame ? plain : written;
}
