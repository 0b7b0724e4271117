import { t as textOf } from '@invigil/core/texts/i18n';
import { cloneElement, createElement, Fragment, type ReactElement, type ReactNode } from 'react';

/** A number may choose a plural form, and a word what is said; other values only have their places. */
const isPlain = (value: ReactNode) =>
  typeof value === 'number' || (typeof value === 'string' && !value.includes('<'));

/** An element in the words of a text, and the place of a value: a letter for private use, which no text has. */
const ELEMENT = /<(\w+)>(.*?)<\/\1>/s;
const VALUE = /\uE000(\d+)\uE001/;

/**
 * A text like that of `t`, with elements in it: `<link>…</link>` in its words is the element `link` around
 * them. A value may be an element; words in it are never read as elements.
 */
export function Trans({
  id,
  message,
  values = {},
  components = {},
}: {
  id: string;
  message: string;
  /** Says to translators where the text stands. */
  comment?: string;
  values?: Readonly<Record<string, ReactNode>>;
  components?: Readonly<Record<string, ReactElement>>;
}) {
  const nodes: ReactNode[] = [];
  const places = Object.entries(values).map(([name, value]) => [
    name,
    isPlain(value) ? value : `\uE000${nodes.push(value) - 1}\uE001`,
  ]);

  const withValues = (text: string): ReactNode[] => {
    const parts: ReactNode[] = [];
    text.split(VALUE).forEach((part, i) => {
      const next = i % 2 === 0 ? part : nodes[Number(part)];
      // Words stay in one piece, as a reader of the page has them.
      const last = parts.at(-1);
      if (typeof next === 'string' && typeof last === 'string') parts.splice(-1, 1, last + next);
      else if (next !== '') parts.push(next);
    });
    return parts;
  };
  const withElements = (text: string): ReactNode[] => {
    const found = ELEMENT.exec(text);
    const [all = '', name = '', words = ''] = found ?? [];
    const element = components[name];
    if (found === null || element === undefined) return withValues(text);
    return [
      ...withValues(text.slice(0, found.index)),
      cloneElement(element, {}, ...withElements(words)),
      ...withElements(text.slice(found.index + all.length)),
    ];
  };
  return createElement(
    Fragment,
    null,
    ...withElements(textOf(id, message, Object.fromEntries(places))),
  );
}
