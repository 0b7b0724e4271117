import { t } from '@invigil/core/texts/i18n';
import { ArrowRight, LayoutDashboard, X } from 'lucide-react';
import { useLayoutEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { QuestionNavigator } from '../../question-view/question-navigator.tsx';
import { Button, buttonClasses } from '../../ui/button.tsx';
import { LanguageChoice } from '../candidate-bar.tsx';
import { useAttempt, useNotices } from '../current-attempt.ts';
import { useFaceMissing } from '../notices/camera-overlay.tsx';
import { questionStates, useCurrentQuestion } from '../question-states.ts';
import { HandButton } from './hand.tsx';
import { ReadingControls } from './reading-controls.tsx';

/**
 * "7/25" in the bar of small screens: opens the navigator as a bottom sheet. The sheet is a native modal
 * dialog: it traps the focus and closes on Escape without extra script.
 */
export function QuestionsButton() {
  const { paper, announcements, messages } = useAttempt();
  const [current] = useCurrentQuestion(paper);
  const [open, setOpen] = useState(false);
  const sheet = useRef<HTMLDialogElement>(null);
  const position = `${current + 1}/${paper.length}`;
  const close = () => sheet.current?.close();
  const { counted, leftFor, voice } = useNotices();
  const isFaceMissing = useFaceMissing();
  // Close the sheet, which is in the top layer and would cover a warning or message, before the warning takes
  // the focus, which the closing sheet returns.
  useLayoutEffect(() => {
    const isWarned = counted !== null || leftFor !== null || voice || isFaceMissing;
    if (isWarned || announcements.length > 0) sheet.current?.close();
  }, [counted, leftFor, voice, isFaceMissing, announcements]);
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        aria-label={t(
          /* {position}: 7/25, the question and how many there are */
          'questionsSheet.open',
          'Q {position}, show all questions',
          { position },
        )}
        onClick={() => {
          setOpen(true);
          sheet.current?.showModal();
        }}
        className={`${buttonClasses('secondary', 'admin')} order-3 flex-none px-3! text-sm! max-[359px]:[&_svg]:hidden lg:hidden ${messages.length > 0 ? 'max-sm:[&_svg]:hidden' : ''}`}
      >
        <LayoutDashboard />
        {t(/* {position}: 7/25; as short as can be */ 'questionsSheet.short', 'Q {position}', {
          position,
        })}
      </button>
      <dialog
        ref={sheet}
        aria-labelledby="questions-sheet"
        onClose={() => setOpen(false)}
        // A press on the dialog element itself is on the scrim.
        onPointerDown={(event) => {
          if (event.target === event.currentTarget) close();
        }}
        className="fixed inset-x-0 top-auto bottom-0 m-0 mx-auto max-h-[92dvh] w-full max-w-130 animate-sheet overflow-y-auto overscroll-contain rounded-t-xl bg-raised text-ink shadow-lg outline-none backdrop:bg-scrim"
      >
        {open && <Sheet onDone={close} />}
      </dialog>
    </>
  );
}

function Sheet({ onDone }: { onDone(): void }) {
  const { paper, sync } = useAttempt();
  const [current, , jump] = useCurrentQuestion(paper);
  const [, navigate] = useLocation();
  return (
    <div className="flex flex-col gap-4 px-4 pt-2 pb-[calc(1rem+env(safe-area-inset-bottom))]">
      <span aria-hidden="true" className="h-1 w-9 flex-none self-center rounded-[2px] bg-line-2" />
      <div className="flex items-center justify-between">
        <h2 id="questions-sheet" className="text-lg!">
          {t('test.questions', 'Questions')}
        </h2>
        <button
          type="button"
          aria-label={t(/* a button: closes the list of questions */ 'ui.close', 'Close')}
          onClick={onDone}
          className="-me-2 grid size-11 place-items-center rounded-md text-ink-2 hover:bg-hover"
        >
          <X className="size-5" />
        </button>
      </div>
      <QuestionNavigator
        states={questionStates(paper, sync.values)}
        current={current}
        touch
        onGo={(index) => {
          onDone();
          jump(index);
        }}
      />
      <Button
        variant="primary"
        size="large"
        full
        className="flex-row-reverse"
        icon={<ArrowRight />}
        onClick={() => navigate('/quiz/review')}
      >
        {t(/* a button that opens the page Review Your Answers */ 'test.review', 'Review & Submit')}
      </Button>
      <HandButton onPress={onDone} />
      <div className="border-t border-line pt-4">
        <ReadingControls />
        <LanguageChoice />
      </div>
    </div>
  );
}
