import { CalendarX } from 'lucide-react';
import { useEffect } from 'react';
import { clearLocalKeys } from '../../lib/person/local-keys.ts';
import { useLeaving } from '../use-leaving.ts';
import { Countdown, useCountdown } from './countdown.tsx';
import { OutcomePage } from './outcome-page.tsx';

/** The assessment is not open. Needs no session. */
export function ExpiredScreen() {
  const countdown = useCountdown(true, useLeaving());
  useEffect(clearLocalKeys, []);
  return (
    <OutcomePage
      title="Expired"
      tone="neutral"
      sign={<CalendarX />}
      heading="Assessment Expired"
      lead={<p>This assessment is no longer active and cannot be accessed.</p>}
      countdown={
        <Countdown countdown={countdown} canReturn>
          <p>{`You will be taken to the sign-in page in ${countdown.left} seconds.`}</p>
        </Countdown>
      }
    >
      <section className="mt-6 grid gap-1 rounded-lg border border-line bg-surface px-5 py-4 md:px-6">
        <p className="font-semibold">Assessment Status: Inactive</p>
        <p className="text-ink-2">
          The assessment period has ended or the Assessment has been deactivated by the
          administrator.
        </p>
      </section>
    </OutcomePage>
  );
}
