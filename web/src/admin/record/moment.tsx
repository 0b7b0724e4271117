import { formatDateTime } from '../../lib/dates.ts';

const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });

/** A time of the day to the second, `10:42:18`; its day stands behind it as a tooltip. */
export function Moment({ at }: { at: string }) {
  return (
    <time dateTime={at} title={formatDateTime(at)}>
      {clock.format(new Date(at))}
    </time>
  );
}
