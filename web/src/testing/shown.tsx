import type { Account } from '@invigil/core/contract/auth';
import { QueryClientProvider } from '@tanstack/react-query';
import type { ReactElement, ReactNode } from 'react';
import { MemoryRouter } from 'react-router';
import { render } from 'vitest-browser-react/pure';
import { SessionContext } from '../lib/person/session.tsx';
import { createQueryClient } from '../net/query-client.ts';
import { sessionOf } from './fixtures.ts';

/** Shows a component in the browser as it stands in the app: session, place, and what was fetched. */
export function show(
  element: ReactElement,
  {
    account = null,
    state = null,
    client = createQueryClient(),
  }: {
    account?: Account | null;
    state?: unknown;
    client?: ReturnType<typeof createQueryClient>;
  } = {},
) {
  const session = sessionOf(account);
  const wrapper = ({ children }: { children: ReactNode }) => (
    <SessionContext value={session}>
      <MemoryRouter initialEntries={[{ pathname: '/', state }]}>
        <QueryClientProvider client={client}>{children}</QueryClientProvider>
      </MemoryRouter>
    </SessionContext>
  );
  return render(element, { wrapper });
}

/** The words of an element, one space between two texts, also those for screen readers alone. */
export function wordsIn(element: Element | { element(): Element }): string {
  const root = 'element' in element ? element.element() : element;
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const texts: string[] = [];
  while (walker.nextNode()) texts.push(walker.currentNode.textContent ?? '');
  return texts.join(' ').replace(/\s+/g, ' ').trim();
}
