import type { Account } from '@invigil/core/contract/accounts/auth';
import { dateText, figureText } from '@invigil/core/domain/locale';
import { t } from '@invigil/core/texts/i18n';
import {
  type Guideline,
  guidelines,
  limitCells,
  violationsAllowed,
} from '@invigil/core/texts/policy';
import {
  ArrowRight,
  CircleMinus,
  Maximize,
  Mic,
  ShieldCheck,
  TimerReset,
  Video,
} from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import { Redirect, useLocation } from 'wouter';
import { zoneText } from '../../lib/moment-text.ts';
import { negativeRules } from '../../lib/negative-label.ts';
import { useSession } from '../../lib/person/session.tsx';
import { logProblem } from '../../lib/problem-log.ts';
import { startDelayMs, thisDevice } from '../../proctoring/device/device-kind.ts';
import { canFullscreen, enterTestFullscreen } from '../../proctoring/sensors/screen.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { FaceFrame } from '../attempt-icons.tsx';
import { CandidateBar } from '../candidate-bar.tsx';
import { neededDevices, needsComputer, needsFullscreen } from '../monitoring/monitor-plan.ts';
import { ongoingPage } from '../navigation.ts';
import { Steps } from '../steps.tsx';
import { CameraNeeded } from './camera-needed.tsx';
import { cutText, minutesText, useTimeAllowed } from './use-time-allowed.ts';

const ICONS: Record<Guideline['name'] | 'marks', ReactNode> = {
  camera: <Video />,
  microphone: <Mic />,
  face: <FaceFrame />,
  security: <Maximize />,
  violations: <ShieldCheck />,
  marks: <CircleMinus />,
};

const UNTIL = {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
} as const;
const ELEVEN_MONTHS_MS = 334 * 86_400_000;

/** Day and time in the reader's time zone and the institution's; with the year if ambiguous. */
function untilText(at: string, timeZone: string | undefined): string {
  const isFar = Math.abs(Date.parse(at) - Date.now()) > ELEVEN_MONTHS_MS;
  return `${dateText(at, isFar ? { ...UNTIL, year: 'numeric' } : UNTIL)}${zoneText(at, timeZone)}`;
}

