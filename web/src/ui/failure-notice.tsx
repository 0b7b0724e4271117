import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { Notice } from './notice.tsx';

/** Something could not be loaded: what happened, what is safe, and the way to try again. */
export function FailureNotice({
  title,
  children,
  onRetry,
  retryLabel = 'Retry',
  retrying = false,
}: {
  /** Not where a heading before it says so. */
  title?: string;
  children?: ReactNode;
  onRetry?: () => void;
  retryLabel?: string;
  retrying?: boolean;
}) {
  return (
    <Notice
      tone="bad"
      role="alert"
      icon={<TriangleAlert strokeWidth={1.5} />}
      title={title}
      action={
        onRetry && (
          <Button size="dense" onClick={onRetry} busy={retrying && 'Retrying…'}>
            {retryLabel}
          </Button>
        )
      }
    >
      {children}
    </Notice>
  );
}
