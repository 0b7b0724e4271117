import { sentenceOf } from '../../../net/api.ts';
import { Badge } from '../../../ui/badges/badge.tsx';
import { Card } from '../../../ui/card.tsx';
import { FailureNotice } from '../../../ui/failure-notice.tsx';
import { SkeletonRows } from '../../../ui/skeleton.tsx';
import { useSmtpSettings } from './api.ts';
import { SmtpForm } from './smtp-settings-form.tsx';

/** SMTP Email Configuration. */
export function SmtpCard() {
  const settings = useSmtpSettings();
  return (
    <Card
      title="SMTP Email Configuration"
      aside={
        settings.data !== undefined && (
          <Badge
            tone={settings.data === null ? 'neutral' : 'ok'}
            glyph={settings.data === null ? 'ring' : 'ticked'}
          >
            {settings.data === null ? 'Not set up' : 'In use'}
          </Badge>
        )
      }
    >
      {settings.isError && (
        <div className="p-5">
          <FailureNotice
            title="Failed to load SMTP settings"
            onRetry={() => void settings.refetch()}
            retrying={settings.isFetching}
          >
            {sentenceOf(settings.error)}
          </FailureNotice>
        </div>
      )}
      {settings.isPending && <SkeletonRows rows={3}>Loading settings...</SkeletonRows>}
      {/* Stays mounted if a refetch fails: it may have unsaved input. */}
      {settings.data !== undefined && <SmtpForm stored={settings.data} />}
    </Card>
  );
}
