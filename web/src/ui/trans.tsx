import { translations } from '@invigil/core/texts/i18n';
import { TransNoContext } from '@lingui/react/server';
import { Fragment, type ReactElement, type ReactNode } from 'react';

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
  const safe = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === 'string' && value.includes('<') ? (
      <Fragment key={name}>{value}</Fragment>
    ) : (
      value
    ),
  ]);
  return (
    <TransNoContext
      lingui={{ i18n: translations() }}
      {...{ id, message, components }}
      values={Object.fromEntries(safe)}
    />
  );
}