/** The rules of this assessment before anything starts (specification 2). */
export function InstructionsScreen() {
  const { account } = useSession();
  useRefreshAtOpening();
  const [, navigate] = useLocation();
  const quiz = account?.quiz ?? null;
  const allowedTime = useTimeAllowed(account);
  const ongoing = ongoingPage();
  if (ongoing !== null) return <Redirect to={ongoing} replace />;
  if (quiz === null) return null;
  const attempt = account?.attempt ?? null;
  const running = attempt?.status === 'in_progress';
  // A running attempt uses the policy it started under.
  const policy = running ? attempt.policy : quiz.policy;
  const device = thisDevice();
  const refused = !running && needsComputer(policy, device);
  // If a computer is required, show its rules.
  const { mobile } = refused ? { mobile: false } : device;
  const fullscreen = refused || canFullscreen();
  const ruled = { mobile, fullscreen, computerUsed: running && attempt.computerUsed };
  const cells = limitCells(policy, ruled);
  const allowed = violationsAllowed(policy, ruled);
  // Likewise a running attempt keeps what wrong answers cost when it began.
  const marks = running ? attempt.negativeMarks : quiz.negativeMarks;
  const rules = [
    ...guidelines(policy, ruled),
    ...(marks === undefined
      ? []
      : [
          {
            name: 'marks',
            title: t(
              /* heading: how they are marked */ 'instructions.wrongAnswers',
              'Wrong answers',
            ),
            text: negativeRules(marks),
          } as const,
        ]),
  ];
  const devices = neededDevices(policy, device).join('_');

  const minutes = allowedTime?.minutes ?? quiz.duration;
  const isContinued = running || account?.continuesMs !== undefined;
  const facts = [
    [
      isContinued
        ? t(/* label of a duration */ 'instructions.timeLeft', 'Time left')
        : t(/* label: how long the assessment takes */ 'instructions.duration', 'Duration'),
      minutesText(minutes),
    ] as const,
    ...factsOf(quiz, attempt, allowed, account?.timeZone),
  ];
  const check = () => {
    setTimeout(() => navigate('/quiz/permissions'), startDelayMs(device));
  };
  /** Consent and device check were at the start. Before any await: browsers ask for the click. */
  const goOn = () => {
    if (needsFullscreen(policy, device, canFullscreen())) void enterTestFullscreen();
    navigate('/quiz/assessment');
  };

  return (
    <>
      <title>{`${t(/* name of a page */ 'instructions.page', 'Instructions')} · Invigil`}</title>
      <CandidateBar canLeave>
        <Steps current="instructions" />
      </CandidateBar>
      <main className="mx-auto grid w-full max-w-256 grid-cols-[minmax(0,1fr)] items-start gap-6 px-5 pt-6 pb-28 md:px-6 md:pt-10 roomy:pb-10 short:pt-5 short:pb-16 lg:grid-cols-[minmax(0,1fr)_20rem] lg:gap-16">
        <div>
          <h1 className="text-[1.625rem]! leading-8! md:text-3xl! md:leading-9.5!">
            {running
              ? t(/* heading */ 'instructions.continueHeading', 'Continue your assessment')
              : t(/* heading */ 'instructions.heading', 'Before you start')}
          </h1>
          {!refused && !running && (
            <div className="mt-2 max-w-[56ch] text-md text-ink-2">
              <Lead account={account} />
            </div>
          )}
          {!running && account?.hasResult && (
            <Button className="mt-4" onClick={() => navigate('/quiz/result')}>
              {t(/* a button */ 'thanks.seeResult', 'See your result')}
            </Button>
          )}
          {refused && (
            <div className="mt-5">
              <CameraNeeded />
            </div>
          )}
          {running && (
            <div className="mt-5">
              <Notice
                tone="accent"
                icon={<TimerReset />}
                title={t(
                  'instructions.continues',
                  'Your assessment has started and continues where you left off.',
                )}
              >
                {t(
                  /* flags: marks that the candidate gave questions */ 'instructions.asLeft',
                  'The clock is running. Your questions, answers and flags are as you left them.',
                )}
                {devices !== '' &&
                  ` ${t('instructions.asksAgain', '{devices, select, camera {You will be asked for access to your camera again, beside the questions.} microphone {You will be asked for access to your microphone again, beside the questions.} other {You will be asked for access to your camera and microphone again, beside the questions.}}', { devices })}`}
              </Notice>
            </div>
          )}
          {quiz.description !== null && quiz.description !== '' && (
            <p
              className="me-auto mt-4 max-w-[58ch] text-md break-words whitespace-pre-line text-ink-2"
              dir="auto"
            >
              {quiz.description}
            </p>
          )}
          <ul className="mt-4 md:mt-5">
            {rules.map(({ name, title, text }, index) => (
              <li
                key={name}
                className={`grid grid-cols-[2.5rem_minmax(0,1fr)] gap-4 py-4 ${index > 0 ? 'border-t border-line' : ''}`}
              >
                <span className="grid size-10 place-items-center rounded-lg border border-line bg-surface text-accent-ink [&_svg]:size-5">
                  {ICONS[name]}
                </span>
                <div>
                  <h2>{title}</h2>
                  <p className="max-w-[58ch] text-md text-ink-2">{text}</p>
                  {name === 'violations' && cells.length > 0 && <LimitCells cells={cells} />}
                </div>
              </li>
            ))}
          </ul>
        </div>
        <section
          aria-label={quiz.title}
          className="rounded-lg border border-line bg-surface px-5 pt-4 pb-5 lg:sticky lg:top-26 lg:px-6 lg:pt-5 lg:pb-6"
        >
          <h2 className="break-words">{quiz.title}</h2>
          <dl className="mt-1">
            {facts.map(([label, value], index) => (
              <div
                key={label}
                className={`flex justify-between gap-4 py-2.75 ${index > 0 ? 'border-t border-line' : ''}`}
              >
                <dt className="text-ink-2">{label}</dt>
                <dd className="text-end font-medium">{value}</dd>
              </div>
            ))}
          </dl>
          {!running && <Preparation practice={quiz.practice} />}
          {!refused && (
            <Actions
              {...{ running, check, goOn }}
              cut={allowedTime && cutText(allowedTime)}
              devices={devices}
            />
          )}
        </section>
      </main>
    </>
  );
}

