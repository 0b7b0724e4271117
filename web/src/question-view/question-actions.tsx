import { t } from '@invigil/core/texts/i18n';
import { ArrowRight, ChevronLeft, ChevronRight, Eraser, Flag } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../ui/button.tsx';

export interface QuestionActionsProps {
  isFirst: boolean;
  isLast: boolean;
  isFlagged: boolean;
  isAnswered: boolean;
  /** The name of what comes after the last question, if not the review. */
  lastName?: string;
  previous(): void;
  next(): void;
  review(): void;
  clear(): void;
  flag(): void;
}

/** The buttons under the question from 1024 px on. */
export function QuestionActions(props: QuestionActionsProps) {
  const { isFirst, isFlagged, isAnswered, previous, clear, flag } = props;
  return (
    <div className="sticky bottom-0 hidden border-t border-line bg-surface lg:block">
      <div className="mx-auto flex max-w-192 items-center gap-2 px-8 py-3.5 short:py-0">
        <Button size="candidate" icon={<ChevronLeft />} aria-disabled={isFirst} onClick={previous}>
          {t(/* a button: the question before this one */ 'question.previous', 'Previous')}
        </Button>
        <span className="flex-1" />
        <Button
          variant="ghost"
          size="candidate"
          icon={<Eraser />}
          aria-disabled={!isAnswered}
          className="aria-disabled:bg-transparent"
          onClick={clear}
        >
          {t(/* a button: takes the answer away */ 'question.clear', 'Clear')}
        </Button>
        <Button
          variant="ghost"
          size="candidate"
          icon={<Flag className={isFlagged ? 'fill-warn text-warn-edge' : ''} />}
          aria-pressed={isFlagged}
          className={isFlagged ? 'bg-warn-soft text-warn-ink' : ''}
          onClick={flag}
        >
          {t(/* a button: marks the question to come back to it */ 'question.flag', 'Flag')}
        </Button>
        <span className="flex-1" />
        <Forward {...props} className="min-w-33 flex-row-reverse" size="candidate" />
      </div>
    </div>
  );
}

/** Fixed at the bottom of small screens, with icons above labels. */
export function QuestionActionsBar(props: QuestionActionsProps) {
  const { isFirst, isFlagged, isAnswered, previous, clear, flag } = props;
  return (
    <nav
      aria-label={t('question.actions', 'Question actions')}
      className="fixed inset-x-0 bottom-0 z-20 grid grid-cols-[repeat(3,minmax(3rem,4rem))_minmax(0,1fr)] items-center gap-1 border-t border-line bg-surface py-2 pe-[max(1rem,env(safe-area-inset-right))] pb-[calc(0.5rem+env(safe-area-inset-bottom))] short:grid-cols-[repeat(3,auto)_minmax(0,1fr)] short:pt-0 short:pb-[env(safe-area-inset-bottom)] ps-[max(0.5rem,env(safe-area-inset-left))] lg:hidden"
    >
      <Stacked off={isFirst} onClick={previous} icon={<ChevronLeft />}>
        {t(/* a button: the question before this one */ 'question.previous', 'Previous')}
      </Stacked>
      <Stacked off={!isAnswered} onClick={clear} icon={<Eraser />}>
        {t(/* a button: takes the answer away */ 'question.clear', 'Clear')}
      </Stacked>
      <Stacked
        pressed={isFlagged}
        onClick={flag}
        icon={<Flag className={isFlagged ? 'fill-warn text-warn-edge' : ''} />}
      >
        {t(/* a button: marks the question to come back to it */ 'question.flag', 'Flag')}
      </Stacked>
      <Forward
        {...props}
        className="ms-1 flex-row-reverse sm:min-w-56 sm:justify-self-end"
        size="large"
      />
    </nav>
  );
}

/** Next, or on the last question the link to the review. */
function Forward({
  isLast,
  lastName = t(/* a button: leads to the review of all answers */ 'question.review', 'Review'),
  next,
  review,
  className,
  size,
}: QuestionActionsProps & { className: string; size: 'candidate' | 'large' }) {
  return (
    <Button
      variant="primary"
      size={size}
      className={className}
      icon={isLast ? <ArrowRight /> : <ChevronRight />}
      onClick={isLast ? review : next}
    >
      {isLast ? lastName : t(/* a button: the question after this one */ 'question.next', 'Next')}
    </Button>
  );
}

function Stacked({
  off = false,
  pressed,
  onClick,
  icon,
  children,
}: {
  off?: boolean;
  pressed?: boolean;
  onClick(): void;
  icon: ReactNode;
  children: string;
}) {
  return (
    <button
      type="button"
      aria-disabled={off}
      aria-pressed={pressed}
      onClick={() => {
        if (!off) onClick();
      }}
      className={`grid h-13 place-content-center justify-items-center gap-0.5 rounded-md text-xs font-medium transition-colors aria-disabled:text-ink-off short:flex short:h-11 short:items-center short:gap-1.5 short:px-3 short:text-base [&_svg]:size-5 ${pressed === true ? 'bg-warn-soft text-warn-ink' : 'text-ink-2'}`}
    >
      {icon}
      <span className="short:max-[479px]:sr-only">{children}</span>
    </button>
  );
}
