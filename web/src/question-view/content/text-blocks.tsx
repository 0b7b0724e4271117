import type {
  Block,
  Code as CodeNode,
  Phrase,
  Table as TableNode,
} from '@invigil/core/content/content-nodes';
import { t } from '@invigil/core/texts/i18n';
import type { ReactNode } from 'react';
import { useScrollEdges } from '../../ui/use-scroll-edges.ts';
import { InlineImage, imageSize, pictureOf, ZoomableImage } from './figure.tsx';
import { Formula } from './formula.tsx';

/** `none`: inside a control, so neither links nor buttons. */
export type Links = 'shown' | 'open' | 'none';

const CODE = 'rounded-sm bg-fill px-1 font-mono text-[0.9em] wrap-anywhere text-ink';

export function Phrases({ of: phrases, links }: { of: readonly Phrase[]; links: Links }) {
  return phrases.map((phrase, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the text is fixed, its parts never move
    <PhraseOf key={index} phrase={phrase} links={links} />
  ));
}

function PhraseOf({ phrase, links }: { phrase: Phrase; links: Links }) {
  switch (phrase.type) {
    case 'text':
      return phrase.value;
    case 'break':
      return <br />;
    case 'emphasis':
      return (
        <em>
          <Phrases of={phrase.children} links={links} />
        </em>
      );
    case 'strong':
      return (
        <strong className="font-semibold">
          <Phrases of={phrase.children} links={links} />
        </strong>
      );
    case 'inlineCode':
      return <code className={CODE}>{phrase.value}</code>;
    case 'inlineMath':
      return <Formula tex={phrase.value} display={false} />;
    case 'link':
      return <LinkOf link={phrase} links={links} />;
    case 'image': {
      const picture = pictureOf(phrase);
      const className = imageSize(picture.width, false);
      return (
        <>
          {links === 'none' ? (
            <InlineImage {...picture} className={className} />
          ) : (
            <ZoomableImage {...picture} className={className} />
          )}
          {phrase.title !== null && (
            <span className="block text-sm text-ink-2">{phrase.title}</span>
          )}
        </>
      );
    }
  }
}

function LinkOf({ link, links }: { link: Phrase & { type: 'link' }; links: Links }) {
  const label = <Phrases of={link.children} links="none" />;
  if (links === 'open') {
    return (
      <a href={link.url} target="_blank" rel="noreferrer" className="text-accent-ink underline">
        {label}
      </a>
    );
  }
  const [only] = link.children;
  const isAddress =
    link.children.length === 1 && only?.type === 'text' && link.url.endsWith(only.value);
  return (
    <>
      {label}
      {!isAddress && <span className="text-ink-2">{` (${link.url})`}</span>}
    </>
  );
}

/**
 * Blocks inside a button or a label, where only phrasing content may be: each is a line of its own.
 * Nothing in them can be operated, so a link is its text and its address.
 */
export function InlineBlocks({ blocks }: { blocks: readonly Block[] }) {
  return blocks.map((block, index) => (
    <span
      // biome-ignore lint/suspicious/noArrayIndexKey: the text is fixed, its blocks never move
      key={index}
      className="mt-1.5 block whitespace-normal first:mt-0"
    >
      <InlineBlock block={block} />
    </span>
  ));
}

function InlineBlock({ block }: { block: Block }) {
  switch (block.type) {
    case 'paragraph':
      return <Phrases of={block.children} links="none" />;
    case 'math':
      return (
        <Wide>
          <Formula tex={block.value} display />
        </Wide>
      );
    case 'code':
      return <code className={`block py-1 whitespace-pre-wrap ${CODE}`}>{block.value}</code>;
    case 'thematicBreak':
      return <span className="block border-t border-line-2" />;
    case 'blockquote':
      return (
        <span className="block border-s-3 border-line-2 ps-3">
          <InlineBlocks blocks={block.children} />
        </span>
      );
    case 'list':
      return block.children.map((item, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the text is fixed, its items never move
        <span key={index} className="flex gap-2">
          <span>{block.ordered ? `${(block.start ?? 1) + index}.` : '•'}</span>
          <span className="min-w-0">
            <InlineBlocks blocks={item.children} />
          </span>
        </span>
      ));
    case 'table':
      return (
        <Wide columns={columnsOf(block)}>
          <span className="table wrap-normal">
            {block.children.map((row, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the text is fixed, its rows never move
              <span key={index} className="table-row">
                {row.children.map((cell, column) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: as above
                  <span key={column} className="table-cell pe-4 pb-1">
                    <Phrases of={cell.children} links="none" />{' '}
                  </span>
                ))}
              </span>
            ))}
          </span>
        </Wide>
      );
  }
}

