import type { Account } from '@invigil/core/contract/accounts/auth';
import type { OwnParticipant } from '@invigil/core/contract/attempts/own-participant';
import { consentAskedBy } from '@invigil/core/domain/consent';
import { RETENTION_LIMITS } from '@invigil/core/domain/limits';
import { tabSwitchesUntilEnd } from '@invigil/core/domain/violations/applied-limits';
import { t } from '@invigil/core/texts/i18n';
import { AppWindow, ArrowLeft, ArrowRight, TriangleAlert } from 'lucide-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { Redirect, useLocation } from 'wouter';
import { formatDateTime } from '../../lib/format.ts';
import { zoneText } from '../../lib/moment-text.ts';
import { useSession } from '../../lib/person/session.tsx';
import { attemptMonitor } from '../../proctoring/attempt-monitor.ts';
import { thisDevice } from '../../proctoring/device/device-kind.ts';
import { type Device, permissionsSentence } from '../../proctoring/device/media-failure.ts';
import {
  canFullscreen,
  enterTestFullscreen,
  isFullscreen,
  leaveFullscreen,
} from '../../proctoring/sensors/screen.ts';
import { useFullscreen } from '../../proctoring/use-monitor.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { dismissCalmToasts } from '../../ui/toast.ts';
import { CandidateBar } from '../candidate-bar.tsx';
import { CameraNeededScreen } from '../entry/camera-needed.tsx';
import {
  CONSENT_TEXT_VERSION,
  ConsentDialog,
  consentGiven,
  forgetConsent,
  keepConsent,
} from '../entry/consent-dialog.tsx';
import { cutText, useTimeAllowed } from '../entry/use-time-allowed.ts';
import { needsComputer, needsFullscreen } from '../monitoring/monitor-plan.ts';
import { ongoingPage } from '../navigation.ts';
import { MissingCodeNotice } from '../notices/notices.tsx';
import { Steps } from '../steps.tsx';
import { CheckList, DetectorLicences } from './check-list.tsx';
import { useConnectionCheck, useKeepsAnswers } from './connection-check.ts';
import { DeviceCards } from './device-cards.tsx';
import { type DeviceCheck, useDeviceCheck } from './use-device-check.ts';
import {
  notStartedText,
  preparationText,
  type StartProblem,
  usePreparation,
  useStart,
} from './use-start.ts';
import { useTogether } from './use-together.ts';

/** Loaded only where an assessment has an opening time that has not come. */
const Waiting = lazy(() => import('./waiting.tsx'));
/** Loaded only where all start together. */
const WaitingRoom = lazy(() => import('./waiting-room.tsx'));

/** Consent, then the devices; the attempt starts with the button here (specification 2). */
export function PermissionsScreen() {
  const { account } = useSession();
  const [refused, setRefused] = useState(false);
  const quiz = account?.quiz ?? null;
  const ongoing = ongoingPage();
  if (ongoing !== null) return <Redirect to={ongoing} replace />;
  if (account === null || quiz === null) return null;
  const { attempt } = account;
  // A running attempt uses the policy it started under.
  const running = attempt?.status === 'in_progress';
  const policy = running ? attempt.policy : quiz.policy;
  if (refused) return <CameraNeededScreen role="alert" />;
  if (!running && needsComputer(policy, thisDevice())) return <CameraNeededScreen />;
  return (
    <DeviceCheckScreen
      key={quiz.id}
      account={account}
      quizId={quiz.id}
      policy={policy}
      computerUsed={running && attempt.computerUsed}
      running={running}
      onRefused={() => setRefused(true)}
    />
  );
}

