import type { ImportItem } from '@invigil/core/contract/assessments/imports';
import { Eye } from 'lucide-react';
import { pointsWords } from '../../../lib/points.ts';
import { QUESTION_TYPE_NAMES } from '../../../lib/question-words.ts';
import { Badge, type BadgeTone } from '../../../ui/badges/badge.tsx';
import type { GlyphName } from '../../../ui/badges/glyphs.tsx';
import { Checkbox } from '../../../ui/fields/checkbox.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { lineOf } from '../../bank/bank-cells.tsx';
import { QuestionKey } from '../question-key.tsx';
import { type ImportStatus, placeOf, STATUS_LABELS, statusOfItem } from './review-items.ts';

const BADGES: Record<ImportStatus, [BadgeTone, GlyphName]> = {
  unchanged: ['ok', 'ticked'],
  changed: ['accent', 'half'],
  draft: ['warn', 'dashed'],
  duplicate: ['neutral', 'ring'],
  unsupported: ['bad', 'slashed'],
};

/** One item of the file: what would become of it, and where it is. */
export function ImportItemRow({
  item,
  number,
  isSelected,
  onSelect,
  onPreview,
}: {
  item: ImportItem;
  number: number;
  isSelected: boolean;
  onSelect(isSelected: boolean): void;
  onPreview(): void;
}) {
  const { definition, notes, tags, categoryPath } = item;
  const status = statusOfItem(item);
  const [tone, glyph] = BADGES[status];
  // Many systems give questions a name of their own.
  const text = definition === null ? '' : lineOf(definition);
  const labels = [
    ...(definition === null ? [] : [QUESTION_TYPE_NAMES[definition.type]]),
    ...(definition === null || definition.points === 1 ? [] : [pointsWords(definition.points)]),
    ...(categoryPath.length === 0 ? [] : [categoryPath.join(' / ')]),
    ...tags,
  ];
  return (
    <li className="flex items-start gap-3 border-b border-line px-4 py-3 last:border-b-0 md:px-5">
      <div className="grid min-w-0 flex-1 gap-1">
        <Checkbox
          label={<span className="font-medium wrap-anywhere">{`${number}. ${item.title}`}</span>}
          disabled={definition === null}
          checked={isSelected}
          onChange={(event) => onSelect(event.target.checked)}
        />
        <div className="ml-7 grid gap-1">
          {text !== '' && text !== item.title && (
            <p className="line-clamp-2 wrap-anywhere">{text}</p>
          )}
          {definition !== null && <QuestionKey definition={definition} />}
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <Badge tone={tone} glyph={glyph}>
              {STATUS_LABELS[status]}
            </Badge>
            <span className="text-sm wrap-anywhere text-ink-2">{labels.join(', ')}</span>
          </div>
          {notes.map((note) => (
            <p
              key={note}
              className={`text-sm wrap-anywhere ${definition === null ? 'text-bad-ink' : 'text-ink-2'}`}
            >
              {note}
            </p>
          ))}
          <p className="text-xs wrap-anywhere text-ink-3">{placeOf(item)}</p>
        </div>
      </div>
      {definition !== null && (
        <IconButton label={`Preview ${number}`} tooltip="Preview" onClick={onPreview}>
          <Eye />
        </IconButton>
      )}
    </li>
  );
}
