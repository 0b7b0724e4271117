import { zodResolver } from '@hookform/resolvers/zod';
import { type Category, CategoryBody } from '@invigil/core/contract/assessments/categories';
import { findNamesake } from '@invigil/core/domain/category-name';
import { useId } from 'react';
import { useForm } from 'react-hook-form';
import { showIssues } from '../../net/form-refusal.ts';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { FormFooter } from '../../ui/dialogs/form-footer.tsx';
import { TextArea } from '../../ui/fields/text-area.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { toast } from '../../ui/toasts/toast.ts';
import { showFailure } from '../failures.tsx';
import { useCategories, useSaveCategory } from './api.ts';

/** Adds or edits a category. */
export function CategoryDialog({
  category,
  onClose,
}: {
  category: Category | null;
  onClose(): void;
}) {
  const formId = useId();
  const categories = useCategories();
  const save = useSaveCategory(category?.id ?? null);
  const form = useForm({
    resolver: zodResolver(CategoryBody),
    defaultValues: { name: category?.name ?? '', description: category?.description ?? '' },
  });
  const { errors, isDirty } = form.formState;

  const submit = form.handleSubmit(async ({ name, description }) => {
    const namesake = findNamesake(categories.data ?? [], name, category?.id);
    if (namesake !== undefined) {
      const message = `There is a category called “${namesake.name}” already`;
      return form.setError('name', { message }, { shouldFocus: true });
    }
    try {
      const saved = await save.mutateAsync({ name, description: description || null });
      toast({
        title: category === null ? 'Category created' : 'Category updated',
        description: saved.name,
      });
      onClose();
    } catch (error) {
      showIssues(error, form.setError, ['name', 'description']);
      showFailure(
        category === null ? 'Failed to create category' : 'Failed to update category',
        error,
      );
    }
  });

  return (
    <Dialog
      open
      onClose={onClose}
      title={category === null ? 'Add Category' : 'Edit Category'}
      description="Assessments are grouped by category."
      unsaved={isDirty}
      footer={
        <FormFooter
          formId={formId}
          busy={save.isPending && (category === null ? 'Creating…' : 'Saving…')}
        >
          {category === null ? 'Create category' : 'Save category'}
        </FormFooter>
      }
    >
      <form id={formId} noValidate onSubmit={(event) => void submit(event)} className="grid gap-4">
        <TextField label="Name" required error={errors.name?.message} {...form.register('name')} />
        <TextArea
          label="Description"
          optional
          error={errors.description?.message}
          {...form.register('description')}
        />
      </form>
    </Dialog>
  );
}
