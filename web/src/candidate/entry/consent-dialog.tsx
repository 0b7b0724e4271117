import {
  ConsentToBody,
  type OwnParticipant,
} from '@invigil/core/contract/attempts/own-participant';
import { type ConsentTo, coversConsent } from '@invigil/core/domain/consent';
import { everyText } from '@invigil/core/texts/amounts';
import { t } from '@invigil/core/texts/i18n';
import { Calendar, ChevronDown, ClipboardList, Lock, Mic, Scale, Video } from 'lucide-react';
import { AlertDialog } from 'radix-ui';
import type { ReactNode } from 'react';
import { z } from 'zod';
import { tabKey } from '../../lib/person/local-keys.ts';
import { Button } from '../../ui/button.tsx';
import { Trans } from '../../ui/trans.tsx';
import { useScrollEdges } from '../../ui/use-scroll-edges.ts';
import { focusHeading } from '../navigation.ts';

/** Increased with every change of the consent text; stored with each attempt. */
export const CONSENT_TEXT_VERSION = '2026-8';

const Given = z.object({
  userId: z.string(),
  quizId: z.string(),
  textVersion: z.string(),
  to: ConsentToBody,
  at: z.number(),
});

type ConsentBy = Pick<z.infer<typeof Given>, 'userId' | 'quizId'>;

export type Consent = Pick<z.infer<typeof Given>, 'at' | 'to'>;

const consentKey = tabKey('invigil-consent', Given);

/**
 * The consent given in this tab for this assessment and text, so that a reload of the device check does
 * not ask again; `null` if the policy now requires more. The authoritative record is stored with the
 * attempt.
 */
export function consentGiven({ userId, quizId }: ConsentBy, asked: ConsentTo): Consent | null {
  const given = consentKey.read();
  const isTheirs = given?.userId === userId && given.quizId === quizId;
  if (!isTheirs || given.textVersion !== CONSENT_TEXT_VERSION) return null;
  return coversConsent(given.to, asked) ? { at: given.at, to: given.to } : null;
}

export function keepConsent(by: ConsentBy, consent: Consent): void {
  consentKey.write({ ...by, ...consent, textVersion: CONSENT_TEXT_VERSION });
}

/** Clears a consent that no longer matches the policy. */
export const forgetConsent = () => consentKey.remove();

interface Term {
  name: string;
  sign: ReactNode;
  /** The data, the purpose, the readers or the duration, in one line. */
  line: ReactNode;
  details: string;
}

/** The consent text for this policy. A change requires a new CONSENT_TEXT_VERSION. */
function termsOf(policy: OwnParticipant['policy'], mobile: boolean, days: number): Term[] {
  const camera = policy.camera && !mobile;
  const terms = [
    ...(camera ? [cameraTerm(policy)] : []),
    ...(policy.microphone ? [microphoneTerm()] : []),
    answersTerm(policy),
  ];
  return camera || policy.microphone
    ? [...terms, ...termsOfMonitoring(camera, policy.microphone, days)]
    : [...terms, ...termsOfRecords(days)];
}

function cameraTerm({ face, faceCovered, stillEveryMs }: OwnParticipant['policy']): Term {
  const every = everyText(face.everyMs);
  return {
    name: 'camera',
    sign: <Video />,
    line: faceCovered ? (
      <Trans
        id="consent.camera.coveredLine"
        comment="every: “every second”"
        message="<b>Your camera</b> stays on: this device checks {every} what it shows. Your face may be partly covered."
        values={{ every }}
        components={{ b: <b /> }}
      />
    ) : (
      <Trans
        id="consent.camera.line"
        comment="every: “every second”"
        message="<b>Your camera</b> stays on: this device checks {every} whether you are in view."
        values={{ every }}
        components={{ b: <b /> }}
      />
    ),
    details: sentences(
      faceCovered
        ? t(
            /* It: this device */ 'consent.camera.coveredChecks',
            'It checks whether your face is in view (if not, that is noted and never counts), whether someone else is, where you look, and whether the picture is dark, covered or does not move.',
          )
        : t(
            /* It: this device */ 'consent.camera.checks',
            'It checks whether your face is in view, whether someone else is, where you look, and whether the picture is dark, covered or does not move.',
          ),
      t(
        /* It: this device */ 'consent.camera.doesNot',
        'It does not identify you or analyze emotions.',
      ),
      stillEveryMs !== null &&
        t(
          /* every: “every 30 seconds” */ 'consent.camera.stills',
          'One photo {every} is kept in any case.',
          { every: everyText(stillEveryMs) },
        ),
    ),
  };
}

function microphoneTerm(): Term {
  return {
    name: 'microphone',
    sign: <Mic />,
    line: (
      <Trans
        id="consent.microphone.line"
        comment="it: what the microphone hears"
        message="<b>Your microphone</b> stays on: this device measures how loud it is and whether someone speaks."
        components={{ b: <b /> }}
      />
    ),
    details: t(
      'consent.microphone.details',
      'No sound is recorded, and speech is not turned into text.',
    ),
  };
}

