import type {
  Block,
  Break,
  Content,
  Image,
  InlineCode,
  InlineMath,
  Phrase,
  Text,
} from './content-nodes.ts';

export type Mark = 'strong' | 'emphasis';

/** Part of a line, with all that is around it: in which order marks are nested says nothing. */
export interface Run {
  of: Text | InlineCode | InlineMath | Image | Break;
  marks: readonly Mark[];
  /** the address to which it leads */
  link: string | null;
}

const MARKS: readonly Mark[] = ['strong', 'emphasis'];

/** The runs of phrases. Formulas, images and breaks have no marks, which nobody would see. */
export function runsOf(
  phrases: readonly Phrase[],
  marks: readonly Mark[] = [],
  link: string | null = null,
): Run[] {
  return phrases.flatMap((phrase): Run[] => {
    switch (phrase.type) {
      case 'strong':
      case 'emphasis': {
        const around = MARKS.filter((mark) => mark === phrase.type || marks.includes(mark));
        return runsOf(phrase.children, around, link);
      }
      case 'link':
        return runsOf(phrase.children, marks, phrase.url);
      case 'text':
      case 'inlineCode':
        return [{ of: phrase, marks, link }];
      default:
        return [{ of: phrase, marks: [], link }];
    }
  });
}

/** Phrases that show these runs, spaces at the ends of marks outside, none at those of the line: spaces alone are no phrase. */
export function phrasesOf(runs: readonly Run[]): Phrase[] {
  const phrases: Phrase[] = [];
  for (const stretch of withOneLink(settled(runs))) {
    const url = stretch[0]?.link ?? null;
    const inside = marked(stretch);
    if (url === null) phrases.push(...inside);
    else phrases.push({ type: 'link', url, children: inside });
  }
  return phrases;
}

/** Whether two trees look the same: marks nested another way and blank lines in lists are not seen. */
export function isShownTheSame(a: Content, b: Content): boolean {
  return JSON.stringify(shown(a.children)) === JSON.stringify(shown(b.children));
}

/** A paragraph of spaces is not seen. */
function shown(blocks: readonly Block[]): unknown[] {
  return blocks.map(shownBlock).filter((block) => block !== null);
}

function shownBlock(block: Block): unknown {
  switch (block.type) {
    case 'paragraph': {
      const line = shownLine(block.children);
      return line.length === 0 ? null : line;
    }
    case 'math':
      return [block.type, block.value.trim()];
    case 'blockquote':
      return [block.type, shown(block.children)];
    case 'list': {
      const start = block.ordered ? (block.start ?? 1) : null;
      return [block.type, start, block.children.map((item) => shown(item.children))];
    }
    case 'table': {
      const width = Math.max(...block.children.map(({ children }) => children.length));
      const columns = Array.from({ length: width }, (_, i) => i);
      return [
        block.type,
        columns.map((i) => block.align[i] ?? 'left'),
        block.children.map((row) => columns.map((i) => shownLine(row.children[i]?.children ?? []))),
      ];
    }
    default:
      return block;
  }
}

/** A line end in code and in TeX is a space, and TeX has none at its ends. */
function shownLine(phrases: readonly Phrase[]): Run[] {
  return settled(runsOf(phrases)).map(({ of, ...run }): Run => {
    if (of.type !== 'inlineMath' && of.type !== 'inlineCode') return { ...run, of };
    const value = of.value.replace(of.type === 'inlineMath' ? /\s*\n\s*/g : /\r\n?|\n/g, ' ');
    return { ...run, of: { ...of, value: of.type === 'inlineMath' ? value.trim() : value } };
  });
}

const isSpace = ({ of }: Run) => of.type === 'text' && of.value === ' ';

/** Runs that are seen: each space once, none at the ends of lines, with the marks of both sides; no break at the end. */
function settled(runs: readonly Run[]): Run[] {
  const pieces = runs.flatMap((run): Run[] => {
    if (run.of.type !== 'text') return [run];
    return (run.of.value.match(/[ \t\r\n]+|[^ \t\r\n]+/g) ?? []).map((piece): Run => {
      const value = /^[ \t\r\n]/.test(piece) ? ' ' : piece;
      return { ...run, of: { type: 'text', value } };
    });
  });
  const isEnd = (run: Run | undefined) =>
    run === undefined || run.of.type === 'break' || isSpace(run);
  const kept: Run[] = [];
  for (const piece of pieces) if (!isSpace(piece) || !isEnd(kept.at(-1))) kept.push(piece);
  const out: Run[] = [];
  for (const [i, run] of kept.entries()) {
    const next = kept[i + 1];
    if (isSpace(run) && (next === undefined || next.of.type === 'break')) continue;
    const before = kept[i - 1];
    const one = !isSpace(run)
      ? run
      : {
          of: run.of,
          marks: run.marks.filter(
            (mark) => before?.marks.includes(mark) && next?.marks.includes(mark),
          ),
          link: before?.link === next?.link ? run.link : null,
        };
    const last = out.at(-1);
    const joins = last?.of.type === one.of.type && hasSame(last, one) ? last.of : undefined;
    if (joins?.type === 'text' || joins?.type === 'inlineCode') {
      const value = joins.value + ('value' in one.of ? one.of.value : '');
      out[out.length - 1] = { ...one, of: { ...joins, value } };
    } else {
      // Two formulas that touch would be one.
      if (joins?.type === 'inlineMath') out.push({ ...one, of: { type: 'text', value: ' ' } });
      out.push(one);
    }
  }
  return out.slice(0, out.findLastIndex(({ of }) => of.type !== 'break') + 1);
}

const hasSame = (a: Run, b: Run) => a.link === b.link && a.marks.join() === b.marks.join();

function withOneLink(runs: readonly Run[]): Run[][] {
  const found: Run[][] = [];
  for (const run of runs) {
    const last = found.at(-1);
    if (last !== undefined && last[0]?.link === run.link) last.push(run);
    else found.push([run]);
  }
  return found;
}

/** The marks of runs as phrases around them; the mark that goes further is outside. */
function marked(runs: readonly Run[]): Phrase[] {
  const phrases: Phrase[] = [];
  for (let i = 0; i < runs.length; ) {
    const run = runs[i];
    if (run === undefined) break;
    const lengthOf = (mark: Mark) => {
      const end = runs.findIndex((other, at) => at >= i && !other.marks.includes(mark));
      return (end < 0 ? runs.length : end) - i;
    };
    const [type] = [...run.marks].sort((a, b) => lengthOf(b) - lengthOf(a));
    if (type === undefined) {
      phrases.push(run.of);
      i += 1;
      continue;
    }
    const inside = runs.slice(i, i + lengthOf(type));
    i += inside.length;
    const rest = inside.map((one) => ({
      ...one,
      marks: one.marks.filter((mark) => mark !== type),
    }));
    phrases.push({ type, children: marked(rest) });
  }
  return phrases;
}
