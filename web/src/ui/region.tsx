import { t } from '@invigil/core/texts/i18n';
import { Component, createContext, type ErrorInfo, type ReactNode } from 'react';
import { FailureNotice } from './failure-notice.tsx';

interface RegionProps {
  /** Names the content to reviewers and in the log: "The sidebar". */
  name: string;
  /** Replaces the content: the title of a notice, other elements, or nothing. */
  fallback: string | ((retry: () => void) => ReactNode) | null;
  children: ReactNode;
}

/** The number of the last time that a region was tried again, of all on the page; 0: never. */
export const RegionAttempt = createContext(0);
let attempts = 0;

type Listener = (name: string, error: Error, stack: string) => void;
const listeners = new Set<Listener>();

/** Calls back when a part of the page fails; returns how to stop. */
export function onRegionFailed(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Tells who listens that a part of the page has failed. */
export function regionFailed(name: string, error: Error, { componentStack }: ErrorInfo): void {
  for (const listener of listeners) listener(name, error, componentStack ?? '');
}

let lastResort: ((retry: () => void) => ReactNode) | null = null;

/** Sets what is shown when the whole page fails; `null`: nothing of its own. */
export function setLastResort(render: typeof lastResort): void {
  lastResort = render;
}

/** The content for a failure of the whole page, if there is any. */
export function readLastResort(): typeof lastResort {
  return lastResort;
}

/**
 * A part of the page that may fail, because of a defect, a browser that changes it or a file that is gone
 * after an update of the server, and takes nothing else with it. Trying again mounts it again.
 */
export class Region extends Component<RegionProps, { failed: boolean; attempt: number }> {
  override state = { failed: false, attempt: 0 };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override componentDidCatch(error: Error, info: ErrorInfo) {
    regionFailed(this.props.name, error, info);
  }

  override render() {
    const { fallback, children } = this.props;
    const { failed, attempt } = this.state;
    if (!failed) {
      return attempt === 0 ? children : <RegionAttempt value={attempt}>{children}</RegionAttempt>;
    }
    if (fallback === null) return null;
    const retry = () => {
      attempts += 1;
      this.setState({ failed: false, attempt: attempts });
    };
    if (typeof fallback !== 'string') return fallback(retry);
    return (
      <FailureNotice
        title={fallback}
        retryLabel={t(/* a button: shows a part of the page again */ 'region.retry', 'Try again')}
        onRetry={retry}
      >
        {t('region.restGoesOn', 'The rest of the page goes on.')}
      </FailureNotice>
    );
  }
}
