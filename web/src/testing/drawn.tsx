import type { Account } from '@invigil/core/contract/auth';
import type { OwnParticipant } from '@invigil/core/contract/own-participant';
import type { Quiz } from '@invigil/core/contract/quiz';
import { STRICT_POLICY } from '@invigil/core/domain/violation-policy';
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { type Session, SessionContext } from '../lib/person/session.tsx';

const policy = { ...STRICT_POLICY, version: 1 };

/** An assessment with nothing special about it. */
export const QUIZ: Quiz = {
  id: 'q',
  title: 'Network Fundamentals',
  description: null,
  categoryId: 'c',
  category: 'Engineering',
  duration: 25,
  totalQuestions: 25,
  questionCount: 32,
  endDate: null,
  finishAfterEnd: false,
  closingMail: false,
  isActive: true,
  isOpen: true,
  policy,
  version: 1,
  createdAt: '2026-05-04T09:00:00Z',
};

/** An attempt at it that runs. */
export const ATTEMPT: OwnParticipant = {
  id: 'p',
  userId: 'u',
  quizId: 'q',
  status: 'in_progress',
  startedAt: '2026-05-14T09:35:00Z',
  deadlineAt: '2026-05-14T10:00:00Z',
  remainingMs: 1_000_000,
  serverTime: '2026-05-14T09:40:00Z',
  totalQuestions: 3,
  answeredCount: 0,
  violationCount: 0,
  fullscreenExits: 0,
  tabSwitches: 0,
  policy,
  submittedAt: null,
  timeSpent: 300,
  submissionType: null,
};

export const CANDIDATE: Account = {
  user: { id: 'u', email: 'a.rahman@example.org' },
  quiz: QUIZ,
  role: 'participant',
  attempt: null,
};

export const ADMIN: Account = {
  user: { id: 'a', email: 'admin@example.org' },
  quiz: null,
  role: 'admin',
  attempt: null,
};

/** The first picture of a component, as markup: what it says before anybody touches it. */
export function draw(
  element: ReactElement,
  account: Account | null = null,
  state: unknown = null,
): string {
  const session: Session = {
    account,
    heardAt: 0,
    status: 'ready',
    signedIn: () => undefined,
    signOut: () => Promise.resolve(),
    refresh: () => Promise.resolve(account),
  };
  return renderToStaticMarkup(
    <SessionContext value={session}>
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
