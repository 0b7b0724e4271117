import { TriangleAlert } from 'lucide-react';
import { Notice } from '../../../ui/notice.tsx';

const figure = (n: number) => n.toLocaleString('en-GB');

/** `1 address`, `1,300 addresses` */
export const many = (n: number) => `${figure(n)} ${n === 1 ? 'address' : 'addresses'}`;

/**
 * Addresses left in the box after a send. Without a response the invitations may have been sent, and
 * resending invalidates the first one-time passwords.
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
    <Notice tone="warn" icon={<TriangleAlert />}>
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