/** The consent on this device; whoever continues agreed at the start, and that is stored with the attempt. */
function useConsent(
  { user, attempt }: Account,
  quizId: string,
  policy: OwnParticipant['policy'],
  running: boolean,
) {
  const to = consentAskedBy(policy);
  const by = { userId: user.id, quizId };
  const [consent, setConsent] = useState(() =>
    running ? { at: Date.parse(attempt?.startedAt ?? ''), to } : consentGiven(by, to),
  );
  const [isAskedAgain, setIsAskedAgain] = useState(false);
  return {
    consent,
    isAskedAgain,
    accept() {
      const given = { at: Date.now(), to };
      keepConsent(by, given);
      setConsent(given);
    },
    /** The text of the consent has changed since. */
    askAgain() {
      forgetConsent();
      setIsAskedAgain(true);
      setConsent(null);
    },
  };
}

function DeviceCheckScreen({
  account,
  quizId,
  policy,
  computerUsed,
  running,
  onRefused,
}: {
  account: Account;
  quizId: string;
  policy: OwnParticipant['policy'];
  computerUsed: boolean | undefined;
  running: boolean;
  /** The server requires a camera, which this device does not have. */
  onRefused(): void;
}) {
  const [, navigate] = useLocation();
  const [device] = useState(thisDevice);
  const { consent, isAskedAgain, accept, askAgain } = useConsent(account, quizId, policy, running);
  const check = useDeviceCheck(policy, consent !== null);
  const connection = useConnectionCheck();
  const keepsAnswers = useKeepsAnswers();
  const allowedTime = useTimeAllowed(account);
  const cut = allowedTime && cutText(allowedTime);
  const fullscreen = needsFullscreen(policy, device, canFullscreen());
  // A broken camera does not block a running attempt; its absence is recorded.
  const withoutDevice = running && check.failed;
  const preparation = usePreparation();
  // A candidate who continues does not wait: the clock is running.
  const isPrepared = running || preparation.isReady;
  const together = useTogether(account);
  const isThrough = consent !== null && (check.granted || withoutDevice) && isPrepared;
  const ready = isThrough && together.isOpen;
  const isWaiting = together.waits && isThrough;
  useLeavingStopsDevices();
  // The toast about the sign-in belongs to the previous screen.
  useEffect(dismissCalmToasts, []);

  const { press, start, isStarting, problem } = useStart(account, quizId, {
    onConsentOutdated: askAgain,
    onCameraRequired: onRefused,
    again: () => ready && (!fullscreen || isFullscreen()) && start(startDetails(consent)),
  });
  const startDetails = ({ to }: NonNullable<typeof consent>) => ({
    consent: { textVersion: CONSENT_TEXT_VERSION, to },
    deviceCheck: {
      ...check.report(),
      connection: connection.kind,
      keepsAnswers,
      roundTripMs: 'roundTripMs' in connection ? connection.roundTripMs : null,
    },
  });
  const begin = () => {
    if (consent === null) return;
    if (account.preview) return navigate('/quiz/preview');
    // Called before any await: browsers grant fullscreen only during the click.
    if (fullscreen) void enterTestFullscreen();
    void press(startDetails(consent));
  };
  const sayReady = () => {
    if (fullscreen) void enterTestFullscreen();
    together.wait();
  };
  const startCommon = () => {
    // The room knows of the start before this screen does.
    if (consent !== null && isThrough && !isStarting) void press(startDetails(consent));
  };
  const reject = () => {
    attemptMonitor.stop();
    navigate('/');
  };
  return (
    <>
      <title>{`${t(/* name of a page */ 'deviceCheck.page', 'Device check')} · Invigil`}</title>
      <CandidateBar canLeave>
        <Steps current="deviceCheck" />
      </CandidateBar>
      <main className="mx-auto w-full max-w-208 px-5 pt-6 pb-44 md:px-6 md:pt-10 md:pb-0 short:pt-5">
        <h1 className="text-[1.625rem]! leading-8! md:text-3xl! md:leading-9.5!">
          {isWaiting
            ? t(/* heading: the candidate is */ 'deviceCheck.together.ready', 'You are ready')
            : headingFor(check.devices, running)}
        </h1>
        {!isWaiting && (
          <>
            <p className="mt-1.5 max-w-[60ch] text-md text-ink-2">{leadFor(check.devices)}</p>
            <DeviceCards
              devices={check.devices}
              redAbove={policy.sound.redAbove}
              faceCovered={policy.faceCovered === true}
              result={check.result}
            />
          </>
        )}
        {together.isCommon && (
          <Suspense>
            <WaitingRoom
              first={together.first}
              waits={isWaiting}
              fullscreen={fullscreen}
              onChange={together.setOpen}
              onStart={startCommon}
            />
          </Suspense>
        )}
        <CheckList
          consentAt={consent === null ? null : new Date(consent.at)}
          connection={connection}
          keepsAnswers={keepsAnswers}
          fullscreen={fullscreen}
          policy={policy}
          device={device}
          devices={check.granted ? check.devices : []}
          result={check.result}
        />
        {check.devices.length > 0 && <DetectorLicences />}
        {together.hasOpening && !together.isCommon && (
          <Suspense>
            <Waiting first={together.first} onChange={together.setOpen} />
          </Suspense>
        )}
        <WayOut account={account} isNeeded={check.failed} />
        <MissingCodeNotice className="mt-4" />
        {problem !== null && <StartProblemNotice problem={problem} running={running} />}
        <div className="fixed inset-x-0 bottom-0 z-20 border-t border-line bg-surface px-[max(1.25rem,env(safe-area-inset-left),env(safe-area-inset-right))] py-3 pb-[calc(0.75rem+env(safe-area-inset-bottom))] md:sticky md:-mx-6 md:mt-6 md:bg-canvas md:px-6 short:flex short:items-center short:justify-end short:gap-4 short:pt-0 short:pb-[env(safe-area-inset-bottom)]">
          <StartWarnings
            tabEnds={tabSwitchesUntilEnd(policy, { ...device, computerUsed }) === 1}
            fullscreen={fullscreen}
            cut={cut}
          />
          <div className="flex items-center justify-between gap-4">
            <Button
              variant="ghost"
              size="candidate"
              className="-ms-5 max-md:hidden short:hidden"
              icon={<ArrowLeft />}
              onClick={() => navigate('/quiz/instructions')}
            >
              {t(/* a button */ 'deviceCheck.back', 'Back to instructions')}
            </Button>
            <StartActions
              {...{ account, check, preparation, together, running, isPrepared, isThrough }}
              {...{ withoutDevice, fullscreen, isStarting }}
              hasConsent={consent !== null}
              onBegin={begin}
              onReady={sayReady}
            />
          </div>
        </div>
      </main>
      <ConsentDialog
        open={consent === null}
        again={isAskedAgain}
        policy={policy}
        mobile={device.mobile}
        evidenceDays={account.evidenceDays ?? RETENTION_LIMITS.defaultDays}
        onAccept={accept}
        onReject={reject}
      />
    </>
  );
}

