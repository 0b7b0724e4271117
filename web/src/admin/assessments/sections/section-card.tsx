import type { BankQuestion } from '@invigil/core/contract/assessments/bank';
import { ArrowDown, ArrowUp, Dices, ListPlus, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Checkbox } from '../../../ui/fields/checkbox.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { SectionItem } from './section-items.tsx';
import { newRule, type Problems, type SectionDraft } from './sections-draft.ts';
import type { SectionsState } from './sections-state.ts';

/** One section: its title, its order, and what it has. */
export function SectionCard({
  section,
  index,
  last,
  place,
  over,
  moved,
  known,
  qualified,
  problems,
  handleOf,
  onChange,
  onMove,
  onRemove,
  onAddQuestions,
}: {
  section: SectionDraft;
  /** From 0. */
  index: number;
  last: number;
  /** The line of its head, where items can be dropped. */
  place: number;
  /** The line that something is dragged over. */
  over: number | null;
  moved: SectionsState['moved'];
  known: ReadonlyMap<string, BankQuestion>;
  qualified: readonly number[] | undefined;
  problems: Problems;
  handleOf(place: number, name: string): ReactNode;
  onChange(next: SectionDraft): void;
  onMove(to: number): void;
  onRemove(): void;
  onAddQuestions(): void;
}) {
  const path = `structure.sections.${index}`;
  const name = section.title.trim() || `section ${index + 1}`;
  const { items } = section;
  const edge = (at: number) => (over === at ? 'outline-2 -outline-offset-2 outline-focus' : '');
  return (
    <section aria-label={name} className="rounded-lg border border-line bg-surface">
      <div
        data-place={place}
        className={`grid gap-x-5 gap-y-3 rounded-t-lg border-b border-line p-4 md:grid-cols-[minmax(0,1fr)_auto_auto] md:px-5 ${edge(place)}`}
      >
        <TextField
          label={`Title of section ${index + 1}`}
          hint="Candidates see it."
          maxLength={200}
          value={section.title}
          error={problems.get(`${path}.title`)}
          onChange={(event) => onChange({ ...section, title: event.target.value })}
        />
        <div className="md:pt-8">
          <Checkbox
            label="In random order"
            checked={section.isShuffled}
            onChange={(event) => onChange({ ...section, isShuffled: event.target.checked })}
          />
        </div>
        <div className="flex md:pt-6.5">
          <IconButton
            label={`Move ${name} up`}
            tooltip="Move up"
            unavailable={index === 0 ? 'This is the first section' : undefined}
            onClick={() => onMove(index - 1)}
          >
            <ArrowUp />
          </IconButton>
          <IconButton
            label={`Move ${name} down`}
            tooltip="Move down"
            unavailable={index === last ? 'This is the last section' : undefined}
            onClick={() => onMove(index + 1)}
          >
            <ArrowDown />
          </IconButton>
          <IconButton label={`Remove ${name}`} tooltip="Remove section" onClick={onRemove}>
            <Trash2 />
          </IconButton>
        </div>
      </div>
      {items.length === 0 ? (
        <p className="px-5 py-4 text-ink-3">Nothing is in this section yet.</p>
      ) : (
        <ol aria-label={`Entries of ${name}`}>
          {items.map((item, i) => {
            const itemName = `entry ${i + 1} of ${name}`;
            return (
              <SectionItem
                key={item.key}
                item={item}
                name={itemName}
                place={place + i + 1}
                className={edge(place + i + 1)}
                moved={moved?.key === item.key ? moved : null}
                known={'questionId' in item ? known.get(item.questionId) : undefined}
                qualified={qualified?.[i]}
                problem={problems.get(`${path}.items.${i}`)}
                handle={handleOf(place + i + 1, itemName)}
                onChange={(next) => onChange({ ...section, items: items.with(i, next) })}
                onRemove={() => onChange({ ...section, items: items.toSpliced(i, 1) })}
              />
            );
          })}
        </ol>
      )}
      <div className="flex flex-wrap gap-2 border-t border-line px-4 py-3 md:px-5">
        <Button size="dense" icon={<ListPlus />} onClick={onAddQuestions}>
          Add questions
        </Button>
        <Button
          size="dense"
          icon={<Dices />}
          onClick={() => onChange({ ...section, items: [...items, newRule()] })}
        >
          Draw questions
        </Button>
      </div>
    </section>
  );
}
