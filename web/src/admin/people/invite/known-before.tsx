import type { Quiz } from '@invigil/core/contract/assessments/quiz';
import type { InvitedPerson } from '@invigil/core/contract/invitations/invitations';
import { emailKey } from '@invigil/core/domain/email-address';
import { numberText } from '@invigil/core/domain/locale';
import { nameOf } from '@invigil/core/domain/people';
import { isolated } from '@invigil/core/domain/typed-text';
import { t } from '@invigil/core/texts/i18n';
import { Clock } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { useSettled } from '../../../ui/use-settled.ts';
import { useInvitedBefore } from '../../data/invitations.ts';
import { ExtraTimeCut, minutesText, type TimedPerson } from '../extra-time.tsx';
import { InvitedBefore } from './invited-before.tsx';

const TYPING_PAUSE_MS = 400;
const SHOWN = 5;

/**
 * Facts about the typed addresses before anything is sent, read when typing pauses: who was invited
 * before, and who gets extra time.
 */
export function KnownBefore({
  quiz,
  addresses,
  knownOf,
  byMail,
  onLeaveOut,
}: {
  quiz: Quiz;
  addresses: readonly string[];
  /** The details that a list has of an address. */
  knownOf(email: string): InvitedPerson | undefined;
  /** The email brings a new one-time password. */
  byMail: boolean;
  onLeaveOut(emails: ReadonlySet<string>): void;
}) {
  const asked = useSettled(addresses, TYPING_PAUSE_MS);
  const { data } = useInvitedBefore(quiz.id, asked);
  const keptOf = new Map(data?.extraTime.map((one) => [emailKey(one.email), one]));
  const hasEnd = new Set(
    data?.invited.flatMap(({ email, state }) =>
      state === 'started' || state === 'finished' ? [emailKey(email)] : [],
    ),
  );
  const timed = addresses.flatMap((email) => {
    const kept = keptOf.get(emailKey(email));
    const listed = knownOf(email);
    // A list says the last word; an empty cell says nothing.
    const percent = listed?.extraTime ?? kept?.percent ?? 0;
    if (percent === 0 || hasEnd.has(emailKey(email))) return [];
    const { givenName = '', familyName = '' } = listed ?? {};
    const name = nameOf({ givenName, familyName }) || kept?.userName || email;
    const { opensAt, endDate, minutes } = listed ?? {};
    const times = {
      ...kept?.times,
      ...(opensAt === undefined ? {} : { opensAt }),
      ...(endDate === undefined ? {} : { endDate }),
      ...(minutes === undefined ? {} : { duration: minutes }),
    };
    return [{ ...quiz, ...times, email, name, factor: (100 + percent) / 100 }];
  });
  return (
    <>
      <InvitedBefore invited={data?.invited ?? []} byMail={byMail} onLeaveOut={onLeaveOut} />
      <ExtraTimeAhead quiz={quiz} timed={timed} />
    </>
  );
}

/** Who gets extra time, in minutes, and what the end date leaves of it. */
function ExtraTimeAhead({
  quiz,
  timed,
}: {
  quiz: Quiz;
  timed: readonly ({ email: string; name: string } & TimedPerson)[];
}) {
  const [isAll, setAll] = useState(false);
  if (timed.length === 0) return null;
  return (
    <section aria-label={t('portal.extraTime', 'Extra time')} className="grid gap-3">
      <Notice
        icon={<Clock />}
        title={t(
          'invite.extraTime.people',
          '{count, plural, one {# person with extra time} other {# people with extra time}}',
          { count: timed.length },
        )}
      >
        <ul className="grid gap-1">
          {(isAll ? timed : timed.slice(0, SHOWN)).map(({ email, name, factor, duration }) => (
            <li key={email} className="wrap-anywhere">
              {t(
                /* {time}: '75 minutes instead of 60.' */ 'invite.extraTime.person',
                '{name}: {time}',
                { name: isolated(name), time: minutesText({ duration }, factor) },
              )}
            </li>
          ))}
        </ul>
        {!isAll && timed.length > SHOWN && (
          <Button size="dense" className="mt-2" onClick={() => setAll(true)}>
            {t(/* people */ 'invite.showAll', 'Show all ({count})', {
              count: numberText(timed.length),
            })}
          </Button>
        )}
      </Notice>
      <ExtraTimeCut quiz={quiz} people={timed} />
    </section>
  );
}
