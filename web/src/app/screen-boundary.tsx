import { Component, type ErrorInfo, type ReactNode } from 'react';
import { logProblem } from '../lib/problem-log.ts';
import { Mark } from '../ui/badges/mark.tsx';
import { FailureNotice } from '../ui/failure-notice.tsx';

/**
 * Error boundary for screens that cannot be rendered or loaded. After a server update the old files are
 * gone, so a reload usually helps.
 */
export class ScreenBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override componentDidCatch(error: Error, info: ErrorInfo) {
    logProblem(`A screen failed ${info.componentStack ?? ''}`, error);
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <main className="grid min-h-dvh place-items-center p-5">
        <div className="grid w-full max-w-[30rem] gap-5">
          <Mark withName />
          <FailureNotice
            title="This page could not be shown"
            retryLabel="Reload"
            onRetry={() => window.location.reload()}
          >
            Reload the page to continue. What was saved is safe.
          </FailureNotice>
        </div>
      </main>
    );
  }
}
