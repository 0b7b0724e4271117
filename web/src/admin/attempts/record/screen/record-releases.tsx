import {
  type CertificateState,
  issueCertificate,
  revokeCertificate,
} from '@invigil/core/contract/review/certificates';
import type { ParticipantRecord } from '@invigil/core/contract/review/participant-record';
import { getReleases } from '@invigil/core/contract/review/releases';
import { percentText } from '@invigil/core/domain/locale';
import { t } from '@invigil/core/texts/i18n';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { formatDateTime } from '../../../../lib/format.ts';
import { callEndpoint } from '../../../../net/api.ts';
import { endpointQuery } from '../../../../net/endpoint-query.ts';
import { Button } from '../../../../ui/button.tsx';
import { AlertDialog } from '../../../../ui/dialogs/dialog.tsx';
import { Card } from '../../../../ui/page.tsx';
import { toast } from '../../../../ui/toast.ts';
import { Trans } from '../../../../ui/trans.tsx';
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
  const issue = useChange(
    t('record.certificate.issueFailed', 'Failed to issue the certificate'),
    async () => {
      const { number } = await callEndpoint(issueCertificate, { params: { id } });
      return [
        number === null
          ? t('record.certificate.issued', 'Certificate issued')
          : t('record.certificate.number', 'Certificate {number}', { number }),
        t(/* the certificate */ 'record.certificate.issuedText', 'It says what is stored now.'),
      ];
    },
  );
  const revoke = useChange(
    t('record.revoke.failed', 'Failed to revoke the certificate'),
    async () => {
      await callEndpoint(revokeCertificate, { params: { id } });
      return [
        t('record.action.certificateRevoked', 'Certificate revoked'),
        t(
          /* sees that the certificate was revoked */ 'record.revoke.done',
          'Anyone who checks it sees so.',
        ),
      ];
    },
  );
  const [asks, setAsks] = useState<'release' | 'revoke' | null>(null);
  // An attempt that does not count has nothing left to show; a certificate that it has can still be revoked.
  const { retakes } = record;
  const isCurrent = !isReplaced(record) && (!retakes || retakes.counting === id);
  const canRelease = isCurrent && rules.data?.rules != null;
  const hasCertificates = rules.data?.rules?.parts.includes('certificate') === true;
  const shown = releases.filter(({ takenBackAt }) => takenBackAt === undefined);
  const canIssue = isCurrent && hasCertificates && shown.at(-1)?.outcome?.result === 'passed';
  const latest = certificates.at(-1);
  const problem = rules.data?.certificates?.problems.find((one) => one.participantId === id);
  if (releases.length === 0 && !canRelease) return null;
  return (
    <Card
      title={t(
        /* what of the result; a heading */ 'record.release.title',
        'Shown to the candidate',
      )}
    >
      <div className="grid gap-4 px-5 py-4">
        <dl className="grid gap-2 tabular-nums">
          {releases.map(({ at, by, percent, seenAt, takenBackAt }) => (
            <Shown
              key={at}
              what={
                percent === null
                  ? t(/* of an attempt */ 'record.release.result', 'Result')
                  : t(
                      /* of an attempt. percent: “80 %” */ 'record.release.resultPercent',
                      'Result, {percent}',
                      {
                        percent: percentText(percent),
                      },
                    )
              }
              more={releaseText({ at, by, seenAt, takenBackAt })}
            />
          ))}
          {certificates.map(({ number, state, issuedAt, issuedBy, revokedAt }) => (
            <Shown
              key={issuedAt}
              what={<CertificateName number={number} />}
              more={certificateText({ state, issuedAt, issuedBy, revokedAt })}
            />
          ))}
          {releases.length === 0 && (
            <Shown
              what={t(/* was shown to the candidate */ 'record.release.nothing', 'Nothing yet')}
            />
          )}
        </dl>
        {canIssue && problem !== undefined && (
          <p className="text-warn-ink">{problemText(problem)}</p>
        )}
        <div className="flex flex-wrap gap-2 empty:hidden">
          {canRelease && (
            <Button onClick={() => setAsks('release')}>
              {shown.length === 0
                ? t(
                    /* a button: shows the result to the candidate */ 'record.release.first',
                    'Release',
                  )
                : t(
                    /* shows the result to the candidate; a button */ 'record.release.again',
                    'Release again',
                  )}
            </Button>
          )}
          {canIssue && (
            <Button
              busy={issue.isPending && t('record.certificate.issuing', 'Issuing…')}
              onClick={() => issue.mutate()}
            >
              {latest === undefined
                ? t('record.certificate.issue', 'Issue certificate')
                : t(/* a certificate; a button */ 'record.certificate.issueAgain', 'Issue again')}
            </Button>
          )}
          {mayRelease && latest?.revokedAt === null && (
            <Button
              busy={revoke.isPending && t('record.certificate.revoking', 'Revoking…')}
              onClick={() => setAsks('revoke')}
            >
              {t('record.revoke.button', 'Revoke certificate')}
            </Button>
          )}
        </div>
      </div>
      {asks === 'release' && (
        <ReleaseDialog
          quizId={quizId}
          ids={[id]}
          title={t('record.release.ask.title', 'Release this result?')}
          onClose={() => setAsks(null)}
        >
          {t(
            'record.release.ask.text',
            'The candidate gets an email and can see the result at once.',
          )}
        </ReleaseDialog>
      )}
      <AlertDialog
        open={asks === 'revoke'}
        title={t('record.revoke.title', 'Revoke this certificate?')}
        confirmLabel={t(/* a certificate; a button */ 'record.revoke.confirm', 'Revoke')}
        onCancel={() => setAsks(null)}
        onConfirm={() => {
          setAsks(null);
          revoke.mutate();
        }}
      >
        {t(
          /* it: a certificate */ 'record.revoke.text',
          'Anyone who checks it then reads that it no longer counts. The result stays as it is.',
        )}
      </AlertDialog>
    </Card>
  );
}

