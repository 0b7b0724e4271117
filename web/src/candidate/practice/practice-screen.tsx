import {
  getPractice,
  type Practice,
  readPracticeImage,
} from '@invigil/core/contract/assessments/practice';
import { durationText } from '@invigil/core/texts/amounts';
import { t } from '@invigil/core/texts/i18n';
import { useEffect, useState } from 'react';
import { useParams } from 'wouter';
import { callEndpoint, hasCode, sentenceOf, urlOf } from '../../net/api.ts';
import { endTrial } from '../../proctoring/attempt-monitor.ts';
import { thisDevice } from '../../proctoring/device/device-kind.ts';
import {
  canFullscreen,
  enterTestFullscreen,
  leaveFullscreen,
} from '../../proctoring/sensors/screen.ts';
import { ImageSource } from '../../question-view/content/image-source.ts';
import { Button } from '../../ui/button.tsx';
import { FailureNotice } from '../../ui/failure-notice.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PublicPage } from '../../ui/public-page.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { neededDevices, needsFullscreen } from '../monitoring/monitor-plan.ts';
import { CheckLink, PracticeOver } from './practice-over.tsx';
import { type Checked, PracticeRun } from './practice-run.tsx';

type Stage =
  | { kind: 'before' }
  | { kind: 'running'; isMonitored: boolean }
  | { kind: 'over'; checked: Checked; isTimeUp: boolean };

/** /practice/:token: anyone can practice here. All of it stays on the page, but for the answers to be checked. */
export function PracticeScreen() {
  const { token = '' } = useParams();
  const [practice, setPractice] = useState<Practice | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const [stage, setStage] = useState<Stage>({ kind: 'before' });
  const [readings, setReadings] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each reading draws other questions
  useEffect(() => {
    const over = new AbortController();
    callEndpoint(getPractice, { params: { token }, signal: over.signal }).then(
      (found) => {
        setFailure(null);
        setPractice(found);
      },
      (cause) => over.signal.aborted || setFailure(cause),
    );
    return () => over.abort();
  }, [token, readings]);
  useEffect(() => {
    addEventListener('pagehide', endTrial);
    return () => {
      removeEventListener('pagehide', endTrial);
      endTrial();
      void leaveFullscreen();
    };
  }, []);
  const readAgain = () => {
    setPractice(null);
    setStage({ kind: 'before' });
    setReadings(readings + 1);
  };
  if (failure !== null) return <NoPractice failure={failure} onRetry={readAgain} />;
  if (practice === null) {
    return (
      <PublicPage title={titleText()} lead={leadText()}>
        <SkeletonRows>{t('preview.loading', 'Loading questions...')}</SkeletonRows>
      </PublicPage>
    );
  }
  return (
    <ImageSource value={(hash) => urlOf(readPracticeImage, { token, hash })}>
      {stage.kind === 'before' && (
        <BeforePractice
          practice={practice}
          onStart={(isMonitored) => setStage({ kind: 'running', isMonitored })}
        />
      )}
      {stage.kind === 'running' && (
        <PracticeRun
          practice={practice}
          token={token}
          isMonitored={stage.isMonitored}
          onOver={(checked, isTimeUp) => {
            endTrial();
            void leaveFullscreen();
            setStage({ kind: 'over', checked, isTimeUp });
          }}
        />
      )}
      {stage.kind === 'over' && <PracticeOver practice={practice} {...stage} onAgain={readAgain} />}
    </ImageSource>
  );
}

const titleText = () =>
  t(/* noun: practice for an assessment; title of a page */ 'practice.title', 'Practice');

const leadText = () =>
  t(
    'practice.lead',
    'Try out how an assessment works, as often as you like. Nothing that you do here is stored, and no one sees it.',
  );

/** Says the same of an address that never was one, was replaced, or is not open now. */
function NoPractice({ failure, onRetry }: { failure: unknown; onRetry(): void }) {
  const isGone = hasCode(failure, 'NOT_FOUND') || hasCode(failure, 'INVALID_INPUT');
  return (
    <PublicPage title={titleText()} lead={leadText()}>
      {isGone ? (
        <Notice
          tone="neutral"
          role="status"
          title={t(/* practice: noun */ 'practice.gone', 'This practice is not available now')}
        >
          {t(
            'practice.gone.text',
            'Your assessment is not affected, and you do not need to have practiced. You can still check your device.',
          )}
        </Notice>
      ) : (
        <FailureNotice
          title={t(/* practice: noun */ 'practice.failed', 'The practice could not be loaded')}
          onRetry={onRetry}
        >
          {sentenceOf(failure)}
        </FailureNotice>
      )}
      <CheckLink />
    </PublicPage>
  );
}

function BeforePractice({
  practice: { title, description, duration, policy, questions },
  onStart,
}: {
  practice: Practice;
  onStart(isMonitored: boolean): void;
}) {
  const device = thisDevice();
  const devices = neededDevices(policy, device).join('_');
  const start = (isMonitored: boolean) => {
    // Before any await: browsers ask for the click.
    if (needsFullscreen(policy, device, canFullscreen())) void enterTestFullscreen();
    onStart(isMonitored);
  };
  return (
    <PublicPage title={title} lead={leadText()}>
      {description !== null && description !== '' && (
        <p dir="auto" className="text-md break-words whitespace-pre-line text-ink-2">
          {description}
        </p>
      )}
      <dl className="rounded-lg border border-line bg-surface px-5 py-1">
        {[
          [t(/* label of their number */ 'instructions.questions', 'Questions'), questions.length],
          [
            t(/* label: how long the assessment takes */ 'instructions.duration', 'Duration'),
            durationText(duration),
          ],
        ].map(([label, value], index) => (
          <div
            key={label}
            className={`flex justify-between gap-4 py-2.75 ${index > 0 ? 'border-t border-line' : ''}`}
          >
            <dt className="text-ink-2">{label}</dt>
            <dd className="text-end font-medium">{value}</dd>
          </div>
        ))}
      </dl>
      <div className="grid gap-2 text-md text-ink-2">
        <p>
          {t(
            'practice.how',
            'Check each answer to see at once whether it is right. At the end you see your score, and you can start again with other questions or another order.',
          )}
        </p>
        {devices !== '' && (
          <p>
            {t(
              'practice.devices',
              '{devices, select, camera {With the camera you also see what would be noticed in an assessment. Its picture stays on this device, and nothing that is noticed here counts.} microphone {With the microphone you also see what would be noticed in an assessment. Its sound stays on this device, and nothing that is noticed here counts.} other {With camera and microphone you also see what would be noticed in an assessment. Picture and sound stay on this device, and nothing that is noticed here counts.}}',
              { devices },
            )}
          </p>
        )}
      </div>
      <div className="flex flex-wrap gap-3">
        {devices !== '' && (
          <Button size="candidate" variant="primary" onClick={() => start(true)}>
            {t(
              /* a button: practice with them */ 'practice.startWith',
              '{devices, select, camera {Start with the camera} microphone {Start with the microphone} other {Start with camera and microphone}}',
              { devices },
            )}
          </Button>
        )}
        <Button
          size="candidate"
          variant={devices === '' ? 'primary' : 'secondary'}
          onClick={() => start(false)}
        >
          {devices === ''
            ? t(/* practice; a button (verb) */ 'practice.start', 'Start')
            : t(/* without devices; a button */ 'practice.startWithout', 'Start without')}
        </Button>
      </div>
      <CheckLink />
    </PublicPage>
  );
}
