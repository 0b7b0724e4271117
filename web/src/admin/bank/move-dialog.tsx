import { useState } from 'react';
import { questionsWords } from '../../lib/question-words.ts';
import { SelectField } from '../../ui/fields/select-field.tsx';
import { useQuizzes } from '../assessments/api.ts';
import { ChangeDialog } from './change-dialog.tsx';

/** The value of "Bank only" in a list of assessments. */
export const BANK_ONLY = 'bank';

const WORDS = {
  title: 'Move questions',
  button: 'Move',
  busy: 'Moving…',
  toast: 'Questions moved',
  changed: 'moved.',
};

/** Moves questions to an assessment, where they are its own, or to the bank only. */
export function MoveDialog({
  ids,
  onClose,
  onDone,
}: {
  ids: readonly string[];
  onClose(): void;
  onDone(): void;
}) {
  const quizzes = useQuizzes();
  const [target, setTarget] = useState<string>(BANK_ONLY);
  return (
    <ChangeDialog
      ids={ids}
      change={{ quizId: target === BANK_ONLY ? null : target }}
      words={WORDS}
      description={`${questionsWords(ids.length, 'belongs', 'belong', 'to')} one assessment at a time, or to the bank only.`}
      onClose={onClose}
      onDone={onDone}
    >
      <SelectField
        label="Move to"
        hint="Questions cannot leave an assessment that a candidate has started."
        options={[
          { value: BANK_ONLY, label: 'Bank only' },
          ...(quizzes.data ?? []).map(({ id, title }) => ({ value: id, label: title })),
        ]}
        value={target}
        onChange={setTarget}
      />
    </ChangeDialog>
  );
}
