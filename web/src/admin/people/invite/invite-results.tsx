import type { Quiz } from '@invigil/core/contract/assessments/quiz';
import type {
  InvitationMail,
  InvitationResult,
} from '@invigil/core/contract/invitations/invitations';
import { MAIL_LIMITS } from '@invigil/core/domain/limits';
import { listText } from '@invigil/core/domain/locale';
import { t } from '@invigil/core/texts/i18n';
import { mailReason, mailStatus } from '../../../lib/mail.ts';
import { Badge, type BadgeTone, StatusBadge } from '../../../ui/badges/badge.tsx';
import type { GlyphName } from '../../../ui/badges/glyphs.tsx';
import type { MailServerState } from '../../data/assessments.ts';
import { useDelivery } from '../../data/invitations.ts';
import { ExtraTimeCut } from '../extra-time.tsx';
import { type DeliveryCounts, DeliveryProgress } from './invite-progress.tsx';

interface Outcome {
  tone: BadgeTone;
  glyph: GlyphName;
  word: () => string;
  many: (count: number) => string;
}

const OUTCOMES: Record<InvitationResult['status'], Outcome> = {
  queued: {
    ...{ tone: 'neutral', glyph: 'dashed' },
    word: () => t(/* said of an email */ 'invite.result.queued', 'Queued'),
    many: (count) =>
      t(
        /* emails */ 'invite.result.queuedCount',
        '{count, plural, one {# queued} other {# queued}}',
        { count },
      ),
  },
  invited: {
    ...{ tone: 'neutral', glyph: 'dashed' },
    word: () => t(/* said of a person */ 'invite.result.invited', 'Invited'),
    many: (count) =>
      t(
        /* people */ 'invite.result.invitedCount',
        '{count, plural, one {# invited} other {# invited}}',
        { count },
      ),
  },
  invalid: {
    ...{ tone: 'bad', glyph: 'slashed' },
    word: () => t(/* said of an address */ 'invite.result.invalid', 'Invalid'),
    many: (count) =>
      t(
        /* addresses */ 'invite.result.invalidCount',
        '{count, plural, one {# invalid} other {# invalid}}',
        { count },
      ),
  },
  already_completed: {
    ...{ tone: 'neutral', glyph: 'ticked' },
    word: () => t(/* said of an attempt */ 'invite.result.alreadyCompleted', 'Already completed'),
    many: (count) =>
      t(
        /* attempts */ 'invite.result.alreadyCompletedCount',
        '{count, plural, one {# already completed} other {# already completed}}',
        { count },
      ),
  },
  in_progress: {
    ...{ tone: 'accent', glyph: 'half' },
    word: () => t(/* said of an attempt */ 'invite.result.inProgress', 'In progress'),
    many: (count) =>
      t(
        /* attempts */ 'invite.result.inProgressCount',
        '{count, plural, one {# in progress} other {# in progress}}',
        { count },
      ),
  },
};

const ORDER = ['invalid', 'already_completed', 'in_progress', 'invited', 'queued'] as const;

export function InviteResults({
  quiz,
  results,
  mailServer,
}: {
  quiz: Quiz;
  results: readonly InvitationResult[];
  mailServer: MailServerState;
}) {
  const queued = results.flatMap(({ status, id }) =>
    status === 'queued' && id !== undefined ? [id] : [],
  );
  const mails = useDelivery(quiz.id, queued, mailServer === 'configured');
  const mailOf = ({ id }: InvitationResult) => (id === undefined ? undefined : mails[id]);
  const urgency = (result: InvitationResult) =>
    mailOf(result)?.state === 'failed' ? -1 : ORDER.indexOf(result.status);
  // Problems first; of very many the rest is in the list.
  const ordered = [...results]
    .sort((a, b) => urgency(a) - urgency(b))
    .slice(0, MAIL_LIMITS.addressesPerCall);
  // Queued invitations are counted by the state of their emails.
  const counts = ORDER.filter((status) => status !== 'queued').flatMap((status) => {
    const n = results.filter((result) => result.status === status).length;
    return n === 0 ? [] : [OUTCOMES[status].many(n)];
  });
  return (
    <div className="grid gap-4">
      {counts.length > 0 && <p className="font-medium tabular-nums">{listText(counts, 'unit')}</p>}
      <ExtraTimeCut
        quiz={quiz}
        people={results.flatMap(({ extraTime }) => {
          if (extraTime === undefined) return [];
          const times = { ...quiz, ...extraTime.times };
          return [{ ...times, factor: extraTime.minutes / times.duration }];
        })}
      />
      <DeliveryProgress counts={deliveryOf(queued, mails)} mailServer={mailServer} />
      {ordered.length > 0 && (
        <ul aria-label={t('portal.results', 'Results')} className="rounded-lg border border-line">
          {ordered.map((result) => (
            <Result key={result.id ?? result.email} result={result} mail={mailOf(result)} />
          ))}
        </ul>
      )}
    </div>
  );
}

function Result({ result, mail }: { result: InvitationResult; mail: InvitationMail | undefined }) {
  const { tone, glyph, word } = OUTCOMES[result.status];
  const { minutes, atMost } = result.extraTime ?? {};
  const time = minutes === undefined ? null : minutesText(minutes, atMost);
  const reasons = [result.reason, time, mail && mailReason(mail)].filter((reason) => reason);
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 border-b border-line px-4 py-2.5 last:border-b-0">
      <div className="min-w-0">
        <div className="break-all">{result.email}</div>
        {reasons.map((reason) => (
          <div key={reason} className="text-sm wrap-anywhere text-ink-3">
            {reason}
          </div>
        ))}
      </div>
      {mail === undefined ? (
        <Badge tone={tone} glyph={glyph}>
          {word()}
        </Badge>
      ) : (
        <StatusBadge status={mailStatus(mail)} />
      )}
    </li>
  );
}

/** The minutes that someone has, and how many the end date leaves of them. */
const minutesText = (minutes: number, most = minutes): string =>
  most === minutes
    ? t('invite.result.minutes', '{minutes, plural, one {# minute} other {# minutes}}', { minutes })
    : t(
        'invite.result.mostMinutes',
        '{minutes, plural, one {At most {most} of # minute} other {At most {most} of # minutes}}',
        { minutes, most },
      );

/** Shown as queued until its state is loaded. */
function deliveryOf(ids: readonly string[], mails: Record<string, InvitationMail>): DeliveryCounts {
  const counts = { queued: 0, sent: 0, uncertain: 0, failed: 0 };
  for (const id of ids) {
    const state = mails[id]?.state ?? 'queued';
    counts[state === 'sending' ? 'queued' : state] += 1;
  }
  return counts;
}
