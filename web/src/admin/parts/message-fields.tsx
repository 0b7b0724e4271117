import { QUESTION_NUMBER } from '@invigil/core/contract/review/participants';
import { numberText } from '@invigil/core/domain/locale';
import { t } from '@invigil/core/texts/i18n';
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
export const endMessage = (): string => t('parts.endMessage', 'Sentence for the candidate');
export const endMessageHint = (): string =>
  t(
    'parts.endMessage.hint',
    'Optional. Shown on the page about the end, with the time for a note. Your reason stays in the audit log.',
  );

const opening = (): string =>
  `${t(/* begins a message; {number}: replaced by a number for each candidate */ 'parts.message.opening', 'Question {number}:', { number: QUESTION_NUMBER })} `;

/** The text once a question is selected (or none): it names the question where it does not yet. */
function textAbout(text: string, about: string): string {
  if (about === '') return text.startsWith(opening()) ? text.slice(opening().length) : text;
  return text.includes(QUESTION_NUMBER) ? text : opening() + text;
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
        label={t(/* a label; what is sent to a candidate */ 'portal.message', 'Message')}
        required
        hint={
          values.about === ''
            ? t(
                'parts.message.hint',
                'At most {most} characters. Stored with the attempt. Each paper has its own order: question 3 is another question for another candidate.',
                { most: numberText(1_000) },
              )
            : t(
                /* {number} stays in the message until it is sent */ 'parts.message.hintAbout',
                'At most {most} characters. Stored with the attempt. {number} becomes the number that the question has on each paper.',
                { most: numberText(1_000), number: QUESTION_NUMBER },
              )
        }
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
      label={t(
        /* a label: the question that a message is about */ 'parts.message.about',
        'About question',
      )}
      optional
      hint={t('parts.message.aboutHint', 'Candidates without this question get no message.')}
      options={[
        { value: NONE, label: t('parts.message.aboutNone', 'No question in particular') },
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
