import { QUESTION_NUMBER } from '@invigil/core/contract/review/participants';
import type { ComponentProps } from 'react';
import { SelectField } from '../../ui/fields/select-field.tsx';
import { TextArea } from '../../ui/fields/text-area.tsx';
import { useMayOn } from '../data/assessments.ts';
import { useQuestions } from '../data/questions.ts';

/** A message as it is typed; `about`: the id of a question, empty for none. */
export interface MessageValues {
  text: string;
  about: string;
}

export const messageOf = ({ text, about }: MessageValues) => ({
  text,
  ...(about === '' ? {} : { questionId: about }),
});

/** The sentence that goes with an end. */
export const END_MESSAGE = 'Sentence for the candidate';
export const END_MESSAGE_HINT =
  'Optional. Shown on the page about the end, with the time for a note. Your reason stays in the audit log.';

const OPENING = `Question ${QUESTION_NUMBER}: `;

/** The text once a question is selected (or none): it names the question where it does not yet. */
function textAbout(text: string, about: string): string {
  if (about === '') return text.startsWith(OPENING) ? text.slice(OPENING.length) : text;
  return text.includes(QUESTION_NUMBER) ? text : OPENING + text;
}

const NONE = 'none';
const LABEL_CHARACTERS = 70;

/** The text of a message, and the question that it is about where the administrator may see questions. */
export function MessageFields({
  field,
  values,
  quizId,
  onChange,
}: {
  field: Omit<ComponentProps<typeof TextArea>, 'label' | 'hint'>;
  values: MessageValues;
  /** Given if all candidates are of one assessment. */
  quizId: string | undefined;
  onChange(values: MessageValues): void;
}) {
  return (
    <>
      <TextArea
        label="Message"
        required
        hint={`At most 1,000 characters. Stored with the attempt. ${
          values.about === ''
            ? 'Each paper has its own order: question 3 is another question for another candidate.'
            : `${QUESTION_NUMBER} becomes the number that the question has on each paper.`
        }`}
        {...field}
      />
      {quizId !== undefined && (
        <AboutQuestion
          quizId={quizId}
          about={values.about}
          onSelect={(about) => onChange({ text: textAbout(values.text, about), about })}
        />
      )}
    </>
  );
}

function AboutQuestion({
  quizId,
  about,
  onSelect,
}: {
  quizId: string;
  about: string;
  onSelect(about: string): void;
}) {
  const mayOn = useMayOn(quizId);
  return mayOn('questions.edit') ? (
    <QuestionSelect quizId={quizId} about={about} onSelect={onSelect} />
  ) : null;
}

function QuestionSelect({ quizId, about, onSelect }: Parameters<typeof AboutQuestion>[0]) {
  const { data: questions = [] } = useQuestions(quizId);
  if (questions.length === 0) return null;
  return (
    <SelectField
      label="About question"
      optional
      hint="Candidates without this question get no message."
      options={[
        { value: NONE, label: 'No question in particular' },
        ...questions.map(({ id, question }) => ({
          value: id,
          label: question.replace(/\s+/g, ' ').slice(0, LABEL_CHARACTERS),
        })),
      ]}
      value={about === '' ? NONE : about}
      onChange={(value) => onSelect(value === NONE ? '' : value)}
    />
  );
}
