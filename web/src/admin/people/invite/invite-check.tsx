import type { Quiz } from '@invigil/core/contract/assessments/quiz';
import {
  checkInviting,
  type InviteChecks,
  sendTestInvitation,
} from '@invigil/core/contract/invitations/invitations';
import { addressProblem } from '@invigil/core/domain/public-address';
import { isolated } from '@invigil/core/domain/typed-text';
import { t } from '@invigil/core/texts/i18n';
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
        {t('invite.check.title', 'Before you invite')}
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
        title: isSent
          ? t('invite.test.queued', 'Test invitation queued')
          : t('invite.test.outbox', 'Test invitation in the outbox'),
        description: isSent
          ? t(
              /* said of a test invitation */ 'invite.test.sent',
              'To {email}. Its one-time password opens a preview for a day: sign in with it in a private window or on your phone.',
              { email: isolated(email) },
            )
          : t(
              /* it: a test invitation */ 'invite.test.notSent',
              'No email goes out now: read it under Settings, Outbox. Its one-time password opens a preview for a day: sign in with it in a private window or on your phone.',
            ),
      });
      await readInvitationsAgain(client, quizId);
    },
    onError: (error) =>
      showFailure(t('invite.test.failed', 'Failed to send the test invitation'), error),
  });
  return (
    <Button
      size="dense"
      className="justify-self-start"
      icon={<Send />}
      busy={send.isPending && t('portal.sending', 'Sending…')}
      onClick={() => send.mutate()}
    >
      {t(/* a button */ 'invite.test', 'Send me a test invitation')}
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
  const questions = {
    to: `${page}/questions`,
    word: t(/* a link */ 'invite.check.openQuestions', 'Open the questions'),
  };
  const settings = {
    to: '/admin/settings',
    word: t(/* a link */ 'invite.check.openSettings', 'Open the settings'),
  };
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
        ? t(
            'invite.check.noQuestions',
            'This assessment has no questions yet but needs {needed}. No one can start it until you add some.',
            { needed: totalQuestions },
          )
        : t(
            'invite.check.fewQuestions',
            '{count, plural, one {This assessment has # question but needs {needed}. Candidates get every question there is.} other {This assessment has # questions but needs {needed}. Candidates get every question there is.}}',
            { count: n, needed: totalQuestions },
          ),
    questions,
  );
  const drafts = checks?.drafts ?? 0;
  problem(
    drafts === 0
      ? null
      : t(
          'invite.check.drafts',
          '{count, plural, one {# question has no correct answer, so no candidate gets it.} other {# questions have no correct answer, so no candidate gets them.}}',
          { count: drafts },
        ),
    questions,
  );
  const { keyReaders = 0 } = checks ?? {};
  problem(
    keyReaders === 0
      ? null
      : t(
          'invite.check.keyReaders',
          '{count, plural, one {# candidate has right answers of this assessment, or can read them. Those you invite could learn them from others.} other {# candidates have right answers of this assessment, or can read them. Those you invite could learn them from others.}}',
          { count: keyReaders },
        ),
    {
      to: `${page}/results`,
      word: t(
        /* a link, to when results are released */ 'invite.check.openRelease',
        'Open the release',
      ),
    },
  );
  const change = t(/* a link, to the settings */ 'invite.check.change', 'Change');
  const fact = (text: string) =>
    points.push({ isProblem: false, text, link: { to: `${page}/settings`, word: change } });
  const preset = t(/* {preset}: 'Strict' */ 'invite.check.policy', '{preset} policy.', {
    preset: PRESET_NAMES[policy.preset](),
  });
  fact(`${preset} ${policySummary(policy)}`);
  if (checks !== undefined) {
    const { opensAt, completeBy } = checks;
    fact(
      opensAt === null
        ? t('invite.check.email', 'The email says: Complete it by: {completeBy}.', { completeBy })
        : t(
            'invite.check.emailOpens',
            'The email says: Opens at {opensAt}. Complete it by: {completeBy}.',
            { opensAt, completeBy },
          ),
    );
  }
  return points;
}

/** Why candidates cannot sign in at the address in their emails, or not with a camera; else `null`. */
function addressSentence(signInUrl: string): string | null {
  switch (addressProblem(signInUrl)) {
    case 'local':
      return t(
        'invite.check.local',
        'Emails lead to {address}, which opens on this machine only. Set the public address first.',
        { address: signInUrl },
      );
    case 'not_https':
      return t(
        'invite.check.notHttps',
        'Emails lead to {address}. Without https, browsers allow no camera and no microphone.',
        { address: signInUrl },
      );
    case null:
      return null;
  }
}

function mailProblem(mailServer: MailServerState, checks: InviteChecks | undefined): string | null {
  if (mailServer === 'missing') {
    return t(
      'invite.check.noMailServer',
      'No mail server is configured yet. Invitations wait in the outbox, where you can read and copy them.',
    );
  }
  if (mailServer === 'off') {
    return t(
      'invite.check.mailServerOff',
      'The mail server is switched off. Invitations wait in the outbox until it is switched on.',
    );
  }
  return mailServer === 'configured' && checks?.isMailTested === false
    ? t(
        'invite.check.mailServerUntested',
        'The mail server has not sent anything yet. Send a test message first.',
      )
    : null;
}
