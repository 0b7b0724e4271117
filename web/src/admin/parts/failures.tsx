import { sentenceOf } from '../../net/api.ts';
import { FailureNotice } from '../../ui/failure-notice.tsx';

export function LoadFailure({
  title,
  read,
}: {
  title?: string;
  read: { error: unknown; isFetching: boolean; refetch(): Promise<unknown> };
}) {
  return (
    <FailureNotice
      {...(title === undefined ? {} : { title })}
      onRetry={() => void read.refetch()}
      retrying={read.isFetching}
    >
      {sentenceOf(read.error)}
    </FailureNotice>
  );
}
