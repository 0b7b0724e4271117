import type { Account } from '@invigil/core/contract/auth';
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ReactElement, ReactNode } from 'react';
import { MemoryRouter } from 'react-router';
import { onTestFinished, vi } from 'vitest';
import { render, renderHook } from 'vitest-browser-react/pure';
import { SessionContext } from '../lib/person/session.tsx';
import { createQueryClient } from '../net/query-client.ts';
import { sessionOf } from './fixtures.ts';

interface Around {
  account?: Account | null;
  /** What the screen before gave to this one. */
  state?: unknown;
  client?: QueryClient;
}

/** What stands around a component in the app: session, place, and what was fetched. */
function around({ account = null, state = null, client = createQueryClient() }: Around) {
  const session = sessionOf(account);
  return ({ children }: { children: ReactNode }) => (
    <SessionContext value={session}>
      <MemoryRouter initialEntries={[{ pathname: '/', state }]}>
        <QueryClientProvider client={client}>{children}</QueryClientProvider>
      </MemoryRouter>
    </SessionContext>
  );
}

/** Shows a component in the browser as it stands in the app. */
export function show(element: ReactElement, given: Around = {}) {
  return render(element, { wrapper: around(given) });
}

/** The words of a component as it is first shown; it is gone again afterwards. */
export async function wordsOf(element: ReactElement, given: Around = {}): Promise<string> {
  const { container, unmount } = await show(element, given);
  const words = wordsIn(container);
  await unmount();
  return words;
}

/** What a hook gives when it is first called in a component. */
export async function hookIn<T>(client: QueryClient, useIt: () => T): Promise<T> {
  const { result } = await renderHook(useIt, { wrapper: around({ client }) });
  return result.current;
}

/** The words of an element, one space between two texts, also those for screen readers alone. */
export function wordsIn(element: Element | { element(): Element }): string {
  const root = 'element' in element ? element.element() : element;
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  let words = '';
  while (walker.nextNode()) {
    const { previousSibling, textContent } = walker.currentNode;
    // Where a long word may be cut it is still one word.
    words += `${previousSibling?.nodeName === 'WBR' ? '' : ' '}${textContent}`;
  }
  return words.replace(/\s+/g, ' ').trim();
}

/** The color that this token gives to a property on the page, as the browser writes it. */
export function tokenColor(token: string): string {
  const probe = document.body.appendChild(document.createElement('i'));
  probe.style.color = `var(--color-${token})`;
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

/** Lets time pass on the test's own clock, and what that changes reach the page. */
export async function pass(ms: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms);
  await new Promise((shown) => requestAnimationFrame(shown));
}

/** The clock of components stands still until `pass`, and goes on from where the page is. */
export function stopClock(): void {
  const began = performance.now();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const sinceBegun = performance.now.bind(performance);
  const now = vi.spyOn(performance, 'now').mockImplementation(() => began + sinceBegun());
  onTestFinished(() => {
    now.mockRestore();
    vi.useRealTimers();
  });
}
