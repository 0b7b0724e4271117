import { useEffect, useSyncExternalStore } from 'react';
import { loadedMarkdown, loadFor } from './content/load-content.ts';
import { watchLoads } from './content/load-mathematics.ts';

export interface ContentProps {
  text: string;
  /** The format on the wire: absent is `plain`. */
  format?: 'plain' | 'markdown' | undefined;
  /** Meant for a button, a label or one line: no controls, no block elements. */
  inline?: boolean;
  /** `shown` during an attempt: a link is its text and its address, and leads nowhere. */
  links?: 'shown' | 'open';
}

/**
 * A text of a question, an option or an explanation. A plain one is the text itself. The parser and
 * renderer of Markdown are loaded when the first such text is shown; until then its source is.
 */
export function Content({ format = 'plain', ...content }: ContentProps) {
  return format === 'markdown' ? <Formatted {...content} /> : content.text;
}

function Formatted({ text, inline = false, links = 'open' }: Omit<ContentProps, 'format'>) {
  const markdown = useSyncExternalStore(watchLoads, loadedMarkdown);
  useEffect(() => {
    // A text whose renderer was not loaded is shown as its source.
    loadFor(text).catch(() => undefined);
  }, [text]);
  if (markdown === null) return <span className="whitespace-pre-wrap">{text}</span>;
  return <markdown.MarkdownContent text={text} inline={inline} links={links} />;
}
