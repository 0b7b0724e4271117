import type { Account } from '@invigil/core/contract/auth';
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { SessionContext } from '../lib/person/session.tsx';
import { sessionOf } from './fixtures.ts';

/** The first picture of a component, as markup: what it says before anybody touches it. */
export function draw(
  element: ReactElement,
  account: Account | null = null,
  state: unknown = null,
): string {
  return renderToStaticMarkup(
    <SessionContext value={sessionOf(account)}>
      <MemoryRouter initialEntries={[{ pathname: '/', state }]}>{element}</MemoryRouter>
    </SessionContext>,
  );
}

/** What a hook gives when it is first drawn: its mutations can be called, its effects do not run. */
export function hookIn<T>(client: QueryClient, useIt: () => T): T {
  const given: T[] = [];
  draw(
    <QueryClientProvider client={client}>
      <Probe useIt={useIt} onGiven={(value) => given.push(value)} />
    </QueryClientProvider>,
  );
  const [first] = given;
  if (first === undefined) throw new Error('nothing was drawn');
  return first;
}

function Probe<T>({ useIt, onGiven }: { useIt: () => T; onGiven(value: T): void }) {
  onGiven(useIt());
  return null;
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" };

/** The words of the markup, one space between two elements. */
export function wordsOf(markup: string): string {
  return markup
    .replace(/<wbr\/?>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(amp|lt|gt|quot|#x27);/g, (_, name: string) => ENTITIES[name] ?? '')
    .replace(/\s+/g, ' ')
    .trim();
}

/** The opening tags that match, for what stands in attributes. */
export function tagsOf(markup: string, name: string): string[] {
  return markup.match(new RegExp(`<${name}\\b[^>]*>`, 'g')) ?? [];
}
