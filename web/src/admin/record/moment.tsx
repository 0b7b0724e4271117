import { formatDateTime } from '../../lib/dates.ts';

const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });

/** A time of day to the second, `10:42:18`, with the day as a tooltip. */
export function Moment({ at }: { at: string }) {
  return (
    <time dateTime={at} title={formatDateTime(at)}>
      {clock.format(new Date(at))}
    </time>
  );
}
