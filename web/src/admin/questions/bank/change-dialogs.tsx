import { DIFFICULTIES } from '@invigil/core/domain/questions/question-definition';
import { t } from '@invigil/core/texts/i18n';
import { useForm } from 'react-hook-form';
import { useCategoryOptions, useQuizOptions } from '../../data/assessments.ts';
import { type BankChange, useChangeBank } from '../../data/bank.ts';
import { FormDialog, FormSelect } from '../../parts/dialogs.tsx';
import { difficultyOptions } from './bank-tools.tsx';
import { TagPicker } from './tag-picker.tsx';

const DIRTY = { shouldDirty: true };

const KEEP = 'keep';
const NONE = 'none';
const fixedOptions = () => [
  {
    value: KEEP,
    label: t(
      /* an option: the category or difficulty does not change */ 'bank.leaveAsIs',
      'Leave as it is',
    ),
  },
  { value: NONE, label: t(/* an option: no category, no difficulty */ 'bank.none', 'None') },
];

interface ForSelected {
  ids: readonly string[];
  onClose(): void;
  onDone(): void;
}

/** Changes the selected; without a change the dialog only closes. */
function useChange({ ids, onClose, onDone }: ForSelected) {
  const { change } = useChangeBank();
  return async (wanted: BankChange, title: string, done: (count: number) => string) => {
    if (Object.keys(wanted).length === 0) {
      onClose();
      return undefined;
    }
    const { changed, undo } = await change(ids, wanted);
    onDone();
    return { title, description: done(changed), undo };
  };
}

const changedText = (count: number): string =>
  t(
    'portal.questions.changed',
    '{count, plural, one {# question was changed.} other {# questions were changed.}}',
    { count },
  );

const movedText = (count: number): string =>
  t(
    'portal.questions.moved',
    '{count, plural, one {# question was moved.} other {# questions were moved.}}',
    { count },
  );

/** Tags, category and difficulty of several questions; what is not entered stays as it is. */
export function LabelDialog(selected: ForSelected) {
  const categories = useCategoryOptions();
  const form = useForm({ defaultValues: UNCHANGED });
  const { addTags, removeTags } = form.watch();
  const change = useChange(selected);
  return (
    <FormDialog
      form={form}
      title={t('bank.labels.title', 'Change labels')}
      description={t(
        /* under the title “Change labels” */ 'bank.labelsOf',
        '{count, plural, one {Of # question. Candidates never see labels.} other {Of # questions. Candidates never see labels.}}',
        { count: selected.ids.length },
      )}
      submitLabel={t(/* a button */ 'portal.save', 'Save')}
      busyLabel={t('portal.saving', 'Saving…')}
      failed={t('bank.labels.failed', 'Failed to change the labels')}
      onClose={selected.onClose}
      onSubmit={(labels) =>
        change(changeOfLabels(labels), t('bank.labels.changed', 'Labels changed'), changedText)
      }
    >
      <TagPicker
        label={t('bank.labels.addTags', 'Add tags')}
        tags={addTags}
        onChange={(tags) => form.setValue('addTags', tags, DIRTY)}
      />
      <TagPicker
        label={t('bank.labels.removeTags', 'Remove tags')}
        tags={removeTags}
        onChange={(tags) => form.setValue('removeTags', tags, DIRTY)}
      />
      <FormSelect
        form={form}
        name="category"
        label={t('portal.category', 'Category')}
        options={[...fixedOptions(), ...categories]}
      />
      <FormSelect
        form={form}
        name="difficulty"
        label={t('portal.difficulty', 'Difficulty')}
        options={[...fixedOptions(), ...difficultyOptions()]}
      />
    </FormDialog>
  );
}

interface Labels {
  addTags: string[];
  removeTags: string[];
  category: string;
  difficulty: string;
}
const UNCHANGED: Labels = { addTags: [], removeTags: [], category: KEEP, difficulty: KEEP };

const changeOfLabels = ({ addTags, removeTags, category, difficulty }: Labels): BankChange => ({
  ...(addTags.length === 0 ? {} : { addTags }),
  ...(removeTags.length === 0 ? {} : { removeTags }),
  ...(category === KEEP ? {} : { categoryId: category === NONE ? null : category }),
  ...(difficulty === KEEP
    ? {}
    : { difficulty: DIFFICULTIES.find((known) => known === difficulty) ?? null }),
});

export const BANK_ONLY: string = 'bank';

/** Moves questions to an assessment, where they are its own, or to the bank only. */
export function MoveDialog(selected: ForSelected) {
  const quizzes = useQuizOptions();
  const form = useForm({ defaultValues: { target: BANK_ONLY } });
  const change = useChange(selected);
  return (
    <FormDialog
      form={form}
      title={t('bank.move.title', 'Move questions')}
      description={t(
        'portal.questions.belong',
        '{count, plural, one {# question belongs to one assessment at a time, or to the bank only.} other {# questions belong to one assessment at a time, or to the bank only.}}',
        { count: selected.ids.length },
      )}
      submitLabel={t(/* a button */ 'bank.move.submit', 'Move')}
      busyLabel={t('bank.move.busy', 'Moving…')}
      failed={t('bank.move.failed', 'Failed to move the questions')}
      onClose={selected.onClose}
      onSubmit={({ target }) =>
        change(
          { quizId: target === BANK_ONLY ? null : target },
          t('bank.move.done', 'Questions moved'),
          movedText,
        )
      }
    >
      <FormSelect
        form={form}
        name="target"
        label={t(
          /* a field: the assessment to which questions are moved */ 'bank.move.to',
          'Move to',
        )}
        hint={t(
          'bank.move.hint',
          'Questions cannot leave an assessment that a candidate has started.',
        )}
        options={[
          {
            value: BANK_ONLY,
            label: t(/* the question belongs to no assessment */ 'portal.bankOnly', 'Bank only'),
          },
          ...quizzes,
        ]}
      />
    </FormDialog>
  );
}