/** Says what is missing before the start, with the buttons that lead to it. */
function StartActions({
  account,
  check,
  preparation,
  together,
  running,
  isPrepared,
  isThrough,
  withoutDevice,
  fullscreen,
  isStarting,
  hasConsent,
  onBegin,
  onReady,
}: {
  account: Account;
  check: DeviceCheck;
  preparation: ReturnType<typeof usePreparation>;
  together: ReturnType<typeof useTogether>;
  running: boolean;
  isPrepared: boolean;
  /** Nothing is missing but the opening or the common start. */
  isThrough: boolean;
  withoutDevice: boolean;
  fullscreen: boolean;
  isStarting: boolean;
  hasConsent: boolean;
  onBegin(): void;
  onReady(): void;
}) {
  return (
    <span className="flex flex-1 flex-wrap items-center justify-end gap-x-4 gap-y-2 short:flex-nowrap">
      {isThrough && together.isOpen && !running && !together.waits && (
        <ReadyNote isPreview={account.preview === true} />
      )}
      {hasConsent && check.granted && !isPrepared && (
        <span className="grid justify-items-end gap-1 text-sm text-ink-2">
          <span id="preparing" role="status">
            {preparationText(preparation)}
          </span>
          {preparation.skip !== null && (
            <Button size="dense" onClick={preparation.skip}>
              {t(
                /* a button: without the detection software that is loading */ 'deviceCheck.startWithoutWaiting',
                'Start without waiting',
              )}
            </Button>
          )}
        </span>
      )}
      {hasConsent && !check.granted && (
        <span id="not-ready" className="text-sm text-ink-2">
          {withoutDevice
            ? t(
                'deviceCheck.withoutDevice',
                'Your assessment is under way. You can continue without the device. This is recorded.',
              )
            : permissionsSentence(check.devices, check.failed)}
        </span>
      )}
      {together.isCommon && !together.isOpen && !running ? (
        <ReadyButton
          isThrough={isThrough}
          waits={together.waits}
          fullscreen={fullscreen}
          onReady={onReady}
        />
      ) : (
        <Button
          variant="primary"
          size="large"
          className="flex-row-reverse max-md:flex-1"
          icon={<ArrowRight />}
          disabled={!(isThrough && together.isOpen)}
          aria-describedby={check.granted ? (isPrepared ? undefined : 'preparing') : 'not-ready'}
          busy={
            isStarting &&
            t(
              /* the button while the assessment is being started */ 'deviceCheck.starting',
              'Starting…',
            )
          }
          onClick={onBegin}
        >
          {running
            ? t(/* a button */ 'deviceCheck.continue', 'Continue assessment')
            : t(/* a button: the time begins with it */ 'deviceCheck.start', 'Start Assessment')}
        </Button>
      )}
    </span>
  );
}

