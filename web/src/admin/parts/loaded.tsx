import type { ReactNode } from 'react';
import { Card } from '../../ui/page.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { LoadFailure } from './failures.tsx';

interface LoadedProps<T> {
  read: {
    data: T | undefined;
    error: unknown;
    isError: boolean;
    isFetching: boolean;
    refetch(): Promise<unknown>;
  };
  /** "Failed to load administrators" */
  failure: string;
  /** "Loading administrators..." */
  loading: string;
  rows?: number;
  /** It may have unsaved input: it stays mounted, below the failure, when a second read fails. */
  keeps?: boolean;
  children(data: T): ReactNode;
}

/** Content that is read: while it loads, after a failure, or itself. */
export function Loaded<T>({
  read,
  failure,
  loading,
  rows = 5,
  keeps = false,
  inset = false,
  children,
}: LoadedProps<T> & { inset?: boolean }) {
  const { data, isError } = read;
  if (data === undefined && !isError) return <SkeletonRows rows={rows}>{loading}</SkeletonRows>;
  return (
    <>
      {isError && (
        <div className={inset ? 'p-5' : ''}>
          <LoadFailure title={failure} read={read} />
        </div>
      )}
      {data !== undefined && (keeps || !isError) && children(data)}
    </>
  );
}

/** The same in a card, whose content has margins of its own. */
export function LoadedCard<T>({
  title,
  aside,
  ...loaded
}: LoadedProps<T> & { title: string; aside?: ReactNode }) {
  return (
    <Card title={title} aside={aside}>
      <Loaded {...loaded} inset />
    </Card>
  );
}
