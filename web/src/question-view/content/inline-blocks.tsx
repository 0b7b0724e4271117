import type { Block } from '@invigil/core/content/content-nodes';
import { Formula } from './formula.tsx';
import { CODE, Phrases } from './phrases.tsx';

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
      return <Formula tex={block.value} display isInControl />;
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
        <span className="table">
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
      );
  }
}
