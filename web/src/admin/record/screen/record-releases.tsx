import type { ParticipantRecord } from '@invigil/core/contract/review/participant-record';
import { getReleases, releaseResults } from '@invigil/core/contract/review/releases';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { formatDateTime } from '../../../lib/format.ts';
import { callEndpoint } from '../../../net/api.ts';
import { endpointQuery } from '../../../net/endpoint-query.ts';
import { Button } from '../../../ui/button.tsx';
import { LabelledValue } from '../../../ui/tables/table.tsx';
import { toast } from '../../../ui/toasts/toast.ts';
import { useMayOn } from '../../assessments/api.ts';
import { showFailure } from '../../failures.tsx';
import { percentText } from '../../participants/outcome.tsx';

/** What the candidate was shown of the result, and the way to show it although a breach is in question. */
export function RecordReleases({
  record: { participant, releases = [] },
}: {
  record: ParticipantRecord;
}) {
  const client = useQueryClient();
  const { id, quizId, status } = participant;
  const params = { id: quizId };
  const mayRelease = useMayOn(quizId)('scores.correct') && status !== 'in_progress';
  const rules = useQuery({ ...endpointQuery(getReleases, { params }), enabled: mayRelease });
  const release = useMutation({
    mutationFn: () => callEndpoint(releaseResults, { params, body: { ids: [id] } }),
    onSuccess: async ({ released }) => {
      toast({
        title: released === 1 ? 'Result released' : 'This result is released already',
        description: 'The candidate gets an email about a new one.',
      });
      await client.invalidateQueries({ queryKey: ['api', 'participants'] });
    },
    onError: (error) => showFailure('Failed to release the result', error),
  });
  const canRelease = rules.data?.rules != null;
  if (releases.length === 0 && !canRelease) return null;
  return (
    <LabelledValue label="Released">
      {releases.map(({ at, by, percent }) => (
        <span key={at} className="block">
          {`${percent === null ? '–' : percentText(percent)}, ${formatDateTime(at)}`}
          <span className="block text-sm text-ink-3">{by ?? 'By its rule'}</span>
        </span>
      ))}
      {canRelease && (
        <Button
          size="dense"
          className="mt-1"
          busy={release.isPending && 'Releasing…'}
          onClick={() => release.mutate()}
        >
          {releases.length === 0 ? 'Release' : 'Release again'}
        </Button>
      )}
    </LabelledValue>
  );
}
