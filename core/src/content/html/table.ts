import type { PhrasingContent, TableCell } from 'mdast';
import { t } from '../../texts/i18n.ts';
import { type Block, type Conversion, type Inline, inlinesOf } from './inline.ts';
import { type HtmlElement, type HtmlNode, styleOf } from './parse-html.ts';
import { trimmed } from './spacing.ts';

/** More columns or rows are no table of a question. */
const MOST_CELLS = 2_000;
const MOST_SPAN = 50;

/**
 * A table; one with a single cell is layout, and becomes what is in it.
 *
 * @param blocksIn the blocks of other nodes
 */
export function tableBlocks(
  node: HtmlElement,
  conversion: Conversion,
  blocksIn: (nodes: readonly HtmlNode[]) => Block[],
): Block[] {
  const { notes } = conversion;
  const captions = node.children.filter((c) => c.type === 'element' && c.name === 'caption');
  const rows = rowsOf(node);
  const only = rows.length === 1 ? rows[0]?.cells : undefined;
  if (only?.length === 1 && only[0]) return blocksIn(only[0].children);
  let count = 0;
  const grid = rows.map(({ cells }) =>
    cells.flatMap((cell): TableCell[] => {
      const span = Number.parseInt(cell.attributes.get('colspan') ?? '1', 10);
      const extra = span > 1 ? Math.min(span, MOST_SPAN) - 1 : 0;
      if (extra > 0 || Number(cell.attributes.get('rowspan') ?? 1) > 1)
        notes.add(t('converted.mergedCells', 'Merged cells of a table were separated.'));
      if (cell.children.some((c) => c.type === 'element' && /^(?:ul|ol|pre|table)$/.test(c.name))) {
        notes.add(
          t(
            'converted.listsInTable',
            'Lists, code or tables inside of a table became plain lines.',
          ),
        );
      }
      const children = cellContent(inlinesOf(cell.children, conversion));
      count += 1 + extra;
      const empty = Array.from(
        { length: extra },
        (): TableCell => ({ type: 'tableCell', children: [] }),
      );
      return [{ type: 'tableCell', children }, ...empty];
    }),
  );
  const width = grid.reduce((most, row) => Math.max(most, row.length), 0);
  if (width === 0) return [];
  if (count > MOST_CELLS || width * grid.length > 2 * MOST_CELLS) {
    notes.add(t('converted.largeTable', 'A table with very many cells became lines of text.'));
    return grid.map((row) => ({
      type: 'paragraph',
      children: trimmed(row.flatMap((cell) => [...cell.children, { type: 'text', value: ' ' }])),
    }));
  }
  const head = rows[0]?.isHead ? grid : [[], ...grid];
  const filled = head.map((row) => [
    ...row,
    ...Array.from(
      { length: width - row.length },
      (): TableCell => ({ type: 'tableCell', children: [] }),
    ),
  ]);
  return [
    ...blocksIn(captions.flatMap((c) => (c.type === 'element' ? c.children : []))),
    {
      type: 'table',
      align: Array.from({ length: width }, (_, i) => alignOf(rows, i)),
      children: filled.map((cells) => ({ type: 'tableRow', children: cells })),
    },
  ];
}

/** One line: a cell of Markdown has no other. */
function cellContent(inlines: readonly Inline[]): PhrasingContent[] {
  const line = inlines.map((inline): PhrasingContent => {
    if (inline.type === 'displayFormula') return { type: 'inlineMath', value: inline.value };
    return inline.type === 'break' ? { type: 'text', value: ' ' } : inline;
  });
  return trimmed(line);
}

interface Row {
  cells: HtmlElement[];
  isHead: boolean;
}

function rowsOf(node: HtmlElement, isHead = false): Row[] {
  return node.children.flatMap((child): Row[] => {
    if (child.type === 'text') return [];
    if (/^(?:tbody|thead|tfoot)$/.test(child.name)) return rowsOf(child, child.name === 'thead');
    if (child.name !== 'tr') return [];
    const cells = child.children
      .filter((c) => c.type === 'element')
      .filter((c) => c.name === 'td' || c.name === 'th');
    const isHeadRow = isHead || (cells.length > 0 && cells.every((cell) => cell.name === 'th'));
    return cells.length > 0 ? [{ cells, isHead: isHeadRow }] : [];
  });
}

function alignOf(rows: readonly Row[], column: number): 'left' | 'right' | 'center' | null {
  const cell = rows.at(-1)?.cells[column];
  const value =
    cell &&
    (styleOf(cell).get('text-align') ??
      cell.attributes.get('align') ??
      /\bqti-align-(\w+)/.exec(cell.attributes.get('class') ?? '')?.[1]);
  return value === 'left' || value === 'right' || value === 'center' ? value : null;
}
