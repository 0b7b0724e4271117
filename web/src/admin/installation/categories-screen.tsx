import { zodResolver } from '@hookform/resolvers/zod';
import {
  type Category,
  CategoryBody,
  createCategory,
  deleteCategory,
  listCategories,
  updateCategory,
} from '@invigil/core/contract/assessments/categories';
import { findNamesake } from '@invigil/core/domain/category-name';
import { compareNames } from '@invigil/core/domain/locale';
import { isolated } from '@invigil/core/domain/typed-text';
import { t } from '@invigil/core/texts/i18n';
import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { formatDate } from '../../lib/format.ts';
import { callEndpoint, type SentBody } from '../../net/api.ts';
import { changeCached, endpointQuery } from '../../net/endpoint-query.ts';
import { Button } from '../../ui/button.tsx';
import { TextArea } from '../../ui/fields/text-area.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Card, EmptyState, PageHeader } from '../../ui/page.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { useBank } from '../data/bank.ts';
import { useMay } from '../data/own-rights.ts';
import { whoMaySentence } from '../data/role-words.ts';
import { ConfirmAction, FormDialog, fieldIn } from '../parts/dialogs.tsx';
import { LoadFailure } from '../parts/failures.tsx';
import { useRead } from '../parts/stale-notice.tsx';

const LIST = endpointQuery(listCategories, {});
/** Assessments show the name of their category. */
const QUIZZES = ['api', 'quizzes'];

function useCategories() {
  return useQuery(LIST);
}

const changeList = (client: QueryClient, change: (list: Category[]) => Category[]) =>
  changeCached(client, LIST.queryKey, change);

const byName = (a: Category, b: Category) => compareNames(a.name, b.name);

function useSaveCategory(id: string | null) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ before, ...body }: SentBody<typeof updateCategory>) =>
      id === null
        ? callEndpoint(createCategory, { body })
        : callEndpoint(updateCategory, { params: { id }, body: { ...body, before } }),
    onSuccess: async (saved) => {
      await changeList(client, (list) =>
        [...list.filter((other) => other.id !== saved.id), saved].sort(byName),
      );
      await client.invalidateQueries({ queryKey: QUIZZES });
    },
  });
}

function useDeleteCategory() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => callEndpoint(deleteCategory, { params: { id } }),
    onSuccess: (_, id) => changeList(client, (list) => list.filter((other) => other.id !== id)),
  });
}

export function CategoriesScreen() {
  const categories = useCategories();
  const [editing, setEditing] = useState<Category | 'new' | null>(null);
  const [deleting, setDeleting] = useState<Category | null>(null);
  const may = useMay();
  const mayAdd = may('categories.edit');
  const addButton = mayAdd && (
    <Button variant="primary" icon={<Plus />} onClick={() => setEditing('new')}>
      {t(/* a button, and the title of its dialog */ 'settings.category.add', 'Add Category')}
    </Button>
  );

  return (
    <>
      <PageHeader
        title={t(/* heading of a page */ 'settings.category.title', 'Category Management')}
        subtitle={t(
          /* of a page about categories */ 'settings.category.subtitle',
          'Group assessments by topic',
        )}
      >
        {/* An empty list shows the same button in its middle. */}
        {categories.data?.length !== 0 && addButton}
      </PageHeader>
      {categories.isError ? (
        <LoadFailure
          title={t('settings.category.loadFailed', 'Failed to load categories')}
          read={categories}
        />
      ) : categories.isPending ? (
        <LoadingCards />
      ) : categories.data.length === 0 ? (
        <Card>
          <EmptyState action={addButton}>
            {t(
              /* “one”: a category */ 'settings.category.none',
              'No categories yet. Every assessment needs one, so start here.',
            )}
          </EmptyState>
        </Card>
      ) : (
        <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,18rem),1fr))] gap-4">
          {categories.data.map((category) => (
            <li key={category.id} className="grid">
              <CategoryCard
                category={category}
                mayEdit={may('categories.edit', { categoryId: category.id })}
                onEdit={() => setEditing(category)}
                onDelete={() => setDeleting(category)}
              />
            </li>
          ))}
        </ul>
      )}
      {!mayAdd && (
        <p className="mt-4 text-sm text-ink-3">
          {whoMaySentence(['categories.edit'], 'addCategories')}
        </p>
      )}
      {editing !== null && (
        <CategoryDialog
          category={editing === 'new' ? null : editing}
          onClose={() => setEditing(null)}
        />
      )}
      {deleting !== null && (
        <DeleteCategory category={deleting} onClose={() => setDeleting(null)} />
      )}
    </>
  );
}

function DeleteCategory({ category, onClose }: { category: Category; onClose(): void }) {
  const questions = useBank({ categoryId: category.id, state: 'active' }, 1, 1).data?.total ?? 0;
  return (
    <ConfirmAction
      action={useDeleteCategory()}
      subject={category.id}
      done={{
        title: t('settings.category.deleted', 'Category deleted'),
        description: category.name,
      }}
      failed={t('settings.category.deleteFailed', 'Failed to delete category')}
      onClose={onClose}
    >
      {t(
        'settings.category.deleteText',
        'Delete the category “{name}”? A category that assessments use cannot be deleted.',
        { name: isolated(category.name) },
      )}
      {questions > 0 &&
        ` ${t('settings.category.questions', '{count, plural, one {# question will have no category.} other {# questions will have no category.}}', { count: questions })}`}
    </ConfirmAction>
  );
}