/** Ways to get ready, each in a tab of its own: this page stays. */
function Preparation({ practice }: Pick<NonNullable<Account['quiz']>, 'practice'>) {
  const links = [
    ...(practice?.token === undefined
      ? []
      : [
          [
            `/practice/${practice.token}`,
            t(
              /* label of the address of a practice assessment; a link to it */ 'practice.first',
              'Practice first',
            ),
          ] as const,
        ]),
    [
      '/check',
      t(
        /* heading of a page; also a link to it, and the label of its address */ 'check.title',
        'Check your device',
      ),
    ] as const,
  ];
  return (
    <p className="flex flex-wrap gap-x-5 border-t border-line py-1.5">
      {links.map(([to, name]) => (
        <a
          key={to}
          href={to}
          target="_blank"
          rel="noreferrer"
          className="inline-flex min-h-11 items-center text-accent-ink underline underline-offset-4"
        >
          {name}
        </a>
      ))}
    </p>
  );
}

/** Says what follows, and which attempt it is where there can be several. */
function Lead({ account }: { account: Account | null }) {
  const { counts, attempts = 1 } = account?.quiz?.retakes ?? {};
  const { number, left } = account?.retake ?? { number: 1, left: attempts };
  const most = number + left - 1;
  if (counts === undefined || most === 1) {
    return (
      <p>
        {account?.startTogether === undefined
          ? t(
              'instructions.lead',
              'Read this once. The clock starts only when you press the button on the next page, and you can take the assessment only once.',
            )
          : t(
              'instructions.lead.together',
              'Read this once. Everyone starts together, the clock starts only with the first question, and you can take the assessment only once.',
            )}
      </p>
    );
  }
  return (
    <>
      <p>
        {t(
          'instructions.leadAgain',
          'Read this once. The clock starts only when you press the button on the next page.',
        )}
      </p>
      <p>
        {t(
          /* the best attempt, the last attempt, the first attempt */ 'instructions.attempt',
          '{counts, select, best {This is attempt {number} of {most}; the best one counts.} last {This is attempt {number} of {most}; the last one counts.} other {This is attempt {number} of {most}; the first one counts.}}',
          { counts, number: figureText(number), most: figureText(most) },
        )}
      </p>
    </>
  );
}

/** Between requests for an account that still says that the assessment is to open. */
const REFRESH_MS = 2_000;

/** Shows by itself what the server tells of the paper from the opening on. */
function useRefreshAtOpening() {
  const { account, receivedAt, refresh } = useSession();
  const opensInMs = account?.opensInMs;
  useEffect(() => {
    if (opensInMs === undefined) return;
    const opensAt = receivedAt + opensInMs;
    const timer = setInterval(() => {
      if (performance.now() < opensAt) return;
      refresh().catch((cause) => logProblem('The opening could not be read; asked again', cause));
    }, REFRESH_MS);
    return () => clearInterval(timer);
  }, [opensInMs, receivedAt, refresh]);
}

function factsOf(
  quiz: NonNullable<Account['quiz']>,
  attempt: Account['attempt'],
  violations: string | null,
  timeZone: string | undefined,
): [string, string][] {
  const running = attempt?.status === 'in_progress';
  // Before it opens, the server says nothing about the paper.
  const isKnown = running || quiz.totalQuestions > 0;
  const facts: [string, string][] = [];
  if (isKnown) {
    const total = running ? attempt.totalQuestions : questionsOf(quiz);
    facts.push([
      t(/* label of their number */ 'instructions.questions', 'Questions'),
      String(total),
    ]);
  }
  // Sections draw from a bank with questions of every type.
  if (isKnown && !quiz.hasSections) {
    facts.push([
      t(/* label: the type of the questions */ 'instructions.type', 'Type'),
      quiz.hasOtherAnswers
        ? t(/* of questions */ 'instructions.severalKinds', 'Several kinds')
        : t(/* the type of all questions */ 'instructions.multipleChoice', 'Multiple choice'),
    ]);
  }
  if (violations !== null) {
    facts.push([
      t(/* label of a limit */ 'instructions.violationsAllowed', 'Violations allowed'),
      violations,
    ]);
  }
  if (!isKnown && quiz.opensAt !== undefined) {
    facts.push([
      t(/* label of a moment: the assessment opens then */ 'instructions.opens', 'Opens'),
      untilText(quiz.opensAt, timeZone),
    ]);
  }
  if (quiz.startBy !== undefined) {
    facts.push([
      t(/* label of a time: the latest to start an assessment */ 'startBy.label', 'Start by'),
      untilText(quiz.startBy, timeZone),
    ]);
  }
  if (quiz.endDate !== null) {
    // A late start leaves less time, unless the assessment lets candidates finish.
    facts.push([
      quiz.finishAfterEnd
        ? t(
            /* label of a moment: a start is possible until then */ 'instructions.openUntil',
            'Open until',
          )
        : t(/* label of a moment: the assessment closes then */ 'instructions.closes', 'Closes'),
      untilText(quiz.endDate, timeZone),
    ]);
  }
  return facts;
}

