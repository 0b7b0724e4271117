import { DIFFICULTIES } from '@invigil/core/domain/questions/question-definition';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { questionsText } from '../../../lib/question-labels.ts';
import { sentenceOf } from '../../../net/api.ts';
import { Dialog } from '../../../ui/dialogs/dialog.tsx';
import { FormFooter } from '../../../ui/dialogs/form-footer.tsx';
import { SelectField } from '../../../ui/fields/select-field.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { toast } from '../../../ui/toast.ts';
import { useCategories, useQuizzes } from '../../data/assessments.ts';
import { type BankChange, useChangeBank } from '../../data/bank.ts';
import { DIFFICULTY_OPTIONS } from './bank-tools.tsx';
import { TagPicker } from './tag-picker.tsx';

const KEEP = 'keep';
const NONE = 'none';
const FIXED = [
  { value: KEEP, label: 'Leave as it is' },
  { value: NONE, label: 'None' },
];

const LABEL_TEXTS = {
  title: 'Change labels',
  button: 'Save',
  busy: 'Saving…',
  toast: 'Labels changed',
  changed: 'changed.',
};

/** Tags, category and difficulty of several questions; what is not entered stays as it is. */
export function LabelDialog({
  ids,
  onClose,
  onDone,
}: {
  ids: readonly string[];
  onClose(): void;
  onDone(): void;
}) {
  const categories = useCategories();
  const [addTags, setAddTags] = useState<string[]>([]);
  const [removeTags, setRemoveTags] = useState<string[]>([]);
  const [category, setCategory] = useState(KEEP);
  const [difficulty, setDifficulty] = useState(KEEP);
  const wanted: BankChange = {
    ...(addTags.length === 0 ? {} : { addTags }),
    ...(removeTags.length === 0 ? {} : { removeTags }),
    ...(category === KEEP ? {} : { categoryId: category === NONE ? null : category }),
    ...(difficulty === KEEP
      ? {}
      : { difficulty: DIFFICULTIES.find((known) => known === difficulty) ?? null }),
  };
  const isEmpty = Object.keys(wanted).length === 0;
  return (
    <ChangeDialog
      ids={ids}
      change={isEmpty ? null : wanted}
      texts={LABEL_TEXTS}
      description={`Of ${questionsText(ids.length)}. Candidates never see labels.`}
      unsaved={!isEmpty}
      onClose={onClose}
      onDone={onDone}
    >
      <TagPicker label="Add tags" tags={addTags} onChange={setAddTags} />
      <TagPicker label="Remove tags" tags={removeTags} onChange={setRemoveTags} />
      <SelectField
        label="Category"
        options={[
          ...FIXED,
          ...(categories.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
        ]}
        value={category}
        onChange={setCategory}
      />
      <SelectField
        label="Difficulty"
        options={[...FIXED, ...DIFFICULTY_OPTIONS]}
        value={difficulty}
        onChange={setDifficulty}
      />
    </ChangeDialog>
  );
}

export const BANK_ONLY = 'bank';

const MOVE_TEXTS = {
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
      texts={MOVE_TEXTS}
      description={`${questionsText(ids.length, 'belongs', 'belong', 'to')} one assessment at a time, or to the bank only.`}
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

function ChangeDialog({
  ids,
  change: wanted,
  texts,
  description,
  unsaved,
  children,
  onClose,
  onDone,
}: {
  ids: readonly string[];
  /** null: there is nothing to change, so saving only closes. */
  change: BankChange | null;
  texts: { title: string; button: string; busy: string; toast: string; changed: string };
  description: string;
  unsaved?: boolean;
  children: ReactNode;
  onClose(): void;
  onDone(): void;
}) {
  const formId = useId();
  const change = useChangeBank();
  const save = async (event: FormEvent) => {
    event.preventDefault();
    if (!wanted) return onClose();
    try {
      const { changed } = await change.mutateAsync({ ids, ...wanted });
      toast({
        title: texts.toast,
        description: questionsText(changed, 'was', 'were', texts.changed),
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
      title={texts.title}
      description={description}
      unsaved={unsaved ?? false}
      footer={
        <FormFooter formId={formId} busy={change.isPending && texts.busy}>
          {texts.button}
        </FormFooter>
      }
    >
      <form id={formId} onSubmit={(event) => void save(event)} className="grid gap-4">
        {change.isError && (
          <Notice tone="bad" role="alert">
            {sentenceOf(change.error)}
          </Notice>
        )}
        {children}
      </form>
    </Dialog>
  );
}