function LoadingCards() {
  return (
    <div role="status">
      <p className="mb-3 text-sm text-ink-2">
        {t('settings.category.loading', 'Loading categories...')}
      </p>
      <div className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,18rem),1fr))] gap-4">
        {['a', 'b', 'c'].map((key) => (
          <div key={key} className="grid gap-3 rounded-lg border border-line bg-surface p-5">
            <Skeleton className="w-1/2" />
            <Skeleton className="w-4/5" />
            <Skeleton className="w-1/3" />
          </div>
        ))}
      </div>
    </div>
  );
}

function CategoryCard({
  category,
  mayEdit,
  onEdit,
  onDelete,
}: {
  category: Category;
  mayEdit: boolean;
  onEdit(): void;
  onDelete(): void;
}) {
  const { name, description, createdAt } = category;
  return (
    <article
      aria-label={name}
      className="grid grid-rows-[auto_1fr_auto] gap-2 rounded-lg border border-line bg-surface p-5"
    >
      <div className="flex items-start justify-between gap-3">
        <h2 className="min-w-0 wrap-anywhere">{name}</h2>
        {mayEdit && (
          <div className="-mt-1 -me-2 flex">
            <IconButton
              data-edit=""
              label={t(
                /* a button; {name} is that of a category */ 'settings.category.editOf',
                'Edit {name}',
                { name: isolated(name) },
              )}
              tooltip={t(/* a button */ 'portal.edit', 'Edit')}
              onClick={onEdit}
            >
              <Pencil />
            </IconButton>
            <IconButton
              label={t(
                /* a button; {name} is what is deleted */ 'settings.deleteOf',
                'Delete {name}',
                { name: isolated(name) },
              )}
              tooltip={t(/* a button */ 'portal.delete', 'Delete')}
              onClick={onDelete}
            >
              <Trash2 />
            </IconButton>
          </div>
        )}
      </div>
      <p
        className={`wrap-anywhere whitespace-pre-line ${description ? 'text-ink-2' : 'text-ink-3'}`}
      >
        {description ? (
          <bdi>{description}</bdi>
        ) : (
          t(/* of a category */ 'settings.category.noDescription', 'No description provided')
        )}
      </p>
      <p className="mt-2 text-xs text-ink-3">
        {t(/* a category; {date} is a date */ 'settings.category.createdOn', 'Created {date}', {
          date: formatDate(createdAt),
        })}
      </p>
    </article>
  );
}

type Details = Pick<Category, 'name'> & { description?: string | null | undefined };

const formOf = ({ name, description }: Details) => ({ name, description: description ?? '' });

const wordsOf = ({ name, description }: Details) => ({
  [t(/* a field: of a category */ 'portal.nameOfThing', 'Name')]: name,
  [t(/* a field: of a category */ 'portal.description', 'Description')]: description ?? '',
});

function CategoryDialog({ category, onClose }: { category: Category | null; onClose(): void }) {
  const isNew = category === null;
  const categories = useCategories();
  const save = useSaveCategory(category?.id ?? null);
  const form = useForm({
    resolver: zodResolver(CategoryBody),
    defaultValues: formOf({ name: '', description: '', ...category }),
  });
  const read = useRead({
    name: category?.name ?? '',
    description: category?.description ?? null,
  });
  return (
    <FormDialog
      form={form}
      stale={{ what: 'category', read, valuesIn: formOf, wordsOf }}
      title={
        isNew
          ? t(/* a button, and the title of its dialog */ 'settings.category.add', 'Add Category')
          : t('settings.category.edit', 'Edit Category')
      }
      description={t('settings.category.explanation', 'Assessments are grouped by category.')}
      submitLabel={
        isNew
          ? t(/* a button */ 'settings.category.create', 'Create category')
          : t(/* a button */ 'settings.category.save', 'Save category')
      }
      busyLabel={
        isNew
          ? t(/* on a button */ 'portal.creating', 'Creating…')
          : t(/* on a button */ 'portal.saving', 'Saving…')
      }
      failed={
        isNew
          ? t('settings.category.createFailed', 'Failed to create category')
          : t('settings.category.updateFailed', 'Failed to update category')
      }
      onClose={onClose}
      onSubmit={async ({ name, description }) => {
        const namesake = findNamesake(categories.data ?? [], name, category?.id);
        if (namesake !== undefined) {
          const message = t(
            'settings.category.namesake',
            'There is a category called “{name}” already',
            { name: isolated(namesake.name) },
          );
          form.setError('name', { message }, { shouldFocus: true });
          return undefined;
        }
        const saved = await save.mutateAsync({
          ...{ name, description: description || null, before: read.before },
        });
        const title = isNew
          ? t('settings.category.created', 'Category created')
          : t('settings.category.updated', 'Category updated');
        return { title, description: saved.name };
      }}
    >
      <TextField
        label={t(/* a field: of a category */ 'portal.nameOfThing', 'Name')}
        required
        {...fieldIn(form, 'name')}
      />
      <TextArea
        label={t(/* a field: of a category */ 'portal.description', 'Description')}
        optional
        {...fieldIn(form, 'description')}
      />
    </FormDialog>
  );
}
