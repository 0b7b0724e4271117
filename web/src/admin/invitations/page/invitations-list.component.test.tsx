import type { Invitation, InvitationCounts } from '@invigil/core/contract/invitations/invitations';
import { INVITATION_STATES } from '@invigil/core/domain/invitation-states';
import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { show, wordsOf } from '../../../testing/shown.tsx';
import { InvitationStates } from './candidates-tab.tsx';
import { NotesOf } from './invitations-list.tsx';

const INVITATION: Invitation = {
  id: 'i',
  userId: 'u',
  quizId: 'q',
  email: 'a@example.org',
  invitedAt: '2026-05-14T10:00:00.000Z',
  mail: null,
  signedInAt: null,
  status: 'not_started',
  participantId: null,
  startedAt: null,
  submittedAt: null,
  revokedAt: null,
  codeValidUntil: null,
  extraTimeFactor: 1,
  cameraEnabled: true,
  microphoneEnabled: true,
};

test('says until when an unused one-time password works, or that it has ended', async () => {
  const words = (codeValidUntil: string | null) =>
    wordsOf(<NotesOf invitation={{ ...INVITATION, codeValidUntil }} />);
  expect(await words('2099-05-14T16:00:00.000Z')).toMatch(/^Password until 14 May 2099, \d\d:00$/);
  expect(await words('2026-05-14T16:00:00.000Z')).toMatch(/^Password ended 14 May 2026/);
  expect(await words(null)).toBe('');
});

test('filters by passwords that end soon only where there are any', async () => {
  const none = Object.fromEntries(
    ['all', ...INVITATION_STATES].map((state) => [state, 0]),
  ) as InvitationCounts;
  const filters = (counts: Partial<InvitationCounts>, state: 'code_ending' | null = null) =>
    show(<InvitationStates counts={{ ...none, ...counts }} state={state} onState={vi.fn()} />);
  const button = page.getByRole('button', { name: /Password ends soon/ });
  const first = await filters({});
  await expect.element(button).not.toBeInTheDocument();
  await first.unmount();
  const second = await filters({ code_ending: 3 });
  await expect.element(button).toHaveTextContent('Password ends soon3');
  await second.unmount();
  await filters({}, 'code_ending');
  await expect.element(button).toHaveAttribute('aria-pressed', 'true');
});
