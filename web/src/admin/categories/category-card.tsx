import type { Category } from '@invigil/core/contract/assessments/categories';
import { Pencil, Trash2 } from 'lucide-react';
import { formatDate } from '../../lib/dates.ts';
import { IconButton } from '../../ui/icon-button.tsx';

/** One category: name, description, created date, edit and delete. */
export function CategoryCard({
  category,
  onEdit,
  onDelete,
}: {
  category: Category;
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
        <h2 className="min-w-0 break-words">{name}</h2>
        <div className="-mt-1 -mr-2 flex">
          <IconButton label={`Edit ${name}`} tooltip="Edit" onClick={onEdit}>
            <Pencil />
          </IconButton>
          <IconButton label={`Delete ${name}`} tooltip="Delete" onClick={onDelete}>
            <Trash2 />
          </IconButton>
        </div>
      </div>
      <p className={`break-words whitespace-pre-line ${description ? 'text-ink-2' : 'text-ink-3'}`}>
        {description || 'No description provided'}
      </p>
      <p className="mt-2 text-xs text-ink-3">Created {formatDate(createdAt)}</p>
    </article>
  );
}
