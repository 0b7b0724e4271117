import { DIFFICULTIES } from '@invigil/core/domain/questions/question-definition';
import type { ReactNode } from 'react';
import { type FieldValues, type UseFormReturn, useForm } from 'react-hook-form';
import { questionsText } from '../../../lib/question-labels.ts';
import { toast } from '../../../ui/toast.ts';
import { useCategoryOptions, useQuizOptions } from '../../data/assessments.ts';
import { type BankChange, useChangeBank } from '../../data/bank.ts';
import { FormDialog, FormSelect } from '../../parts/dialogs.tsx';
import { DIFFICULTY_OPTIONS } from './bank-tools.tsx';
import { TagPicker } from './tag-picker.tsx';

const DIRTY = { shouldDirty: true };

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
  failed: 'Failed to change the labels',
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
  const categories = useCategoryOptions();
  const form = useForm({ defaultValues: UNCHANGED });
  const { addTags, removeTags } = form.watch();
  return (
    <ChangeDialog
      ids={ids}
      form={form}
      changeOf={changeOfLabels}
      texts={LABEL_TEXTS}
      description={`Of ${questionsText(ids.length)}. Candidates never see labels.`}
      onClose={onClose}
      onDone={onDone}
    >
      <TagPicker
        label="Add tags"
        tags={addTags}
        onChange={(tags) => form.setValue('addTags', tags, DIRTY)}
      />
      <TagPicker
        label="Remove tags"
        tags={removeTags}
        onChange={(tags) => form.setValue('removeTags', tags, DIRTY)}
      />
      <FormSelect
        form={form}
        name="category"
        label="Category"
        options={[...FIXED, ...categories]}
      />
      <FormSelect
        form={form}
        name="difficulty"
        label="Difficulty"
        options={[...FIXED, ...DIFFICULTY_OPTIONS]}
      />
    </ChangeDialog>
  );
}

interface Labels {
  addTags: string[];
  removeTags: string[];
  category: string;
  difficulty: string;
}
const UNCHANGED: Labels = { addTags: [], removeTags: [], category: KEEP, difficulty: KEEP };

/** `null`: there is nothing to change. */
function changeOfLabels({ addTags, removeTags, category, difficulty }: Labels): BankChange | null {
  const wanted: BankChange = {
    ...(addTags.length === 0 ? {} : { addTags }),
    ...(removeTags.length === 0 ? {} : { removeTags }),
    ...(category === KEEP ? {} : { categoryId: category === NONE ? null : category }),
    ...(difficulty === KEEP
      ? {}
      : { difficulty: DIFFICULTIES.find((known) => known === difficulty) ?? null }),
  };
  return Object.keys(wanted).length === 0 ? null : wanted;
}

export const BANK_ONLY: string = 'bank';

const MOVE_TEXTS = {
  title: 'Move questions',
  button: 'Move',
  busy: 'Moving…',
  failed: 'Failed to move the questions',
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
  const quizzes = useQuizOptions();
  const form = useForm({ defaultValues: { target: BANK_ONLY } });
  return (
    <ChangeDialog
      ids={ids}
      form={form}
      changeOf={({ target }) => ({ quizId: target === BANK_ONLY ? null : target })}
      texts={MOVE_TEXTS}
      description={`${questionsText(ids.length, 'belongs', 'belong', 'to')} one assessment at a time, or to the bank only.`}
      onClose={onClose}
      onDone={onDone}
    >
      <FormSelect
        form={form}
        name="target"
        label="Move to"
        hint="Questions cannot leave an assessment that a candidate has started."
        options={[{ value: BANK_ONLY, label: 'Bank only' }, ...quizzes]}
      />
    </ChangeDialog>
  );
}

function ChangeDialog<V extends FieldValues>({
  ids,
  form,
  changeOf,
  texts,
  description,
  children,
  onClose,
  onDone,
}: {
  ids: readonly string[];
  form: UseFormReturn<V>;
  /** `null`: there is nothing to change, so saving only closes. */
  changeOf(values: V): BankChange | null;
  texts: {
    title: string;
    button: string;
    busy: string;
    failed: string;
    toast: string;
    changed: string;
  };
  description: string;
  children: ReactNode;
  onClose(): void;
  onDone(): void;
}) {
  const change = useChangeBank();
  return (
    <FormDialog
      form={form}
      title={texts.title}
      description={description}
      submitLabel={texts.button}
      busyLabel={texts.busy}
      failed={texts.failed}
      onClose={onClose}
      onSubmit={async (values) => {
        const wanted = changeOf(values);
        if (wanted === null) {
          onClose();
          return undefined;
        }
        const { changed } = await change.mutateAsync({ ids: [...ids], ...wanted });
        toast({
          title: texts.toast,
          description: questionsText(changed, 'was', 'were', texts.changed),
        });
        onDone();
        return undefined;
      }}
    >
      {children}
    </FormDialog>
  );
}