/** The number of questions on the paper: all of them if there are fewer than configured (product 4.6). */
function questionsOf(quiz: { totalQuestions: number; questionCount: number }): number {
  const { totalQuestions, questionCount } = quiz;
  return questionCount === 0 ? totalQuestions : Math.min(totalQuestions, questionCount);
}

/** The consent that comes next, and the buttons; fixed to the bottom of a small screen. */
function Actions({
  running,
  cut,
  devices,
  check,
  goOn,
}: {
  running: boolean;
  /** Says that a late start leaves less time. */
  cut: string | null;
  /** Monitored ones, `camera_microphone`; empty without any. */
  devices: string;
  check(): void;
  goOn(): void;
}) {
  return (
    <>
      <div className="border-t border-line pt-4 roomy:mb-5">
        <h3>
          {t(
            /* heading: consent to being monitored */ 'instructions.consent',
            'Proctoring consent',
          )}
        </h3>
        <p className="text-sm text-ink-2">{consentText(running, devices)}</p>
      </div>
      <div className="fixed inset-x-0 bottom-0 z-20 grid gap-2 border-t border-line bg-surface px-[max(1.25rem,env(safe-area-inset-left),env(safe-area-inset-right))] py-3 pb-[calc(0.75rem+env(safe-area-inset-bottom))] short:flex short:items-center short:justify-end short:gap-4 short:pt-0 short:pb-[env(safe-area-inset-bottom)] roomy:static roomy:border-0 roomy:p-0">
        {cut !== null && (
          <p role="status" className="text-sm font-medium text-warn-ink">
            {cut}
          </p>
        )}
        {!running && (
          <p id="not-yet" className="text-center text-sm text-ink-2 short:max-[479px]:sr-only">
            {t(
              /* what the button does */ 'instructions.notYet',
              'Continues to the device check. The clock does not start yet.',
            )}
          </p>
        )}
        <Button
          variant="primary"
          size="large"
          full
          className="flex-row-reverse short:w-auto"
          icon={<ArrowRight />}
          aria-describedby={running ? undefined : 'not-yet'}
          onClick={running ? goOn : check}
        >
          {running
            ? t(/* a button */ 'instructions.continue', 'Continue assessment')
            : t(/* a button */ 'instructions.start', 'Start Assessment')}
        </Button>
        {running && devices !== '' && (
          <Button
            size="candidate"
            full
            className="short:w-auto short:max-[479px]:hidden"
            onClick={check}
          >
            {t(
              /* a button that leads to the device check */ 'instructions.check',
              '{devices, select, camera {Check camera} microphone {Check microphone} other {Check camera and microphone}}',
              { devices },
            )}
          </Button>
        )}
      </div>
    </>
  );
}

/** Says to what the candidate agreed, or will be asked to agree. */
function consentText(running: boolean, devices: string): string {
  if (running) {
    return devices === ''
      ? t('instructions.consent.agreedToRecords', 'You agreed at the start to what is recorded.')
      : t(
          /* it: the monitoring */ 'instructions.consent.agreed',
          'You agreed to the monitoring at the start, and it goes on.',
        );
  }
  return devices === ''
    ? t(
        'instructions.consent.records',
        'This assessment uses neither camera nor microphone. Next you will be asked to agree to what is recorded.',
      )
    : t(
        'instructions.consent.monitoring',
        '{devices, select, camera {Next you will be asked to agree to camera monitoring. If you say no, the assessment does not start.} microphone {Next you will be asked to agree to microphone monitoring. If you say no, the assessment does not start.} other {Next you will be asked to agree to camera and microphone monitoring. If you say no, the assessment does not start.}}',
        { devices },
      );
}

function LimitCells({ cells }: { cells: readonly [string, string][] }) {
  return (
    <dl className="mt-3 grid grid-cols-2 gap-px overflow-hidden rounded-lg border border-line bg-line md:grid-flow-col md:grid-cols-none md:auto-cols-auto">
      {cells.map(([label, value]) => (
        <div key={label} className="bg-surface px-3.5 py-2.5 max-md:last:odd:col-span-2">
          <dt className="text-xs text-ink-3">{label}</dt>
          <dd className="font-semibold">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
