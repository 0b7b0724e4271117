import type { Account } from '@invigil/core/contract/accounts/auth';
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, type ReactElement, type ReactNode } from 'react';
import { MemoryRouter, parsePath } from 'react-router';
import { onTestFinished, vi } from 'vitest';
import { render, renderHook } from 'vitest-browser-react/pure';
import { Router } from 'wouter';
import { memoryLocation } from 'wouter/memory-location';
import { type Session, SessionContext } from '../lib/person/session.tsx';
import { createQueryClient } from '../net/query-client.ts';
import { Toaster } from '../ui/toaster.tsx';
import { ADMIN, sessionOf } from './fixtures.ts';

interface Environment {
  /** An owner where it is absent; `null`: no one is signed in. */
  account?: Account | null;
  session?: Partial<Session>;
  /** The location of a candidate's or public page; `at` is the administrators' address. */
  location?: Pick<ReturnType<typeof memoryLocation>, 'hook'>;
  /** History state from the previous screen. */
  state?: unknown;
  /** The address, with what follows "?". */
  at?: string;
  client?: QueryClient;
}

/** The context of a component in the app: session, location, and query cache. */
function wrapperFor({
  account = ADMIN,
  session: known = {},
  location: { hook } = memoryLocation(),
  state = null,
  at = '/',
  client = createQueryClient(),
}: Environment) {
  const session = { ...sessionOf(account), ...known };
  window.history.replaceState(state, '');
  return ({ children }: { children: ReactNode }) => (
    <SessionContext value={session}>
      <Router hook={hook}>
        <MemoryRouter initialEntries={[{ ...parsePath(at), state }]}>
          <QueryClientProvider client={client}>{children}</QueryClientProvider>
        </MemoryRouter>
      </Router>
    </SessionContext>
  );
}

/** Renders a component in the browser with the app's context. */
export function show(element: ReactElement, given: Environment = {}) {
  return render(element, { wrapper: wrapperFor(given) });
}

/** The same with the app's toasts beside it. */
export const showWithToasts = (element: ReactElement, given: Environment = {}) =>
  show(
    <>
      {element}
      <Toaster />
    </>,
    given,
  );

/** The text of a component's first render; unmounts it. */
export async function wordsOf(element: ReactElement, given: Environment = {}): Promise<string> {
  const { container, unmount } = await show(element, given);
  const words = wordsIn(container);
  await unmount();
  return words;
}

/** The result of a hook's first call in a component. */
export async function hookIn<T>(client: QueryClient, useIt: () => T): Promise<T> {
  const { result } = await renderHook(useIt, { wrapper: wrapperFor({ client }) });
  return result.current;
}

/** The text of an element, separated by spaces, including text for screen readers only. */
export function wordsIn(element: Element | { element(): Element }): string {
  const root = 'element' in element ? element.element() : element;
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  let words = '';
  while (walker.nextNode()) {
    const { previousSibling, textContent } = walker.currentNode;
    // A word with break opportunities is still one word.
    words += `${previousSibling?.nodeName === 'WBR' ? '' : ' '}${textContent}`;
  }
  return words.replace(/\s+/g, ' ').trim();
}

/** The computed color of a token. */
export function tokenColor(token: string): string {
  const probe = document.body.appendChild(document.createElement('i'));
  probe.style.color = `var(--color-${token})`;
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

/** Advances the fake clock; React has shown what its timers changed when this returns. */
export async function pass(ms: number): Promise<void> {
  const inAct = (is: boolean) => Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: is });
  inAct(true);
  try {
    await act(() => vi.advanceTimersByTimeAsync(ms));
  } finally {
    inAct(false);
  }
}

/** Stops the clock of components until `pass`, at the page's current time. */
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
