import { t } from '@invigil/core/texts/i18n';
import { Frown, Meh, Smile } from 'lucide-react';
import { Dialog } from 'radix-ui';
import { useId, useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { useReturnFocus } from '../../ui/dialogs/use-return-focus.ts';
import { Choice, ChoiceGroup } from '../../ui/fields/choice-group.tsx';
import type { Feedback } from '../attempt/api.ts';

const CHOICES = [
  ['smile', () => t(/* said of the experience */ 'feedback.good', 'Good'), Smile],
  ['neutral', () => t(/* said of the experience */ 'feedback.neutral', 'Neutral'), Meh],
  ['sad', () => t(/* said of the experience */ 'feedback.bad', 'Bad'), Frown],
] as const;

/** Ignores the second click of a double click on the opening button, which lands outside the dialog. */
const DOUBLE_CLICK_MS = 500;

/** Asks for the submit, and for feedback with it (specification 2). Skipping submits too; disabled while sending. */
export function FeedbackDialog({
  open,
  submitting,
  unanswered,
  toCheck,
  onClose,
  onSubmit,
}: {
  open: boolean;
  submitting: boolean;
  unanswered: number;
  /** Names answers to check. */
  toCheck: string | null;
  onClose(): void;
  onSubmit(feedback: Feedback): void;
}) {
  const [emoji, setEmoji] = useState<Feedback['emoji'] | null>(null);
  const openedAt = useRef(0);
  const { remember, giveBack } = useReturnFocus();
  const id = useId();
  return (
    <Dialog.Root open={open} onOpenChange={(next) => next || submitting || onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 grid grid-cols-[minmax(0,1fr)] place-items-center overflow-y-auto bg-scrim p-4 short:p-2">
          <Dialog.Content
            onOpenAutoFocus={() => {
              openedAt.current = performance.now();
              remember();
            }}
            onCloseAutoFocus={giveBack}
            onPointerDownOutside={(event) => {
              // The time of the press by the page's clock, even if the event is processed late.
              const { target, timeStamp: pressedAt } = event.detail.originalEvent;
              // A message of the administrator is above the dialog.
              const isOnMessage =
                target instanceof Element && target.closest('[data-announcements]') !== null;
              if (isOnMessage || pressedAt - openedAt.current < DOUBLE_CLICK_MS) {
                event.preventDefault();
              }
            }}
            className="w-full max-w-108 animate-enter rounded-xl bg-raised px-5 pt-7 pb-5 text-center shadow-lg outline-none sm:px-7 short:max-w-168 short:pt-4 short:pb-4"
          >
            <Dialog.Title className="text-[1.375rem]! leading-[1.875rem]!">
              {t('feedback.title', 'Submit your assessment?')}
              <span className="mt-1 block text-md font-medium">
                {t('feedback.question', 'How was your experience?')}
              </span>
            </Dialog.Title>
            <Dialog.Description className="text-md text-ink-2">
              {t(
                'feedback.skippable',
                'Your choice has no effect on your result. You can skip it.',
              )}
            </Dialog.Description>
            <ChoiceGroup
              label={t('feedback.question', 'How was your experience?')}
              orientation="horizontal"
              values={CHOICES.map(([name]) => name)}
              value={emoji}
              disabled={submitting}
              onSelect={(value) => {
                const choice = CHOICES.find(([name]) => name === value);
                if (choice !== undefined) setEmoji(choice[0]);
              }}
              className="my-4 grid grid-cols-3 gap-3 short:my-2"
            >
              {CHOICES.map(([name, word, Face]) => (
                <Choice
                  key={name}
                  value={name}
                  className="grid justify-items-center gap-2 rounded-lg border border-line-2 px-2 pt-4.5 pb-3 short:flex short:min-h-11 short:items-center short:justify-center short:py-1 text-sm font-medium text-ink-2 transition-colors hover:bg-hover data-[state=checked]:border-accent data-[state=checked]:bg-accent-soft data-[state=checked]:text-accent-ink data-[state=checked]:inset-ring data-[state=checked]:inset-ring-accent"
                >
                  <Face className="size-11 short:size-7" />
                  <span>{word()}</span>
                </Choice>
              ))}
            </ChoiceGroup>
            <p
              id={id}
              className={`mb-4 rounded-lg px-4 py-2.5 text-md short:mb-2 short:py-1.5 ${unanswered > 0 || toCheck !== null ? 'bg-warn-soft text-warn-ink' : 'bg-sunken text-ink-2'}`}
            >
              {unanswered > 0 && (
                <b className="block font-semibold">
                  {t(
                    'feedback.unanswered',
                    '{n, plural, one {# question is unanswered.} other {# questions are unanswered.}}',
                    { n: unanswered },
                  )}
                </b>
              )}
              {toCheck !== null && <b className="block font-semibold">{toCheck}</b>}
              {t(
                /* names the two buttons below */
                'feedback.end',
                'Submit Assessment and Skip Feedback both end your assessment. Nothing can be changed afterwards.',
              )}
            </p>
            <div className="grid gap-2 short:grid-cols-3">
              <Button
                variant="primary"
                size="large"
                full
                busy={submitting && t('test.submitting', 'Submitting...')}
                disabled={emoji === null && !submitting}
                aria-describedby={id}
                onClick={() => emoji !== null && onSubmit({ emoji, skipped: false })}
              >
                {t('test.submit', 'Submit Assessment')}
              </Button>
              <Button
                // The one way on until a face is chosen looks like it.
                variant={emoji === null ? 'primary' : 'secondary'}
                size="large"
                full
                disabled={submitting}
                aria-describedby={id}
                onClick={() => onSubmit({ emoji: 'smile', skipped: true })}
              >
                {t('feedback.skip', 'Skip Feedback')}
              </Button>
              <Dialog.Close asChild>
                <Button variant="ghost" size="candidate" full disabled={submitting}>
                  {t('feedback.back', 'Back to review')}
                </Button>
              </Dialog.Close>
            </div>
          </Dialog.Content>
        </Dialog.Overlay>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
