import { ArrowRight, LayoutDashboard, X } from 'lucide-react';
import { Dialog } from 'radix-ui';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { Button, buttonClasses } from '../../ui/button.tsx';
import { useCurrentQuestion } from './current-question.ts';
import { QuestionNavigator } from './question-navigator.tsx';
import { questionStates } from './question-states.ts';
import { ReadingControls } from './reading-controls.tsx';
import { useAttempt } from './use-attempt.ts';

/** "7/25" in the bar of small screens: opens the navigator as a sheet from the bottom. */
export function QuestionsButton() {
  const { paper, sync } = useAttempt();
  const [current, go] = useCurrentQuestion(paper);
  const [open, setOpen] = useState(false);
  const navigate = useNavigate();
  const position = `${current + 1}/${paper.length}`;
  return (
    <Dialog.Root open={open} onOpenChange={setOpen}>
      <Dialog.Trigger
        aria-label={`${position}, show all questions`}
        className={`${buttonClasses('secondary', 'admin')} order-3 flex-none px-3! text-sm! lg:hidden`}
      >
        <LayoutDashboard aria-hidden="true" strokeWidth={1.5} />
        {position}
      </Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 bg-scrim" />
        <Dialog.Content
          aria-describedby={undefined}
          className="fixed inset-x-0 bottom-0 z-40 mx-auto flex max-h-[92dvh] w-full max-w-130 animate-sheet flex-col gap-4 overflow-y-auto rounded-t-xl bg-raised px-4 pt-2 pb-[calc(1rem+env(safe-area-inset-bottom))] shadow-lg outline-none"
        >
          <span
            aria-hidden="true"
            className="h-1 w-9 flex-none self-center rounded-[2px] bg-line-2"
          />
          <div className="flex flex-none items-center justify-between">
            <Dialog.Title className="text-lg">Questions</Dialog.Title>
            <Dialog.Close
              aria-label="Close"
              className="-mr-2 grid size-11 place-items-center rounded-md text-ink-2 hover:bg-hover"
            >
              <X aria-hidden="true" className="size-5" strokeWidth={1.5} />
            </Dialog.Close>
          </div>
          <QuestionNavigator
            states={questionStates(paper, sync.values)}
            current={current}
            touch
            onGo={(index) => {
              go(index);
              setOpen(false);
            }}
          />
          <Button
            variant="primary"
            size="large"
            full
            className="flex-none flex-row-reverse"
            icon={<ArrowRight aria-hidden="true" strokeWidth={1.5} />}
            onClick={() => void navigate('/quiz/review')}
          >
            Review & Submit
          </Button>
          <div className="flex-none border-t border-line pt-4">
            <ReadingControls />
          </div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