function CertificateName({ number }: { number: string | null }) {
  if (number === null) return t('record.certificate.name', 'Certificate');
  const link = (
    <a
      href={`/verify#${number}`}
      target="_blank"
      rel="noreferrer"
      className="code text-accent-ink underline underline-offset-4"
    >
      {number}
    </a>
  );
  return (
    <Trans
      id="record.certificate.number"
      message="Certificate {number}"
      values={{ number: link }}
    />
  );
}

const STATES: Record<CertificateState, () => string> = {
  valid: () => t(/* a certificate */ 'record.certificate.valid', 'Valid'),
  replaced: () => t(/* a certificate, by another one */ 'record.certificate.replaced', 'Replaced'),
  revoked: () => t(/* a certificate */ 'record.certificate.revoked', 'Revoked'),
  under_correction: () =>
    t(
      /* a certificate whose result is being corrected */ 'record.certificate.underCorrection',
      'Under correction',
    ),
  altered: () =>
    t(/* a certificate */ 'record.certificate.altered', 'Does not match what was issued'),
};

/** Facts in a row: `14 May 2026, 18:00, by its rule; opened 15 May 2026, 09:00`. */
const inRow = (facts: readonly string[]): string =>
  facts.reduce((first, next) =>
    t(/* facts in a row */ 'record.release.next', '{first}; {next}', { first, next }),
  );

type Release = NonNullable<ParticipantRecord['releases']>[number];

function releaseText({
  at,
  by,
  seenAt,
  takenBackAt,
}: Pick<Release, 'at' | 'by' | 'seenAt' | 'takenBackAt'>): string {
  const time = formatDateTime(at);
  const facts = [
    by === null
      ? t(
          /* when a result was shown, by a rule of the assessment */ 'record.release.byRule',
          '{time}, by its rule',
          { time },
        )
      : t(
          /* when a result was shown; person: an email address */ 'record.release.by',
          '{time}, {person}',
          { time, person: by },
        ),
  ];
  if (seenAt !== undefined) {
    facts.push(
      t(
        /* a result, by the candidate; in a row of facts */ 'record.release.opened',
        'opened {time}',
        {
          time: formatDateTime(seenAt),
        },
      ),
    );
  }
  if (takenBackAt !== undefined) {
    facts.push(
      t(
        /* a result that was shown; in a row of facts */ 'record.release.takenBack',
        'taken back {time}',
        {
          time: formatDateTime(takenBackAt),
        },
      ),
    );
  }
  return inRow(facts);
}

type Certificate = NonNullable<ParticipantRecord['certificates']>[number];

function certificateText({
  state,
  issuedAt,
  issuedBy,
  revokedAt,
}: Pick<Certificate, 'state' | 'issuedAt' | 'issuedBy' | 'revokedAt'>): string {
  const time = formatDateTime(issuedAt);
  return inRow([
    revokedAt === null
      ? STATES[state]()
      : t(/* “Revoked 14 May 2026, 18:00” */ 'record.certificate.stateSince', '{state} {time}', {
          state: STATES[state](),
          time: formatDateTime(revokedAt),
        }),
    issuedBy === null
      ? t(/* a certificate; in a row of facts */ 'record.certificate.issuedAt', 'issued {time}', {
          time,
        })
      : t(
          /* a certificate; in a row of facts */ 'record.certificate.issuedBy',
          'issued {time}, {person}',
          {
            time,
            person: issuedBy,
          },
        ),
  ]);
}

function problemText({
  hasName,
  letters,
}: {
  hasName: boolean;
  letters: readonly string[];
}): string {
  if (!hasName) {
    return t(
      'record.certificate.noName',
      'No name is known, so the certificate has the email address. Set the name on the page of the person first.',
    );
  }
  return letters.length === 0
    ? t(
        'record.certificate.unprintable',
        'The name has letters that cannot be printed. Boxes take their place on the certificate.',
      )
    : t(
        'record.certificate.unprintableLetters',
        'The name has letters that cannot be printed: {letters}. Boxes take their place on the certificate.',
        { letters: letters.join(' ') },
      );
}

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
