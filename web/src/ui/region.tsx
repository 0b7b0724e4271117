import { t } from '@invigil/core/texts/i18n';
import { Component, createContext, type ErrorInfo, type ReactNode } from 'react';
import { FailureNotice } from './failure-notice.tsx';

/** The sentence of the notice in place of a part, by the name of the part. */
const TITLES = {
  'A message': () => t('region.message', 'A message could not be shown'),
  'A warning': () => t('region.warning', 'A warning could not be shown'),
  'A notice': () => t('region.notice', 'A notice could not be shown'),
  'A notice about the devices': () =>
    t('region.deviceNotice', 'A notice about the devices could not be shown'),
  'A notice about saving': () =>
    t('region.savingNotice', 'A notice about saving could not be shown'),
  'A notice about the page': () =>
    t('region.pageNotice', 'A notice about the page could not be shown'),
  'The camera picture': () => t('region.camera', 'The camera picture could not be shown'),
  'The notices of the monitoring': () =>
    t('region.monitoringNotices', 'The notices of the monitoring could not be shown'),
  'The list of questions': () =>
    t('region.questionList', 'The list of questions could not be shown'),
  'This question': () => t('region.question', 'This question could not be shown'),
  'Its answer': () =>
    t(/* its: of the question */ 'region.answer', 'Its answer could not be shown'),
};

/**
 * The name of the content is for the log and the note of a stored event, so it is not translated. Without a title of
 * its own or a fallback it is one that has a title here.
 */
type RegionProps = { children: ReactNode } & (
  | { name: keyof typeof TITLES; title?: undefined; fallback?: undefined }
  | { name: string; title: string; fallback?: undefined }
  /** Replaces the notice; `null`: nothing is shown. */
  | { name: string; title?: undefined; fallback: ((retry: () => void) => ReactNode) | null }
);

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
    const { name, title, fallback, children } = this.props;
    const { failed, attempt } = this.state;
    if (!failed) {
      return attempt === 0 ? children : <RegionAttempt value={attempt}>{children}</RegionAttempt>;
    }
    if (fallback === null) return null;
    const retry = () => {
      attempts += 1;
      this.setState({ failed: false, attempt: attempts });
    };
    if (fallback !== undefined) return fallback(retry);
    return (
      <FailureNotice
        title={title ?? TITLES[name]()}
        retryLabel={t(/* a button: shows a part of the page again */ 'region.retry', 'Try again')}
        onRetry={retry}
      >
        {t('region.restGoesOn', 'The rest of the page goes on.')}
      </FailureNotice>
    );
  }
}
