import { DIFFICULTIES } from '@invigil/core/domain/questions/question-definition';
import { useState } from 'react';
import { questionsWords } from '../../lib/question-words.ts';
import { SelectField } from '../../ui/fields/select-field.tsx';
import { useCategories } from '../assessments/api.ts';
import type { BankChange } from './bank-api.ts';
import { DIFFICULTY_OPTIONS } from './bank-tools.tsx';
import { ChangeDialog } from './change-dialog.tsx';
import { TagPicker } from './tag-picker.tsx';

const KEEP = 'keep';
const NONE = 'none';
const FIXED = [
  { value: KEEP, label: 'Leave as it is' },
  { value: NONE, label: 'None' },
];

const WORDS = {
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
      words={WORDS}
      description={`Of ${questionsWords(ids.length)}. Candidates never see labels.`}
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
