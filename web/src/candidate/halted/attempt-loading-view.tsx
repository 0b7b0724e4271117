import { useEffect } from 'react';
import { thisDevice } from '../../proctoring/device/device-kind.ts';
import { Button } from '../../ui/button.tsx';
import { FailureNotice } from '../../ui/failure-notice.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import type { LoadFailure } from '../attempt/attempt-loading.ts';
import { currentAttempt } from '../current-attempt.ts';
import { focusHeading } from '../navigation.ts';

/** Shown while questions and answers are loading. */
export function AttemptLoading({ review }: { review: boolean }) {
  return (
    <main className="mx-auto w-full max-w-192 px-4 py-6 lg:px-8 lg:py-14">
      <p role="status" className="flex items-center gap-3 text-md text-ink-2">
        <Spinner />
        <span>{review ? 'Loading review...' : 'Loading your questions…'}</span>
      </p>
      {thisDevice().ios && (
        <p className="mt-2 text-sm text-ink-3">iOS detected - optimizing for mobile...</p>
      )}
      <div aria-hidden="true" className="mt-8 grid gap-3">
        <Skeleton className="h-6 w-5/6" />
        <Skeleton className="mb-4 h-6 w-1/2" />
        {['a', 'b', 'c', 'd'].map((key) => (
          <Skeleton key={key} className="h-15 rounded-lg!" />
        ))}
      </div>
    </main>
  );
}

/** Delay of the automatic retry on iOS, milliseconds (seed 9). */
const IOS_REFETCH_MS = 2_000;

/** `inactive` and `completed` have their own pages. */
const FAILURE_TITLES: Record<LoadFailure['kind'], string> = {
  start: 'Failed to fetch participant',
  inactive: 'Failed to fetch participant',
  completed: 'Failed to fetch participant',
  camera: 'Failed to fetch participant',
  consent: 'Failed to fetch participant',
  questions: 'Failed to load questions',
  'no-questions': 'No questions found for this Assessment',
};

/** The attempt runs, but its questions could not be loaded: what happened and what to do. */
export function AttemptFailed({ failure }: { failure: LoadFailure }) {
  const { ios } = thisDevice();
  const empty = failure.kind === 'no-questions';
  useEffect(() => {
    if (!ios || empty) return;
    const timer = setTimeout(() => currentAttempt.retry(), IOS_REFETCH_MS);
    return () => clearTimeout(timer);
  }, [ios, empty]);
  useEffect(focusHeading, []);
  const title = FAILURE_TITLES[failure.kind];
  return (
    <main className="mx-auto grid w-full max-w-160 gap-4 px-4 py-10">
      <title>{`${title} · Invigil`}</title>
      <h1>{title}</h1>
      <FailureNotice onRetry={() => currentAttempt.retry()}>
        {empty
          ? `Contact the person who invited you. ${failure.unsure === false ? 'Your time has not started.' : 'Your time is running; they can give it back.'}`
          : `${failure.message} The clock keeps running. Answers that were shown as saved are on the server.`}
      </FailureNotice>
      {ios && (
        <Button size="candidate" onClick={() => window.location.reload()}>
          Reload Page
        </Button>
      )}
    </main>
  );
}
