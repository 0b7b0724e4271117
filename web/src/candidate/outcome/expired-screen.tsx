import type { Quiz } from '@invigil/core/contract/assessments/quiz';
import { isolated } from '@invigil/core/domain/typed-text';
import { t } from '@invigil/core/texts/i18n';
import { CalendarX } from 'lucide-react';
import { useEffect, useState } from 'react';
import { formatDateTime } from '../../lib/format.ts';
import { zoneText } from '../../lib/moment-text.ts';
import { clearLocalKeys } from '../../lib/person/local-keys.ts';
import { useSession } from '../../lib/person/session.tsx';
import { useLeaving } from '../use-leaving.ts';
import { Countdown, useCountdown } from './countdown.tsx';
import { OutcomePage } from './outcome-page.tsx';

/** Which of both it is for this one, and since when. */
function whyClosed(quiz: Quiz, timeZone: string | undefined): string {
  const { isActive, endDate, startBy } = quiz;
  const title = isolated(quiz.title);
  if (isActive && startBy !== undefined) {
    return t(
      /* title: of the assessment. moment: a date and time with its time zone, the latest to start */ 'expired.startBy',
      '“{title}” could be started until {moment}.',
      { title, moment: formatDateTime(startBy) + zoneText(startBy, timeZone) },
    );
  }
  if (!isActive || endDate === null) {
    return t(
      /* title: of the assessment */ 'expired.deactivated',
      '“{title}” was deactivated by the administrator.',
      { title },
    );
  }
  const moment = formatDateTime(endDate) + zoneText(endDate, timeZone);
  return t(
    /* title: of the assessment. moment: a date and time with its time zone */ 'expired.closed',
    '“{title}” closed on {moment}.',
    { title, moment },
  );
}

/** The assessment is not open. Needs no session. */
export function ExpiredScreen() {
  const countdown = useCountdown(true, useLeaving());
  // The countdown signs out.
  const [account] = useState(useSession().account);
  useEffect(clearLocalKeys, []);
  return (
    <OutcomePage
      title={t(/* title of the window: the assessment */ 'expired.page', 'Expired')}
      tone="neutral"
      sign={<CalendarX />}
      heading={t(/* heading */ 'expired.heading', 'Assessment Expired')}
      lead={
        <p>{t('expired.lead', 'This assessment is no longer active and cannot be accessed.')}</p>
      }
      countdown={
        <Countdown countdown={countdown} canReturn>
          <p>
            {t(
              'expired.countdown',
              '{seconds, plural, other {You will be taken to the sign-in page in # seconds.}}',
              { seconds: countdown.left },
            )}
          </p>
        </Countdown>
      }
    >
      <section className="mt-6 grid gap-1 rounded-lg border border-line bg-surface px-5 py-4 md:px-6">
        <p className="font-semibold">{t('expired.status', 'Assessment Status: Inactive')}</p>
        <p className="text-ink-2">
          {t(
            'expired.why',
            'The assessment period has ended or the Assessment has been deactivated by the administrator.',
          )}
        </p>
        {account?.quiz && <p className="text-ink-2">{whyClosed(account.quiz, account.timeZone)}</p>}
        <p className="text-ink-2">
          {t(
            /* it: the assessment */ 'expired.advice',
            'No time is running, and nothing counts against you. If you still have to take it, ask the person who invited you.',
          )}
        </p>
      </section>
    </OutcomePage>
  );
}
