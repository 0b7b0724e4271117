import {
  type CertificateState,
  issueCertificate,
  revokeCertificate,
} from '@invigil/core/contract/review/certificates';
import type { ParticipantRecord } from '@invigil/core/contract/review/participant-record';
import { getReleases } from '@invigil/core/contract/review/releases';
import { percentText } from '@invigil/core/domain/locale';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { formatDateTime } from '../../../../lib/format.ts';
import { callEndpoint } from '../../../../net/api.ts';
import { endpointQuery } from '../../../../net/endpoint-query.ts';
import { Button } from '../../../../ui/button.tsx';
import { AlertDialog } from '../../../../ui/dialogs/dialog.tsx';
import { Card } from '../../../../ui/page.tsx';
import { toast } from '../../../../ui/toast.ts';
import { useMayOn } from '../../../data/assessments.ts';
import { showFailure } from '../../../data/show-failure.ts';
import { ReleaseDialog } from '../../../parts/release-follows.tsx';
import { isReplaced } from '../record-events.ts';

/**
 * The results that the candidate was shown, with the certificates, and the actions to show and to revoke
 * them.
 */
export function RecordReleases({ record }: { record: ParticipantRecord }) {
  const { releases = [], certificates = [] } = record;
  const { id, quizId, status } = record.participant;
  const params = { id: quizId };
  const mayRelease = useMayOn(quizId)('scores.correct') && status !== 'in_progress';
  const rules = useQuery({ ...endpointQuery(getReleases, { params }), enabled: mayRelease });
  const issue = useChange('Failed to issue the certificate', async () => {
    const { number } = await callEndpoint(issueCertificate, { params: { id } });
    return [`Certificate ${number ?? 'issued'}`, 'It says what is stored now.'];
  });
  const revoke = useChange('Failed to revoke the certificate', async () => {
    await callEndpoint(revokeCertificate, { params: { id } });
    return ['Certificate revoked', 'Anyone who checks it sees so.'];
  });
  const [asks, setAsks] = useState<'release' | 'revoke' | null>(null);
  // A replaced attempt has nothing left to show; a certificate that it has can still be revoked.
  const isCurrent = !isReplaced(record);
  const canRelease = isCurrent && rules.data?.rules != null;
  const hasCertificates = rules.data?.rules?.parts.includes('certificate') === true;
  const shown = releases.filter(({ takenBackAt }) => takenBackAt === undefined);
  const canIssue = isCurrent && hasCertificates && shown.at(-1)?.outcome?.result === 'passed';
  const latest = certificates.at(-1);
  const problem = rules.data?.certificates?.problems.find((one) => one.participantId === id);
  if (releases.length === 0 && !canRelease) return null;
  return (
    <Card title="Shown to the candidate">
      <div className="grid gap-4 px-5 py-4">
        <dl className="grid gap-2 tabular-nums">
          {releases.map(({ at, by, percent, seenAt, takenBackAt }) => (
            <Shown
              key={at}
              what={percent === null ? 'Result' : `Result, ${percentText(percent)}`}
              more={[
                `${formatDateTime(at)}, ${by ?? 'by its rule'}`,
                ...(seenAt === undefined ? [] : [`opened ${formatDateTime(seenAt)}`]),
                ...(takenBackAt === undefined ? [] : [`taken back ${formatDateTime(takenBackAt)}`]),
              ].join('; ')}
            />
          ))}
          {certificates.map(({ number, state, issuedAt, issuedBy, revokedAt }) => (
            <Shown
              key={issuedAt}
              what={
                number === null ? (
                  'Certificate'
                ) : (
                  <>
                    {'Certificate '}
                    <a
                      href={`/verify#${number}`}
                      target="_blank"
                      rel="noreferrer"
                      className="code text-accent-ink underline underline-offset-4"
                    >
                      {number}
                    </a>
                  </>
                )
              }
              more={`${STATES[state]}${revokedAt === null ? '' : ` ${formatDateTime(revokedAt)}`}; issued ${formatDateTime(issuedAt)}${issuedBy === null ? '' : `, ${issuedBy}`}`}
            />
          ))}
          {releases.length === 0 && <Shown what="Nothing yet" />}
        </dl>
        {canIssue && problem !== undefined && (
          <p className="text-warn-ink">
            {problem.hasName
              ? `The name has letters that cannot be printed${problem.letters.length === 0 ? '' : `: ${problem.letters.join(' ')}`}. Boxes take their place on the certificate.`
              : 'No name is known, so the certificate has the email address. Set the name on the page of the person first.'}
          </p>
        )}
        <div className="flex flex-wrap gap-2 empty:hidden">
          {canRelease && (
            <Button onClick={() => setAsks('release')}>
              {shown.length === 0 ? 'Release' : 'Release again'}
            </Button>
          )}
          {canIssue && (
            <Button busy={issue.isPending && 'Issuing…'} onClick={() => issue.mutate()}>
              {latest === undefined ? 'Issue certificate' : 'Issue again'}
            </Button>
          )}
          {mayRelease && latest?.revokedAt === null && (
            <Button busy={revoke.isPending && 'Revoking…'} onClick={() => setAsks('revoke')}>
              Revoke certificate
            </Button>
          )}
        </div>
      </div>
      {asks === 'release' && (
        <ReleaseDialog
          quizId={quizId}
          ids={[id]}
          title="Release this result?"
          onClose={() => setAsks(null)}
        >
          The candidate gets an email and can see the result at once.
        </ReleaseDialog>
      )}
      <AlertDialog
        open={asks === 'revoke'}
        title="Revoke this certificate?"
        confirmLabel="Revoke"
        onCancel={() => setAsks(null)}
        onConfirm={() => {
          setAsks(null);
          revoke.mutate();
        }}
      >
        Anyone who checks it then reads that it no longer counts. The result stays as it is.
      </AlertDialog>
    </Card>
  );
}

const STATES: Record<CertificateState, string> = {
  ...{ valid: 'Valid', replaced: 'Replaced', revoked: 'Revoked' },
  ...{ under_correction: 'Under correction', altered: 'Does not match what was issued' },
};

function Shown({ what, more }: { what: ReactNode; more?: string }) {
  return (
    <div>
      <dt className="wrap-anywhere">{what}</dt>
      {more !== undefined && <dd className="text-sm text-ink-3">{more}</dd>}
    </div>
  );
}

/** A change of what the candidate has, with what a toast says of it. */
function useChange(failed: string, change: () => Promise<[string, string]>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: async ([title, description]) => {
      toast({ title, description });
      await client.invalidateQueries({ queryKey: ['api', 'participants'] });
    },
    onError: (error) => showFailure(failed, error),
  });
}
