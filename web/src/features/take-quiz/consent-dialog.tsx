import type { OwnParticipant } from '@invigil/core/contract/own-participant';
import { Calendar, ClipboardList, Lock, Mic, Video } from 'lucide-react';
import { AlertDialog } from 'radix-ui';
import type { ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import { everyText } from './policy-words.ts';

const icon = { 'aria-hidden': true, strokeWidth: 1.5 } as const;

/** What is agreed to, in the terms of this policy. Changing it means a new CONSENT_TEXT_VERSION. */
function Terms({ policy, mobile }: { policy: OwnParticipant['policy']; mobile: boolean }) {
  const camera = policy.camera && !mobile;
  const monitored = camera || policy.microphone;
  const terms: [name: string, sign: ReactNode, text: ReactNode][] = [];
  if (camera) {
    terms.push([
      'camera',
      <Video key="icon" {...icon} />,
      <>
        <b>Your camera</b> stays on. {capitalised(everyText(policy.face.everyMs))} this device
        checks whether your face is in view, whether somebody else is, where you look, and whether
        the picture is dark, covered or frozen. It recognises nobody and reads no feelings.
      </>,
    ]);
  }
  if (policy.microphone) {
    terms.push([
      'microphone',
      <Mic key="icon" {...icon} />,
      <>
        <b>Your microphone</b> stays on. This device measures how loud it is and whether somebody
        speaks. No sound is recorded, and speech is not turned into text.
      </>,
    ]);
  }
  if (monitored) {
    terms.push([
      'evidence',
      <Lock key="icon" {...icon} />,
      <>
        <b>When something is noticed</b>,{' '}
        {camera
          ? 'small stills of the ten seconds before and after it and the sound level'
          : 'the sound level of the ten seconds before and after it'}{' '}
        are kept, encrypted. {camera && stillsText(policy.stillEveryMs)}Only administrators can open
        them, and every viewing is logged.
        {camera && ' While you write they can also look at your camera picture; that is not kept.'}
      </>,
    ]);
  }
  terms.push([
    'answers',
    <ClipboardList key="icon" {...icon} />,
    <>
      <b>Your answers</b> and their times are recorded, and what this page notices: leaving it or
      fullscreen, copying, printing, a second screen, and connection gaps. Your network address and
      what the device check found are kept with them.
    </>,
  ]);
  if (monitored) {
    terms.push([
      'retention',
      <Calendar key="icon" {...icon} />,
      <>
        <b>After 90 days</b>, unless the organiser has set another time,{' '}
        {camera ? 'stills, sound levels' : 'sound levels'} and the device check are deleted. Your
        answers, the result and the list of what was noticed stay. You can ask for a copy or for
        earlier deletion.
      </>,
    ]);
  }
  return (
    <ul className="grid gap-3.5 px-5 pt-4 pb-1 md:px-6">
      {terms.map(([name, sign, text]) => (
        <li
          key={name}
          className="flex gap-3 text-md text-ink-2 [&_b]:font-semibold [&_b]:text-ink [&_svg]:mt-0.5 [&_svg]:size-5 [&_svg]:flex-none [&_svg]:text-accent-ink"
        >
          {sign}
          <span>{text}</span>
        </li>
      ))}
    </ul>
  );
}

function stillsText(everyMs: number | null): string {
  return everyMs === null ? '' : `One still ${everyText(everyMs)} is kept in any case. `;
}

const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** Nothing is asked of the devices before this was answered. There is no way around it. */
export function ConsentDialog({
  open,
  again,
  policy,
  mobile,
  onAccept,
  onReject,
}: {
  open: boolean;
  /** More is monitored than was agreed to before. */
  again: boolean;
  policy: OwnParticipant['policy'];
  mobile: boolean;
  onAccept(): void;
  onReject(): void;
}) {
  const monitored = (policy.camera && !mobile) || policy.microphone;
  return (
    <AlertDialog.Root open={open}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className="fixed inset-0 z-40 grid grid-cols-[minmax(0,1fr)] grid-rows-[minmax(0,1fr)] place-items-center bg-scrim p-4 md:p-6">
          <AlertDialog.Content
            // Escape must be an answer, not a way past the question.
            onEscapeKeyDown={(event) => event.preventDefault()}
            className="flex max-h-full w-full max-w-140 animate-enter flex-col rounded-xl bg-raised shadow-lg outline-none"
          >
            <section
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
              <Terms policy={policy} mobile={mobile} />
            </section>
            <div className="flex flex-none flex-col-reverse gap-3 px-5 py-4 md:flex-row md:justify-end md:px-6">
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
