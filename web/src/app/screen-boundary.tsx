import { t } from '@invigil/core/texts/i18n';
import { Component, type ErrorInfo, type ReactNode } from 'react';
import { Mark } from '../ui/badges/mark.tsx';
import { FailureNotice } from '../ui/failure-notice.tsx';
import { readLastResort, regionFailed } from '../ui/region.tsx';

interface State {
  failed: boolean;
  /** Content instead of the notice: during an attempt, the plain test. */
  instead: ReturnType<typeof readLastResort>;
}

/**
 * Error boundary for screens that cannot be rendered or loaded. After a server update the old files are
 * gone, so a reload usually helps.
 */
export class ScreenBoundary extends Component<{ children: ReactNode }, State> {
  override state: State = { failed: false, instead: null };

  static getDerivedStateFromError() {
    // Read now: what stands by is unmounted with the page.
    return { failed: true, instead: readLastResort() };
  }

  override componentDidCatch(error: Error, info: ErrorInfo) {
    regionFailed('The page', error, info);
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    const { instead } = this.state;
    if (instead !== null) return instead(() => this.setState({ failed: false }));
    return (
      <main className="grid min-h-dvh place-items-center p-5">
        <div className="grid w-full max-w-[30rem] gap-5">
          <Mark withName />
          <FailureNotice
            title={t('page.failed', 'This page could not be shown')}
            retryLabel={t(/* a button: reloads the page */ 'page.reload', 'Reload')}
            onRetry={() => window.location.reload()}
          >
            {t('page.failed.text', 'Reload the page to continue. What was saved is safe.')}
          </FailureNotice>
        </div>
      </main>
    );
  }
}
