import { optionLetter } from '@invigil/core/domain/locale';
import {
  QUESTION_MESSAGES,
  type QuestionDraft,
  validateQuestion,
} from '@invigil/core/domain/questions/question-options';
import { t } from '@invigil/core/texts/i18n';
import {
  type FormEvent,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
} from 'react';
import { keepTypedSince } from '../../lib/typed-since.ts';
import { CONTROL, CONTROL_SIZE, FieldNote } from '../../ui/fields/field.tsx';
import { BubbleRadio, RadioGroup } from '../../ui/fields/radio-group.tsx';
import { TextArea } from '../../ui/fields/text-area.tsx';

const LETTERS = [0, 1, 2, 3].map(optionLetter);
const LINE_BREAK = /\r\n|\r|\n/;

/**
 * Question text and four options; the bubble of the correct one is filled, as on an answer sheet. Shows
 * one problem at a time, at its field.
 */
export function QuestionForm({
  initial,
  startsFocused = false,
  onDirtyChange,
  onSubmit,
  children,
}: {
  initial: TypedQuestion;
  /** Opened by a button, so focus the first field. */
  startsFocused?: boolean;
  onDirtyChange(dirty: boolean): void;
  /**
   * Returns `true` if stored, so that the form can be reset.
   *
   * @param isUntouched whether the form still has the sent values
   */
  onSubmit(draft: QuestionDraft, isUntouched: () => boolean): Promise<boolean>;
  children: ReactNode;
}) {
  const id = useId();
  const [typed, setTyped] = useState(initial);
  /** The current input, for callers that await a response. */
  const latest = useRef(initial);
  const [problem, setProblem] = useState<{ place: QuestionPlace; message: string } | null>(null);
  const questionRef = useRef<HTMLTextAreaElement>(null);
  const optionsRef = useRef<HTMLFieldSetElement>(null);

  useEffect(() => {
    if (startsFocused) questionRef.current?.focus();
  }, [startsFocused]);

  const differs = (other: TypedQuestion) => JSON.stringify(other) !== JSON.stringify(initial);
  const isDirty = differs(typed);
  const tellDirty = useEffectEvent(onDirtyChange);
  useEffect(() => tellDirty(isDirty), [isDirty]);

  const take = (next: TypedQuestion) => {
    latest.current = next;
    setTyped(next);
  };
  const change = (part: Partial<TypedQuestion>) => {
    const next = { ...typed, ...part };
    take(next);
    setProblem(null);
    // Synchronously, not after rendering: an immediate Escape must already ask for confirmation.
    onDirtyChange(differs(next));
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const validated = validateTypedQuestion(typed);
    if (!validated.ok) {
      setProblem(validated);
      if (validated.place === 'question') questionRef.current?.focus();
      else
        focusInside(
          optionsRef.current,
          validated.place === 'options' ? 'input, textarea' : '[role="radio"]',
        );
      return;
    }
    const isUntouched = () => latest.current === typed;
    if (!(await onSubmit(validated.draft, isUntouched))) return;
    // Preserve input and focus if the next question is already being typed.
    const starts = isUntouched();
    take(keepTypedSince(typed, latest.current, initial));
    if (starts) questionRef.current?.focus();
  };
  const at = (place: QuestionPlace) => (problem?.place === place ? problem.message : undefined);
  const optionsProblem = at('options') ?? at('correctAnswer');

  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="grid gap-4">
      <TextArea
        ref={questionRef}
        label={t(/* the text of a question */ 'portal.question', 'Question')}
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
        <legend className="mb-1.5 p-0 font-medium">
          {t(/* the answers from which candidates select */ 'portal.options', 'Options')}
        </legend>
        <RadioGroup
          label={t('portal.correctAnswer', 'Correct answer')}
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
                label={t(
                  /* a button that marks it so */ 'questionForm.optionIsCorrect',
                  'Option {letter} is the correct answer',
                  { letter },
                )}
              />
              <OptionInput
                label={t('questionForm.option', 'Option {letter}', { letter })}
                multiline={LINE_BREAK.test(initial.options[index] ?? '')}
                invalid={at('options') !== undefined}
                value={typed.options[index] ?? ''}
                onChange={(value) => change({ options: typed.options.with(index, value) })}
              />
            </div>
          ))}
        </RadioGroup>
        <FieldNote
          id={`${id}-options-note`}
          hint={t(
            'questionForm.hint',
            'Click the letter of the correct answer. Enter at least two options.',
          )}
          error={optionsProblem}
        />
      </fieldset>
      {children}
    </form>
  );
}

