import { zodResolver } from '@hookform/resolvers/zod';
import { type Category, CategoryBody } from '@invigil/core/contract/assessments/categories';
import { findNamesake } from '@invigil/core/domain/category-name';
import { useForm } from 'react-hook-form';
import { TextArea } from '../../ui/fields/text-area.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { toast } from '../../ui/toasts/toast.ts';
import { FormDialog } from '../form-dialog.tsx';
import { useCategories, useSaveCategory } from './api.ts';

/** Adds or edits a category. */
export function CategoryDialog({
  category,
  onClose,
}: {
  category: Category | null;
  onClose(): void;
}) {
  const isNew = category === null;
  const categories = useCategories();
  const save = useSaveCategory(category?.id ?? null);
  const form = useForm({
    resolver: zodResolver(CategoryBody),
    defaultValues: { name: category?.name ?? '', description: category?.description ?? '' },
  });
  const { errors } = form.formState;
  return (
    <FormDialog
      form={form}
      title={isNew ? 'Add Category' : 'Edit Category'}
      description="Assessments are grouped by category."
      submitLabel={isNew ? 'Create category' : 'Save category'}
      busyLabel={isNew ? 'Creating…' : 'Saving…'}
      failed={isNew ? 'Failed to create category' : 'Failed to update category'}
      onClose={onClose}
      onSubmit={async ({ name, description }) => {
        const namesake = findNamesake(categories.data ?? [], name, category?.id);
        if (namesake !== undefined) {
          const message = `There is a category called “${namesake.name}” already`;
          return form.setError('name', { message }, { shouldFocus: true });
        }
        const saved = await save.mutateAsync({ name, description: description || null });
        toast({
          title: isNew ? 'Category created' : 'Category updated',
          description: saved.name,
        });
        onClose();
      }}
    >
      <TextField label="Name" required error={errors.name?.message} {...form.register('name')} />
      <TextArea
        label="Description"
        optional
        error={errors.description?.message}
        {...form.register('description')}
      />
    </FormDialog>
  );
}
