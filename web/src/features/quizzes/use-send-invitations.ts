import type { InvitationResult } from '@invigil/core/contract/invitations';
import { MAIL_LIMITS } from '@invigil/core/domain/limits';
import { useEffect, useRef, useState } from 'react';
import { useInvite } from './api.ts';
import type { Wording } from './invitation-wording.ts';
import { type SentBatches, sendInBatches } from './send-in-batches.ts';

const MOST = MAIL_LIMITS.addressesPerCall;
/** More than one call takes go in smaller steps, so that there is progress to see and to cancel. */
const STEP = MOST / 2;

export interface SendProgress {
  done: number;
  total: number;
  /** The batch under way is still waited for. */
  cancelling: boolean;
}

/** Sends to any number of addresses; `null` while nothing is under way. Leaving stops the rest. */
export function useSendInvitations(quizId: string) {
  const invite = useInvite(quizId);
  const [progress, setProgress] = useState<SendProgress | null>(null);
  const running = useRef<AbortController>(null);
  useEffect(() => () => running.current?.abort(), []);

  const send = async (
    emails: readonly string[],
    wording: Wording,
  ): Promise<SentBatches<InvitationResult>> => {
    const total = emails.length;
    const controller = new AbortController();
    running.current = controller;
    setProgress({ done: 0, total, cancelling: false });
    const sent = await sendInBatches(
      emails,
      total <= MOST ? MOST : STEP,
      async (batch) => (await invite.mutateAsync({ emails: batch, ...wording })).invitations,
      {
        signal: controller.signal,
        onProgress: (done) => setProgress({ done, total, cancelling: controller.signal.aborted }),
      },
    );
    setProgress(null);
    return sent;
  };
  const cancel = () => {
    running.current?.abort();
    setProgress((now) => (now === null ? null : { ...now, cancelling: true }));
  };
  return { progress, send, cancel };
}
