import { t } from '@invigil/core/texts/i18n';
import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { Notice } from './notice.tsx';

export function FailureNotice({
  title,
  children,
  onRetry,
  retryLabel = t(/* a button: tries it again */ 'ui.retry', 'Retry'),
  retrying = false,
}: {
  /** Omitted if a preceding heading says the same. */
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
      icon={<TriangleAlert />}
      title={title}
      action={
        onRetry && (
          <Button size="dense" onClick={onRetry} busy={retrying && t('ui.retrying', 'Retrying…')}>
            {retryLabel}
          </Button>
        )
      }
    >
      {children}
    </Notice>
  );
}
