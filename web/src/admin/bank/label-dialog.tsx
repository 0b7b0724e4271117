import { DIFFICULTIES } from '@invigil/core/domain/questions/question-definition';
import { type FormEvent, useId, useState } from 'react';
import { sentenceOf } from '../../net/api.ts';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { FormFooter } from '../../ui/dialogs/form-footer.tsx';
import { SelectField } from '../../ui/fields/select-field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { toast } from '../../ui/toasts/toast.ts';
import { useCategories } from '../assessments/api.ts';
import { type BankChange, useChangeBank } from './bank-api.ts';
import { DIFFICULTY_OPTIONS } from './bank-tools.tsx';
import { questionsWords } from './bank-words.ts';
import { TagPicker } from './tag-picker.tsx';

const KEEP = 'keep';
const NONE = 'none';
const FIXED = [
  { value: KEEP, label: 'Leave as it is' },
  { value: NONE, label: 'None' },
];

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
  const formId = useId();
  const categories = useCategories();
  const change = useChangeBank();
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
  const save = async (event: FormEvent) => {
    event.preventDefault();
    if (isEmpty) return onClose();
    try {
      const { changed } = await change.mutateAsync({ ids, ...wanted });
      toast({
        title: 'Labels changed',
        description: questionsWords(changed, 'was', 'were', 'changed.'),
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
      title="Change labels"
      description={`Of ${questionsWords(ids.length)}. Candidates never see labels.`}
      unsaved={!isEmpty}
      footer={
        <FormFooter formId={formId} busy={change.isPending && 'Saving…'}>
          Save
        </FormFooter>
      }
    >
      <form id={formId} onSubmit={(event) => void save(event)} className="grid gap-4">
        {change.isError && (
          <Notice tone="bad" role="alert">
            {sentenceOf(change.error)}
          </Notice>
        )}
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
      </form>
    </Dialog>
  );
}
