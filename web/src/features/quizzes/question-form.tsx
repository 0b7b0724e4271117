import type { QuestionDraft } from '@invigil/core/domain/question-options';
import {
  type FormEvent,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
} from 'react';
import { CONTROL, CONTROL_SIZE, FieldNote } from '../../ui/field.tsx';
import { BubbleRadio, RadioGroup } from '../../ui/radio-group.tsx';
import { TextArea } from '../../ui/text-area.tsx';
import { judgeTypedQuestion, type QuestionPlace, type TypedQuestion } from './question-fields.ts';

const LETTERS = ['A', 'B', 'C', 'D'] as const;

/**
 * Question text and four options; the bubble before the correct one is marked, as on an answer
 * sheet. One problem at a time, at its place.
 */
export function QuestionForm({
  initial,
  startsFocused = false,
  onDirtyChange,
  onSubmit,
  children,
}: {
  initial: TypedQuestion;
  /** It was opened by a press of a button, so typing can begin. */
  startsFocused?: boolean;
  onDirtyChange(dirty: boolean): void;
  /** Gives `true` when it was stored and the form may start anew. */
  onSubmit(draft: QuestionDraft): Promise<boolean>;
  /** The actions; one of them submits. */
  children: ReactNode;
}) {
  const id = useId();
  const [typed, setTyped] = useState(initial);
  const [problem, setProblem] = useState<{ place: QuestionPlace; message: string } | null>(null);
  const questionRef = useRef<HTMLTextAreaElement>(null);
  const optionsRef = useRef<HTMLFieldSetElement>(null);

  useEffect(() => {
    if (startsFocused) questionRef.current?.focus();
  }, [startsFocused]);

  const isDirty = JSON.stringify(typed) !== JSON.stringify(initial);
  const tellDirty = useEffectEvent(onDirtyChange);
  useEffect(() => tellDirty(isDirty), [isDirty]);

  const change = (part: Partial<TypedQuestion>) => {
    setTyped((now) => ({ ...now, ...part }));
    setProblem(null);
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const judged = judgeTypedQuestion(typed);
    if (!judged.ok) {
      setProblem(judged);
      if (judged.place === 'question') questionRef.current?.focus();
      else focusInside(optionsRef.current, judged.place === 'options' ? 'input' : '[role="radio"]');
      return;
    }
    if (!(await onSubmit(judged.draft))) return;
    setTyped(initial);
    questionRef.current?.focus();
  };
  const at = (place: QuestionPlace) => (problem?.place === place ? problem.message : undefined);
  const optionsProblem = at('options') ?? at('correctAnswer');

  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="grid gap-4">
      <TextArea
        ref={questionRef}
        label="Question"
        required
        value={typed.question}
        onChange={(event) => change({ question: event.target.value })}
        error={at('question')}
      />
      <fieldset
        ref={optionsRef}
        aria-describedby={`${id}-options-note`}
        className="m-0 grid min-w-0 gap-1.5 border-0 p-0"
      >
        <legend className="mb-1.5 p-0 font-medium">Options</legend>
        <RadioGroup
          label="Correct answer"
          value={typed.keyIndex === null ? null : String(typed.keyIndex)}
          onChange={(value) => change({ keyIndex: Number(value) })}
          invalid={at('correctAnswer') !== undefined}
          describedBy={`${id}-options-note`}
          className="grid gap-2"
        >
          {LETTERS.map((letter, index) => (
            <div key={letter} className="flex items-center gap-2.5">
              <BubbleRadio
                value={String(index)}
                letter={letter}
                label={`Option ${letter} is the correct answer`}
                tone="ok"
              />
              <input
                type="text"
                required
                aria-label={`Option ${letter}`}
                placeholder={`Option ${letter}`}
                {...(at('options') === undefined ? {} : { 'aria-invalid': true })}
                value={typed.options[index] ?? ''}
                onChange={(event) =>
                  change({ options: typed.options.with(index, event.target.value) })
                }
                className={`${CONTROL} ${CONTROL_SIZE.admin}`}
              />
            </div>
          ))}
        </RadioGroup>
        <FieldNote
          id={`${id}-options-note`}
          hint="Mark the bubble of the correct answer. Two options are the least."
          error={optionsProblem}
        />
      </fieldset>
      {children}
    </form>
  );
}

function focusInside(container: HTMLElement | null, selector: string) {
  container?.querySelector<HTMLElement>(selector)?.focus();
}
