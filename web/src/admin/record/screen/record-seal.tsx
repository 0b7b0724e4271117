import type { ParticipantRecord } from '@invigil/core/contract/review/participant-record';
import { TriangleAlert } from 'lucide-react';
import { Notice } from '../../../ui/notice.tsx';

/** Warns if the stored result does not match its seal. */
export function RecordSeal({ record }: { record: Pick<ParticipantRecord, 'hasBrokenSeal'> }) {
  if (!record.hasBrokenSeal) return null;
  return (
    <div className="mb-4">
      <Notice
        tone="bad"
        icon={<TriangleAlert strokeWidth={1.75} />}
        title="The stored result does not match its seal."
      >
        Score, answers, answer key, times or verdict were changed outside Invigil. Do not rely on
        this result until your operator has checked it.
      </Notice>
    </div>
  );
}