function answersTerm({ fullscreen }: OwnParticipant['policy']): Term {
  return {
    name: 'answers',
    sign: <ClipboardList />,
    line: (
      <Trans
        id="consent.answers.line"
        message="<b>Your answers</b>, their times and what this page detects are recorded."
        components={{ b: <b /> }}
      />
    ),
    details: sentences(
      fullscreen
        ? t(
            'consent.answers.detectsFullscreen',
            'This page detects when you leave it or fullscreen.',
          )
        : t(/* it: this page */ 'consent.answers.detects', 'This page detects when you leave it.'),
      t(
        /* It: this page */ 'consent.answers.details',
        'It also detects copying, printing, a second screen and connection gaps. The server adds what it notices itself. If you sign in again after the end, you see what a reviewer is asked to look at. Your network address and the device check are kept with your answers.',
      ),
    ),
  };
}

/** Sentences one after the other. */
const sentences = (...all: (string | false)[]) => all.filter(Boolean).join(' ');

/** The parts with camera or microphone. */
function termsOfMonitoring(camera: boolean, microphone: boolean, days: number): Term[] {
  const recorded = camera ? (microphone ? 'both' : 'photos') : 'sound';
  return [
    {
      name: 'why',
      sign: <Scale />,
      line: (
        <Trans
          id="consent.why.line"
          message="<b>Why</b>: so that everyone takes this assessment under the same conditions."
          components={{ b: <b /> }}
        />
      ),
      details: t(
        'consent.why.details',
        'The violation policy on the instructions page says what counts and what happens then. What cannot be determined never counts against you.',
      ),
    },
    {
      name: 'who',
      sign: <Lock />,
      line: (
        <Trans
          id="consent.who.loggedLine"
          comment="it: what is recorded. view: someone looking at it"
          message="<b>Who sees it</b>: administrators only, and every view is logged."
          components={{ b: <b /> }}
        />
      ),
      details: sentences(
        t(
          'consent.who.kept',
          '{recorded, select, photos {When something is detected, small photos of the ten seconds before and after it are kept, encrypted.} sound {When something is detected, the sound level of the ten seconds before and after it is kept, encrypted.} other {When something is detected, small photos and the sound level of the ten seconds before and after it are kept, encrypted.}}',
          { recorded },
        ),
        camera &&
          t(
            'consent.who.live',
            'During the assessment, administrators can also view your camera picture. It is not kept.',
          ),
      ),
    },
    {
      name: 'how-long',
      sign: <Calendar />,
      line: howLong(camera, microphone, days),
      details: sentences(
        t(
          /* then: after these days */ 'consent.howLong.deviceCheckToo',
          'The device check is deleted then, too.',
        ),
        keptText(),
      ),
    },
  ];
}

/** How long what is recorded is kept. */
function howLong(camera: boolean, microphone: boolean, days: number): ReactNode {
  if (!camera) {
    return (
      <Trans
        id="consent.howLong.sound"
        message="{days, plural, one {<b>How long</b>: sound levels are deleted after # day.} other {<b>How long</b>: sound levels are deleted after # days.}}"
        values={{ days }}
        components={{ b: <b /> }}
      />
    );
  }
  return microphone ? (
    <Trans
      id="consent.howLong.photosAndSound"
      message="{days, plural, one {<b>How long</b>: photos and sound levels are deleted after # day.} other {<b>How long</b>: photos and sound levels are deleted after # days.}}"
      values={{ days }}
      components={{ b: <b /> }}
    />
  ) : (
    <Trans
      id="consent.howLong.photos"
      message="{days, plural, one {<b>How long</b>: photos are deleted after # day.} other {<b>How long</b>: photos are deleted after # days.}}"
      values={{ days }}
      components={{ b: <b /> }}
    />
  );
}

/** The parts without camera and microphone. */
function termsOfRecords(days: number): Term[] {
  return [
    {
      name: 'who',
      sign: <Lock />,
      line: (
        <Trans
          id="consent.who.line"
          comment="it: what is recorded"
          message="<b>Who sees it</b>: administrators only."
          components={{ b: <b /> }}
        />
      ),
      details: t(
        /* They: administrators. it: what is recorded */ 'consent.who.details',
        'They use it to grade the assessment and to resolve problems.',
      ),
    },
    {
      name: 'how-long',
      sign: <Calendar />,
      line: (
        <Trans
          id="consent.howLong.deviceCheck"
          message="{days, plural, one {<b>How long</b>: the device check is deleted after # day.} other {<b>How long</b>: the device check is deleted after # days.}}"
          values={{ days }}
          components={{ b: <b /> }}
        />
      ),
      details: keptText(),
    },
  ];
}

