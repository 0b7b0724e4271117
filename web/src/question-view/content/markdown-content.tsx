import type { Block, Content } from '@invigil/core/content/content-nodes';
import { parseContent } from '@invigil/core/content/parse-content';
import { t } from '@invigil/core/texts/i18n';
import { useMemo } from 'react';
import { Figure, pictureOf } from './figure.tsx';
import { Formula } from './formula.tsx';
import { Code, InlineBlocks, type Links, Phrases, Table, Wide } from './text-blocks.tsx';

export { hasMath, imagesOf } from '@invigil/core/content/content-facts';

/**
 * A Markdown text as elements: never as a string of HTML. Nothing is painted outside of its box, so that no
 * formula covers what is around it.
 */
export function MarkdownContent({
  text,
  inline,
  links,
}: {
  text: string;
  inline: boolean;
  links: Links;
}) {
  const content = useMemo(() => parseContent(text), [text]);
  if (inline) {
    return (
      <span className="block contain-paint">
        <InlineBlocks blocks={content.children} />
      </span>
    );
  }
  return (
    // The padding leaves room for the focus of links.
    <div className="-m-1 min-w-0 p-1 break-words whitespace-normal contain-paint">
      <Blocks of={content.children} links={links} />
    </div>
  );
}

function Blocks({
  of: blocks,
  links,
  tight = false,
}: {
  of: Content['children'];
  links: Links;
  tight?: boolean;
}) {
  return blocks.map((block, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the text is fixed, its blocks never move
    <BlockOf key={index} block={block} links={links} tight={tight} />
  ));
}

const GAP = 'my-3 first:mt-0 last:mb-0';

function BlockOf({ block, links, tight }: { block: Block; links: Links; tight: boolean }) {
  switch (block.type) {
    case 'paragraph': {
      const [only] = block.children;
      if (only?.type === 'image' && block.children.length === 1) {
        return <Figure {...pictureOf(only)} />;
      }
      return (
        <p className={tight ? '' : GAP}>
          <Phrases of={block.children} links={links} />
        </p>
      );
    }
    case 'math':
      return (
        <Wide
          name={t(
            /* name of a formula that scrolls, for screen readers */ 'content.formula',
            'Formula',
          )}
          className={`min-w-[min(100%,44em)] ${GAP}`}
        >
          <Formula tex={block.value} display />
        </Wide>
      );
    case 'code':
      return <Code code={block} className={GAP} />;
    case 'table':
      return <Table table={block} links={links} className={GAP} />;
    case 'thematicBreak':
      return <hr className="my-4 border-line-2" />;
    case 'blockquote':
      return (
        <blockquote className={`border-s-3 border-line-2 ps-4 text-ink-2 ${GAP}`}>
          <Blocks of={block.children} links={links} />
        </blockquote>
      );
    case 'list': {
      const items = block.children.map((item, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the text is fixed, its items never move
        <li key={index} className="my-1 ps-1">
          <Blocks of={item.children} links={links} tight={!block.spread && !item.spread} />
        </li>
      ));
      return block.ordered ? (
        <ol start={block.start ?? 1} className={`list-decimal ps-7 ${GAP}`}>
          {items}
        </ol>
      ) : (
        <ul className={`list-disc ps-6 ${GAP}`}>{items}</ul>
      );
    }
  }
}
