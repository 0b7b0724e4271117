import {
  ConsentToBody,
  type OwnParticipant,
} from '@invigil/core/contract/attempts/own-participant';
import { type ConsentTo, coversConsent } from '@invigil/core/domain/consent';
import { everyText } from '@invigil/core/texts/amounts';
import { Calendar, ChevronDown, ClipboardList, Lock, Mic, Scale, Video } from 'lucide-react';
import { AlertDialog } from 'radix-ui';
import type { ReactNode } from 'react';
import { z } from 'zod';
import { tabKey } from '../../lib/person/local-keys.ts';
import { Button } from '../../ui/button.tsx';
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
  const monitored = camera || policy.microphone;
  const terms: Term[] = [];
  if (camera) {
    terms.push({
      name: 'camera',
      sign: <Video />,
      line: (
        <>
          <b>Your camera</b> stays on: this device checks {everyText(policy.face.everyMs)}{' '}
          {policy.faceCovered
            ? 'what it shows. Your face may be partly covered.'
            : 'whether you are in view.'}
        </>
      ),
      details: `It checks whether your face is in view${policy.faceCovered ? ' (if not, that is noted and never counts)' : ''}, whether someone else is, where you look, and whether the picture is dark, covered or does not move. It does not identify you or analyze emotions. ${stillsText(policy.stillEveryMs)}`,
    });
  }
  if (policy.microphone) {
    terms.push({
      name: 'microphone',
      sign: <Mic />,
      line: (
        <>
          <b>Your microphone</b> stays on: this device measures how loud it is and whether someone
          speaks.
        </>
      ),
      details: 'No sound is recorded, and speech is not turned into text.',
    });
  }
  terms.push({
    name: 'answers',
    sign: <ClipboardList />,
    line: (
      <>
        <b>Your answers</b>, their times and what this page detects are recorded.
      </>
    ),
    details: `This page detects when you leave it${policy.fullscreen ? ' or fullscreen' : ''}. It also detects copying, printing, a second screen and connection gaps. The server adds what it notices itself. If you sign in again after the end, you see what a reviewer is asked to look at. Your network address and the device check are kept with your answers.`,
  });
  if (!monitored) return [...terms, ...termsOfRecords(days)];
  return [
    ...terms,
    {
      name: 'why',
      sign: <Scale />,
      line: (
        <>
          <b>Why</b>: so that everyone takes this assessment under the same conditions.
        </>
      ),
      details:
        'The violation policy on the instructions page says what counts and what happens then. What cannot be determined never counts against you.',
    },
    {
      name: 'who',
      sign: <Lock />,
      line: (
        <>
          <b>Who sees it</b>: administrators only, and every view is logged.
        </>
      ),
      details: camera
        ? `When something is detected, small photos${policy.microphone ? ' and the sound level' : ''} of the ten seconds before and after it are kept, encrypted. During the assessment, administrators can also view your camera picture. It is not kept.`
        : 'When something is detected, the sound level of the ten seconds before and after it is kept, encrypted.',
    },
    {
      name: 'how-long',
      sign: <Calendar />,
      line: (
        <>
          <b>How long</b>: {recordedParts(camera, policy.microphone)} are deleted after{' '}
          {daysText(days)}.
        </>
      ),
      details: `The device check is deleted then, too. ${KEPT}`,
    },
  ];
}

/** The data that is stored besides the answers, by the devices in use. */
function recordedParts(camera: boolean, microphone: boolean): string {
  if (!camera) return 'sound levels';
  return microphone ? 'photos and sound levels' : 'photos';
}

/** The parts without camera and microphone. */
function termsOfRecords(days: number): Term[] {
  return [
    {
      name: 'who',
      sign: <Lock />,
      line: (
        <>
          <b>Who sees it</b>: administrators only.
        </>
      ),
      details: 'They use it to grade the assessment and to resolve problems.',
    },
    {
      name: 'how-long',
      sign: <Calendar />,
      line: (
        <>
          <b>How long</b>: the device check is deleted after {daysText(days)}.
        </>
      ),
      details: KEPT,
    },
  ];
}

const KEPT =
  'Your answers, the result and the list of what was detected are kept. You can ask for a copy or for earlier deletion.';

const daysText = (days: number) => (days === 1 ? '1 day' : `${days} days`);

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

function stillsText(everyMs: number | null): string {
  return everyMs === null ? '' : `One photo ${everyText(everyMs)} is kept in any case.`;
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
              aria-label="What you agree to"
              // biome-ignore lint/a11y/noNoninteractiveTabindex: on a phone it scrolls, by keyboard too
              tabIndex={0}
              className="min-h-0 overflow-y-auto rounded-t-xl pt-5"
            >
              <div className="px-5 md:px-6">
                <AlertDialog.Title className="text-[1.375rem]! leading-[1.875rem]!">
                  {monitored ? 'Your consent to monitoring' : 'Your consent'}
                </AlertDialog.Title>
                <AlertDialog.Description className="mt-1 text-md text-ink-2">
                  {again &&
                    'What is monitored has changed since you agreed to it, so nothing has started. '}
                  {monitored
                    ? 'This assessment is supervised. With your agreement, from the start until you submit:'
                    : 'This assessment uses neither camera nor microphone. With your agreement, from the start until you submit:'}
                </AlertDialog.Description>
              </div>
              <Terms terms={termsOf(policy, mobile, evidenceDays)} />
            </section>
            <div
              className={`flex flex-none flex-col-reverse gap-3 border-t px-5 py-4 md:flex-row md:justify-end md:px-6 ${edges.below ? 'border-line' : 'border-transparent'}`}
            >
              <AlertDialog.Cancel asChild>
                <Button size="candidate" onClick={onReject}>
                  Reject & Exit
                </Button>
              </AlertDialog.Cancel>
              <Button variant="primary" size="candidate" onClick={onAccept}>
                Accept & Continue
              </Button>
            </div>
          </AlertDialog.Content>
        </AlertDialog.Overlay>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