/**
 * Content that may be wider than its place: it scrolls sideways by itself, and where part of it is hidden a
 * shadow and a sentence say so.
 *
 * @param name by which it is reached with the keyboard; absent inside a control, where nothing can be
 */
export function Wide({
  name,
  columns,
  className = '',
  children,
}: {
  name?: string;
  /** How many a table has. */
  columns?: number;
  className?: string;
  children: ReactNode;
}) {
  const [watch, { left, right, holdsColumn }] = useScrollEdges();
  const isCut = left || right;
  const [Place, Box] =
    name === undefined ? (['span', 'span'] as const) : (['div', 'section'] as const);
  return (
    <Place data-wide="" className={`block w-fit max-w-full ${className}`}>
      <Box
        ref={watch}
        {...(name === undefined ? {} : { 'aria-label': name, ...(isCut ? { tabIndex: 0 } : {}) })}
        data-left={left || undefined}
        data-right={right || undefined}
        data-holds={holdsColumn || undefined}
        className="scroll-sides block overflow-x-auto overflow-y-hidden print:overflow-visible"
      >
        {children}
      </Box>
      {isCut && (
        <span className="block px-1 py-1 text-sm text-ink-2 print:hidden">
          {columns === undefined
            ? t(
                /* said of a formula, a table or code that is wider than the page */ 'content.scrolls',
                'Scrolls sideways',
              )
            : t(
                'content.scrollsColumns',
                '{columns, plural, one {Scrolls sideways: # column} other {Scrolls sideways: # columns}}',
                { columns },
              )}
        </span>
      )}
    </Place>
  );
}

const columnsOf = ({ children: [head] }: TableNode) => head?.children.length ?? 0;

/** Lines of code. */
export function Code({ code, className }: { code: CodeNode; className: string }) {
  return (
    <div
      data-wide=""
      className={`w-fit max-w-full min-w-[min(100%,44em)] overflow-hidden rounded-lg border border-line bg-sunken text-[0.875rem] font-normal ${className}`}
    >
      {code.lang !== null && (
        <p className="border-b border-line px-3 py-1 text-xs text-ink-2">{code.lang}</p>
      )}
      <Wide
        name={
          code.lang === null
            ? t(/* name of lines of code, for screen readers */ 'content.code', 'Code')
            : t(
                /* name of lines of code, for screen readers; a programming language */ 'content.codeIn',
                'Code, {language}',
                { language: code.lang },
              )
        }
        className="min-w-full"
      >
        <pre
          dir="ltr"
          className="w-max min-w-full px-3 py-2.5 leading-relaxed print:w-auto print:whitespace-pre-wrap"
        >
          <code className="font-mono">{code.value}</code>
        </pre>
      </Wide>
    </div>
  );
}

const ALIGN = { left: 'text-left', center: 'text-center', right: 'text-right' } as const;

export function Table({
  table,
  links,
  className,
}: {
  table: TableNode;
  links: Links;
  className: string;
}) {
  const [head, ...rows] = table.children;
  const alignOf = (column: number) => ALIGN[table.align[column] ?? 'left'];
  return (
    <Wide
      name={t(/* name of a table, for screen readers */ 'content.table', 'Table')}
      columns={columnsOf(table)}
      className={`text-[0.9375em] font-normal ${className}`}
    >
      <table className="border-collapse wrap-normal print:wrap-anywhere">
        <thead>
          <tr>
            {head?.children.map((cell, column) => (
              <th
                // biome-ignore lint/suspicious/noArrayIndexKey: the text is fixed, its columns never move
                key={column}
                scope="col"
                className={`border-b-2 border-line-2 px-3 py-1.5 font-semibold ${alignOf(column)}`}
              >
                <Phrases of={cell.children} links={links} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the text is fixed, its rows never move
            <tr key={index} className="border-b border-line">
              {row.children.map((cell, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: as above
                <td key={column} className={`px-3 py-1.5 align-top ${alignOf(column)}`}>
                  <Phrases of={cell.children} links={links} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Wide>
  );
}