/** Says that the candidate is ready, and leads back into fullscreen while the start is waited for. */
function ReadyButton({
  isThrough,
  waits,
  fullscreen,
  onReady,
}: {
  /** Nothing is missing but the start. */
  isThrough: boolean;
  waits: boolean;
  fullscreen: boolean;
  onReady(): void;
}) {
  const isFull = useFullscreen(fullscreen);
  if (isThrough && waits && (!fullscreen || isFull)) return null;
  return (
    <Button
      variant="primary"
      size="large"
      className="max-md:flex-1"
      disabled={!isThrough}
      aria-describedby={isThrough ? undefined : 'preparing not-ready'}
      onClick={onReady}
    >
      {isThrough && waits
        ? t(/* a button */ 'deviceCheck.together.fullscreen', 'Enter fullscreen')
        : t(
            /* a button: the candidate says so, and waits for the start */ 'deviceCheck.together.iAmReady',
            'I am ready',
          )}
    </Button>
  );
}

/** Says before the start what the button begins. */
function ReadyNote({ isPreview }: { isPreview: boolean }) {
  return (
    <span className="text-sm text-ink-2">
      {isPreview
        ? t(
            /* this is a preview of the assessment */ 'deviceCheck.preview',
            'Preview. Nothing is saved.',
          )
        : t('deviceCheck.clockStarts', 'The clock starts when you press the button.')}
    </span>
  );
}

/** Why the button did not lead into the test, and what has started. */
function StartProblemNotice({
  problem: { title, unanswered, isBack = false },
  running,
}: {
  problem: StartProblem;
  running: boolean;
}) {
  const isPassing = isBack || unanswered !== undefined;
  const known = running
    ? t('deviceCheck.problem.running', 'Your assessment is under way, and its clock is running.')
    : unanswered === 'unsure'
      ? t('deviceCheck.problem.unsure', 'The assessment may have started, and its clock with it.')
      : notStartedText();
  const next = isBack
    ? running
      ? t(
          /* said to the candidate: with the assessment */ 'deviceCheck.problem.continueNow',
          'Continue now.',
        )
      : t('deviceCheck.problem.startNow', 'You can start now.')
    : unanswered === undefined
      ? t(/* to start the assessment */ 'deviceCheck.problem.tryAgain', 'Try again in a moment.')
      : running || unanswered === 'unsure'
        ? t(
            /* it: the page */ 'deviceCheck.problem.continues',
            'Stay on this page: it keeps trying, and continues as soon as it can.',
          )
        : t(
            /* it: the page */ 'deviceCheck.problem.starts',
            'Stay on this page: it keeps trying, and starts as soon as it can.',
          );
  return (
    <div className="mt-4">
      <Notice tone={isPassing ? 'warn' : 'bad'} role="alert" icon={<TriangleAlert />} title={title}>
        {`${known} ${next}`}
      </Notice>
    </div>
  );
}

