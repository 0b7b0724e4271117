import { TriangleAlert } from 'lucide-react';
import { Notice } from '../../../ui/notice.tsx';

const figure = (n: number) => n.toLocaleString('en-GB');

/** `1 address`, `1,300 addresses` */
export const many = (n: number) => `${figure(n)} ${n === 1 ? 'address' : 'addresses'}`;

/**
 * What a send left in the box. Where no answer came the invitations may have gone out, and sending
 * them again is a decision: the one-time passwords of the first ones stop working.
 */
export function InviteLeftovers({
  done,
  unanswered,
  unsent,
}: {
  done: number;
  unanswered: number;
  unsent: number;
}) {
  if (unanswered + unsent === 0) return null;
  const parts = [
    ...(done > 0 ? [`${many(done)} done`] : []),
    ...(unanswered > 0
      ? [`no response for ${done > 0 ? figure(unanswered) : many(unanswered)}`]
      : []),
    ...(unsent > 0 ? [`${figure(unsent)} not sent`] : []),
  ].join(', ');
  return (
    <Notice tone="warn" icon={<TriangleAlert strokeWidth={1.5} />}>
      <p>{`${parts.charAt(0).toUpperCase()}${parts.slice(1)}. The remaining addresses are still in the box.`}</p>
      {unanswered > 0 && (
        <p>
          Without a response, invitations may still have been sent. Check the list of invitations.
          Sending again replaces their one-time passwords.
        </p>
      )}
    </Notice>
  );
}
