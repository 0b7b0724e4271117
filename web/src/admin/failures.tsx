import { sentenceOf } from '../net/api.ts';
import { FailureNotice } from '../ui/failure-notice.tsx';
import { toast } from '../ui/toasts/toast.ts';

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

/** Says in a toast that an action failed, and why: a sentence, or what was thrown. */
export function showFailure(title: string, why: unknown): void {
  const description = typeof why === 'string' ? why : sentenceOf(why);
  toast({ title, description, variant: 'destructive' });
}