/** Whom to ask where a device does not work. Who has started goes on without it. */
function WayOut({ account, isNeeded }: { account: Account; isNeeded: boolean }) {
  if (!isNeeded || account.attempt?.status === 'in_progress') return null;
  const end = account.quiz?.startBy ?? account.quiz?.endDate ?? null;
  return (
    <div className="mt-4">
      <Notice
        tone="accent"
        role="status"
        title={t(/* the camera or microphone */ 'deviceCheck.wayOut.title', 'Still not working?')}
      >
        {t(
          /* it: the camera or microphone */ 'deviceCheck.wayOut.ask',
          'Ask the person who invited you: they can let you start without it.',
        )}{' '}
        {notStartedText()}
        {end !== null &&
          ` ${t(/* until: a moment with its time zone */ 'deviceCheck.wayOut.until', 'You can start until {until}.', { until: formatDateTime(end) + zoneText(end, account.timeZone) })}`}
      </Notice>
    </div>
  );
}

function leadFor(devices: readonly Device[]): string {
  return devices.length === 0
    ? t('deviceCheck.noDevices', 'This assessment uses neither camera nor microphone.')
    : t(
        'deviceCheck.lead',
        '{devices, select, camera {Check that we can see you. Nothing is recorded on this page.} microphone {Check that we can hear you. Nothing is recorded on this page.} other {Check that we can see and hear you. Nothing is recorded on this page.}}',
        { devices: devices.join('_') },
      );
}

function headingFor(devices: readonly string[], running: boolean): string {
  if (devices.length === 0)
    return running
      ? t(/* heading */ 'deviceCheck.readyToContinue', 'Ready to continue')
      : t(/* heading */ 'deviceCheck.readyToStart', 'Ready to start');
  if (devices.length === 1)
    return devices.includes('camera')
      ? t(/* the device */ 'deviceCheck.camera.title', 'Camera')
      : t(/* the device */ 'deviceCheck.microphone.title', 'Microphone');
  return t(/* heading */ 'deviceCheck.cameraAndMicrophone', 'Camera and microphone');
}

/** Stops the devices and leaves fullscreen when leaving this screen, except to the test. */
function useLeavingStopsDevices(): void {
  useEffect(
    () => () => {
      if (window.location.pathname.startsWith('/quiz/assessment')) return;
      attemptMonitor.stop();
      void leaveFullscreen();
    },
    [],
  );
}

function StartWarnings({
  tabEnds,
  fullscreen,
  cut,
}: {
  tabEnds: boolean;
  fullscreen: boolean;
  /** Why less than the full time is left, and how much. */
  cut: string | null;
}) {
  return (
    <div className="mb-2 grid gap-2 text-sm text-warn-ink empty:hidden short:mb-0 short:flex-1 short:gap-0">
      {tabEnds && (
        <p className="flex items-start gap-2 [&_svg]:mt-0.5 [&_svg]:size-4 [&_svg]:flex-none">
          <AppWindow />
          <span>
            <b className="font-semibold">
              {t('deviceCheck.tabEnds', 'Leaving this tab ends the assessment.')}
            </b>
            <span className="short:hidden">
              {' '}
              {t('deviceCheck.closePrograms', 'Close messages and other programs now.')}
              {fullscreen && (
                <span className="max-md:hidden">{` ${t('deviceCheck.stayInFullscreen', 'Stay in fullscreen until you submit.')}`}</span>
              )}
            </span>
          </span>
        </p>
      )}
      {cut !== null && (
        <p role="status" className="font-medium">
          {cut}
        </p>
      )}
    </div>
  );
}
