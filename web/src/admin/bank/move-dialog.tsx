import { type FormEvent, useId, useState } from 'react';
import { sentenceOf } from '../../net/api.ts';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { FormFooter } from '../../ui/dialogs/form-footer.tsx';
import { SelectField } from '../../ui/fields/select-field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { toast } from '../../ui/toasts/toast.ts';
import { useQuizzes } from '../assessments/api.ts';
import { useChangeBank } from './bank-api.ts';
import { questionsWords } from './bank-words.ts';

/** The value of "Bank only" in a list of assessments. */
export const BANK_ONLY = 'bank';

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
  const formId = useId();
  const quizzes = useQuizzes();
  const change = useChangeBank();
  const [target, setTarget] = useState<string>(BANK_ONLY);
  const move = async (event: FormEvent) => {
    event.preventDefault();
    try {
      const quizId = target === BANK_ONLY ? null : target;
      const { changed } = await change.mutateAsync({ ids, quizId });
      toast({
        title: 'Questions moved',
        description: questionsWords(changed, 'was', 'were', 'moved.'),
      });
      onDone();
    } catch {
      // Shown in the dialog.
    }
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title="Move questions"
      description={`${questionsWords(ids.length, 'belongs', 'belong', 'to')} one assessment at a time, or to the bank only.`}
      footer={
        <FormFooter formId={formId} busy={change.isPending && 'Moving…'}>
          Move
        </FormFooter>
      }
    >
      <form id={formId} onSubmit={(event) => void move(event)} className="grid gap-4">
        {change.isError && (
          <Notice tone="bad" role="alert">
            {sentenceOf(change.error)}
          </Notice>
        )}
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
      </form>
    </Dialog>
  );
}