const keptText = () =>
  t(
    /* kept: not deleted by themselves */ 'consent.howLong.kept',
    'Your answers, the result and the list of what was detected are kept. You can ask for a copy or for earlier deletion.',
  );

function Terms({ terms }: { terms: readonly Term[] }) {
  return (
    <ul className="grid px-5 pt-3 pb-1 md:px-6">
      {terms.map(({ name, sign, line, details }) => (
        <li
          key={name}
          className="flex gap-3 border-t border-line py-2 text-md text-ink-2 first:border-t-0 [&_b]:font-semibold [&_b]:text-ink [&>svg]:mt-0.5 [&>svg]:size-5 [&>svg]:flex-none [&>svg]:text-accent-ink"
        >
          {sign}
          <details className="group min-w-0 flex-1">
            <summary className="flex cursor-pointer list-none gap-2 touch:min-h-11 [&::-webkit-details-marker]:hidden">
              <span className="min-w-0 flex-1">{line}</span>
              <ChevronDown className="mt-0.5 size-5 flex-none text-ink-3 group-open:rotate-180" />
            </summary>
            <p className="mt-1 text-base">{details}</p>
          </details>
        </li>
      ))}
    </ul>
  );
}

/** Asks for consent before any device is requested; it cannot be dismissed. */
export function ConsentDialog({
  open,
  again,
  policy,
  mobile,
  evidenceDays,
  onAccept,
  onReject,
}: {
  open: boolean;
  /** More is monitored than in the previous consent. */
  again: boolean;
  policy: OwnParticipant['policy'];
  mobile: boolean;
  evidenceDays: number;
  onAccept(): void;
  onReject(): void;
}) {
  const monitored = (policy.camera && !mobile) || policy.microphone;
  const [watchEdges, edges] = useScrollEdges();
  return (
    <AlertDialog.Root open={open}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className="fixed inset-0 z-40 grid grid-cols-[minmax(0,1fr)] grid-rows-[minmax(0,1fr)] place-items-center bg-scrim p-4 md:p-6">
          <AlertDialog.Content
            // Escape must not bypass the question.
            onEscapeKeyDown={(event) => event.preventDefault()}
            // Nothing opened it: the page begins at its heading.
            onCloseAutoFocus={(event) => {
              event.preventDefault();
              focusHeading();
            }}
            // The first term gets the focus; Enter must neither agree nor leave.
            onOpenAutoFocus={(event) => {
              event.preventDefault();
              if (event.currentTarget instanceof Element) {
                event.currentTarget.querySelector('section')?.focus();
              }
            }}
            className="flex max-h-full w-full max-w-140 animate-enter flex-col rounded-xl bg-raised shadow-lg outline-none"
          >
            <section
              ref={watchEdges}
              aria-label={t(/* name of a list */ 'consent.terms', 'What you agree to')}
              // biome-ignore lint/a11y/noNoninteractiveTabindex: on a phone it scrolls, by keyboard too
              tabIndex={0}
              className="min-h-0 overflow-y-auto rounded-t-xl pt-5"
            >
              <div className="px-5 md:px-6">
                <AlertDialog.Title className="text-[1.375rem]! leading-[1.875rem]!">
                  {monitored
                    ? t(/* heading */ 'consent.title', 'Your consent to monitoring')
                    : t(/* heading */ 'consent.titleOfRecords', 'Your consent')}
                </AlertDialog.Title>
                <AlertDialog.Description className="mt-1 text-md text-ink-2">
                  {again &&
                    `${t('consent.again', 'What is monitored has changed since you agreed to it, so nothing has started.')} `}
                  {monitored
                    ? t(
                        /* a list of what is recorded follows */ 'consent.lead',
                        'This assessment is supervised. With your agreement, from the start until you submit:',
                      )
                    : t(
                        /* a list of what is recorded follows */ 'consent.leadOfRecords',
                        'This assessment uses neither camera nor microphone. With your agreement, from the start until you submit:',
                      )}
                </AlertDialog.Description>
              </div>
              <Terms terms={termsOf(policy, mobile, evidenceDays)} />
            </section>
            <div
              className={`flex flex-none flex-col-reverse gap-3 border-t px-5 py-4 md:flex-row md:justify-end md:px-6 ${edges.below ? 'border-line' : 'border-transparent'}`}
            >
              <AlertDialog.Cancel asChild>
                <Button size="candidate" onClick={onReject}>
                  {t(/* a button */ 'consent.reject', 'Reject & Exit')}
                </Button>
              </AlertDialog.Cancel>
              <Button variant="primary" size="candidate" onClick={onAccept}>
                {t(/* a button */ 'consent.accept', 'Accept & Continue')}
              </Button>
            </div>
          </AlertDialog.Content>
        </AlertDialog.Overlay>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
