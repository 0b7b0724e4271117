import type { SyncSnapshot } from '../../answer-sync/answer-sync.ts';
import { Notice } from '../../ui/notice.tsx';
import { Spinner } from '../../ui/spinner.tsx';

/** The submit has no response yet: what is known, and what to do. */
export function StillSending({
  tries,
  sync,
}: {
  tries: number;
  sync: Pick<SyncSnapshot, 'state' | 'durable'>;
}) {
  return (
    <div className="mt-6">
      <Notice tone="accent" role="status" icon={<Spinner />} title="Still sending your answers.">
        Keep this window open.
        {tries > 0 && ` The connection is interrupted. ${knownText(sync)}`}
      </Notice>
    </div>
  );
}

/** States what has been saved; whether the rest counts is known after the response. */
function knownText({ state, durable }: Pick<SyncSnapshot, 'state' | 'durable'>): string {
  if (state.kind === 'saved') {
    return 'Every answer you gave is saved on the server. Your submission is sent automatically when you are back online.';
  }
  const waiting = 'waiting' in state ? state.waiting : null;
  const changes =
    waiting === null
      ? 'Some changes have'
      : `${waiting} ${waiting === 1 ? 'change has' : 'changes have'}`;
  const they = waiting === 1 ? 'It is' : 'They are';
  const kept = durable
    ? `${they} kept on this device and sent automatically when you are back online.`
    : 'This browser cannot keep unsent changes, so do not close or reload this page.';
  return `${changes} not reached the server yet. ${kept} This page will show whether ${waiting === 1 ? 'it' : 'they'} arrived in time.`;
}
