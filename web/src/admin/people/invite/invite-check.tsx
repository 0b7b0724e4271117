import type { Quiz } from '@invigil/core/contract/assessments/quiz';
import {
  checkInviting,
  type InviteChecks,
  sendTestInvitation,
} from '@invigil/core/contract/invitations/invitations';
import { numberText } from '@invigil/core/domain/locale';
import { addressProblem } from '@invigil/core/domain/public-address';
import { isolated } from '@invigil/core/domain/typed-text';
import { PRESET_NAMES, policySummary } from '@invigil/core/texts/policy-form';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Info, Send, TriangleAlert } from 'lucide-react';
import { useId } from 'react';
import { Link } from 'react-router';
import { callEndpoint } from '../../../net/api.ts';
import { endpointQuery } from '../../../net/endpoint-query.ts';
import { Button } from '../../../ui/button.tsx';
import { toast } from '../../../ui/toast.ts';
import {
  type MailServerState,
  readInvitationsAgain,
  useMailServer,
  useMayOnQuiz,
} from '../../data/assessments.ts';
import { useMay } from '../../data/own-rights.ts';
import { showFailure } from '../../data/show-failure.ts';

interface Point {
  /** Something has to be done; otherwise only to be known. */
  isProblem: boolean;
  text: string;
  link?: { to: string; word: string };
}

/** Lists what to correct, and what to know, before people are invited. Blocks nothing. */
export function InviteCheck({ quiz }: { quiz: Quiz }) {
  const headId = useId();
  const mailServer = useMailServer();
  const may = useMayOnQuiz(quiz);
  const mayManage = useMay()('installation.manage');
  const opens = (to: string) =>
    to.endsWith('/questions')
      ? may('questions.edit')
      : to === '/admin/settings'
        ? mayManage
        : may('quizzes.edit');
  const { data: checks } = useQuery(endpointQuery(checkInviting, { params: { id: quiz.id } }));
  return (
    <section aria-labelledby={headId} className="grid gap-2.5 rounded-lg bg-sunken px-4 py-3.5">
      <h3 id={headId} className="font-semibold">
        Before you invite
      </h3>
      <ul className="grid gap-2">
        {pointsOf(quiz, mailServer, checks).map(({ isProblem, text, link }) => (
          <li key={text} className="flex gap-2.5">
            <span
              aria-hidden="true"
              className={`mt-0.5 flex-none [&_svg]:size-4 ${isProblem ? 'text-warn-ink' : 'text-ink-3'}`}
            >
              {isProblem ? <TriangleAlert /> : <Info />}
            </span>
            <span className={`min-w-0 wrap-anywhere ${isProblem ? 'text-warn-ink' : 'text-ink-2'}`}>
              {text}{' '}
              {link && opens(link.to) && (
                <Link
                  to={link.to}
                  className="font-medium whitespace-nowrap text-accent-ink underline underline-offset-4"
                >
                  {link.word}
                </Link>
              )}
            </span>
          </li>
        ))}
      </ul>
      <TestInvitation quizId={quiz.id} />
    </section>
  );
}

function TestInvitation({ quizId }: { quizId: string }) {
  const client = useQueryClient();
  const isSent = useMailServer() === 'configured';
  const send = useMutation({
    mutationFn: () => callEndpoint(sendTestInvitation, { params: { id: quizId }, body: {} }),
    onSuccess: async ({ email }) => {
      toast({
        title: isSent ? 'Test invitation queued' : 'Test invitation in the outbox',
        description: `${isSent ? `To ${isolated(email)}.` : 'No email goes out now: read it under Settings, Outbox.'} Its one-time password opens a preview for a day: sign in with it in a private window or on your phone.`,
      });
      await readInvitationsAgain(client, quizId);
    },
    onError: (error) => showFailure('Failed to send the test invitation', error),
  });
  return (
    <Button
      size="dense"
      className="justify-self-start"
      icon={<Send />}
      busy={send.isPending && 'Sending…'}
      onClick={() => send.mutate()}
    >
      Send me a test invitation
    </Button>
  );
}

/** Problems first, then what candidates will read. */
export function pointsOf(
  quiz: Quiz,
  mailServer: MailServerState,
  checks: InviteChecks | undefined,
): Point[] {
  const page = `/admin/quizzes/${quiz.id}`;
  const questions = { to: `${page}/questions`, word: 'Open the questions' };
  const settings = { to: '/admin/settings', word: 'Open the settings' };
  const { questionCount: n, totalQuestions, policy } = quiz;
  const points: Point[] = [];
  const problem = (text: string | null, link: Point['link']) => {
    if (text !== null) points.push({ isProblem: true, text, ...(link ? { link } : {}) });
  };
  problem(checks === undefined ? null : addressSentence(checks.signInUrl), settings);
  problem(mailProblem(mailServer, checks), settings);
  problem(
    n >= totalQuestions
      ? null
      : n === 0
        ? `This assessment has no questions yet but needs ${totalQuestions}. No one can start it until you add some.`
        : `This assessment has ${n} questions but needs ${totalQuestions}. Candidates get every question there is.`,
    questions,
  );
  const drafts = checks?.drafts ?? 0;
  problem(
    drafts === 0
      ? null
      : drafts === 1
        ? '1 question has no correct answer, so no candidate gets it.'
        : `${drafts} questions have no correct answer, so no candidate gets them.`,
    questions,
  );
  const { keyReaders = 0 } = checks ?? {};
  problem(
    keyReaders === 0
      ? null
      : `${numberText(keyReaders)} ${keyReaders === 1 ? 'candidate has' : 'candidates have'} right answers of this assessment, or can read them. Those you invite could learn them from others.`,
    { to: `${page}/results`, word: 'Open the release' },
  );
  const fact = (text: string) =>
    points.push({ isProblem: false, text, link: { to: `${page}/settings`, word: 'Change' } });
  fact(`${PRESET_NAMES[policy.preset]()} policy. ${policySummary(policy)}`);
  if (checks !== undefined) {
    const opens = checks.opensAt === null ? '' : `Opens at ${checks.opensAt}. `;
    fact(`The email says: ${opens}Complete it by: ${checks.completeBy}.`);
  }
  return points;
}

/** Why candidates cannot sign in at the address in their emails, or not with a camera; else `null`. */
function addressSentence(signInUrl: string): string | null {
  switch (addressProblem(signInUrl)) {
    case 'local':
      return `Emails lead to ${signInUrl}, which opens on this machine only. Set the public address first.`;
    case 'not_https':
      return `Emails lead to ${signInUrl}. Without https, browsers allow no camera and no microphone.`;
    case null:
      return null;
  }
}

function mailProblem(mailServer: MailServerState, checks: InviteChecks | undefined): string | null {
  if (mailServer === 'missing') {
    return 'No mail server is configured yet. Invitations wait in the outbox, where you can read and copy them.';
  }
  if (mailServer === 'off') {
    return 'The mail server is switched off. Invitations wait in the outbox until it is switched on.';
  }
  return mailServer === 'configured' && checks?.isMailTested === false
    ? 'The mail server has not sent anything yet. Send a test message first.'
    : null;
}