/** One of the four. An option of a file may hold line breaks, which a plain input would drop. */
function OptionInput({
  label,
  multiline,
  invalid,
  value,
  onChange,
}: {
  label: string;
  multiline: boolean;
  invalid: boolean;
  value: string;
  onChange(value: string): void;
}) {
  const control = {
    required: true,
    'aria-label': label,
    placeholder: label,
    ...(invalid ? { 'aria-invalid': true } : {}),
    value,
  };
  if (multiline) {
    return (
      <textarea
        {...control}
        rows={value.split(LINE_BREAK).length}
        onChange={(event) => onChange(event.target.value)}
        className={`${CONTROL} ${CONTROL_SIZE.admin} block field-sizing-content resize-none py-1.5`}
      />
    );
  }
  return (
    <input
      type="text"
      {...control}
      onChange={(event) => onChange(event.target.value)}
      className={`${CONTROL} ${CONTROL_SIZE.admin}`}
    />
  );
}

function focusInside(container: HTMLElement | null, selector: string) {
  container?.querySelector<HTMLElement>(selector)?.focus();
}

interface TypedQuestion {
  question: string;
  options: readonly string[];
  keyIndex: number | null;
}

export const NO_QUESTION: TypedQuestion = {
  question: '',
  options: ['', '', '', ''],
  keyIndex: null,
};

type QuestionPlace = 'question' | 'options' | 'correctAnswer';

type ValidatedQuestion =
  | { ok: true; draft: QuestionDraft }
  | { ok: false; place: QuestionPlace; message: string };

/**
 * The specification's messages in its order, one at a time: question, two options, key, key among the
 * options, two options that are not blank. Core validates the rest (equal options, lengths).
 */
function validateTypedQuestion({ question, options, keyIndex }: TypedQuestion): ValidatedQuestion {
  const refuse = (place: QuestionPlace, message: string) =>
    ({ ok: false, place, message }) as const;
  const key = keyIndex === null ? '' : (options[keyIndex] ?? '').trim();
  const filled = options.filter((option) => option.trim() !== '');

  if (question.trim() === '') return refuse('question', QUESTION_MESSAGES.noQuestion());
  if (options.filter((option) => option !== '').length < 2) {
    return refuse('options', QUESTION_MESSAGES.twoOptions());
  }
  if (keyIndex === null) return refuse('correctAnswer', QUESTION_MESSAGES.noCorrectAnswer());
  if (key === '') return refuse('correctAnswer', QUESTION_MESSAGES.correctAnswerNotAnOption());
  if (filled.length < 2) return refuse('options', QUESTION_MESSAGES.twoValidOptions());

  const validated = validateQuestion(question, options, key);
  if (validated.ok) return validated;
  const first = validated.problems[0];
  return refuse(first?.path ?? 'question', first?.message ?? QUESTION_MESSAGES.noQuestion());
}

export function typedQuestionOf(stored: {
  question: string;
  options: readonly string[];
  correctAnswer: string;
}): TypedQuestion {
  const options = Array.from({ length: 4 }, (_, i) => stored.options[i] ?? '');
  const keyIndex = options.indexOf(stored.correctAnswer);
  return { question: stored.question, options, keyIndex: keyIndex < 0 ? null : keyIndex };
}
