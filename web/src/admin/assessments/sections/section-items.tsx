import type { BankQuestion } from '@invigil/core/contract/assessments/bank';
import { DIFFICULTIES } from '@invigil/core/domain/questions/question-definition';
import { Trash2 } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { Link } from 'react-router';
import { pointsWords } from '../../../lib/points.ts';
import { QUESTION_TYPE_NAMES, questionsWords } from '../../../lib/question-words.ts';
import { Checkbox } from '../../../ui/fields/checkbox.tsx';
import { FieldNote } from '../../../ui/fields/field.tsx';
import { SelectField } from '../../../ui/fields/select-field.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { DIFFICULTY_NAMES, lineOf } from '../../bank/bank-cells.tsx';
import { TagPicker } from '../../bank/tag-picker.tsx';
import { useCategories } from '../api.ts';
import { useBankQuestion } from './sections-api.ts';
import type { ItemDraft, RuleDraft } from './sections-draft.ts';
import type { SectionsState } from './sections-state.ts';

const ANY = 'any';

/** One entry of a section: a question, or a rule with how many questions qualify for it. */
export function SectionItem({
  item,
  name,
  place,
  className,
  moved,
  known,
  qualified,
  problem,
  handle,
  onChange,
  onRemove,
}: {
  item: ItemDraft;
  /** Its line on the page, where others can be dropped. */
  place: number;
  className: string;
  /** Its last move, after which the handle has the focus. */
  moved: SectionsState['moved'];
  /** For screen readers: "Entry 2 of Basics". */
  name: string;
  known: BankQuestion | undefined;
  /** How many questions qualify; `undefined` while it is being found out. */
  qualified: number | undefined;
  problem: string | undefined;
  handle: ReactNode;
  onChange(next: ItemDraft): void;
  onRemove(): void;
}) {
  const problemId = `${item.key}-problem`;
  const handleBox = useRef<HTMLSpanElement>(null);
  // A moved entry loses the focus, and may be in another section now.
  useEffect(() => {
    if (moved !== null) handleBox.current?.querySelector('button')?.focus();
  }, [moved]);
  return (
    <li
      data-place={place}
      className={`flex items-start gap-3.5 border-b border-line px-4 py-3 last:border-b-0 max-sm:gap-2 md:px-5 ${className}`}
    >
      <span ref={handleBox} className="pt-1.5">
        {handle}
      </span>
      <div className="grid min-w-0 flex-1 gap-2">
        {'questionId' in item ? (
          <FixedQuestion id={item.questionId} known={known} />
        ) : (
          <Rule rule={item} qualified={qualified} onChange={onChange} />
        )}
        {problem !== undefined && (
          <div role="alert">
            <FieldNote id={problemId} error={problem} />
          </div>
        )}
      </div>
      <IconButton label={`Remove ${name}`} tooltip="Remove" onClick={onRemove}>
        <Trash2 />
      </IconButton>
    </li>
  );
}

function FixedQuestion({ id, known }: { id: string; known: BankQuestion | undefined }) {
  const read = useBankQuestion(id, known === undefined);
  const question = known ?? read.data;
  if (question === undefined) {
    return <p className="py-1 text-ink-3">{read.isError ? 'Unknown question' : 'Loading…'}</p>;
  }
  return (
    <div className="py-1">
      <Link
        to={`/admin/questions/${id}`}
        className="line-clamp-2 w-fit font-medium wrap-anywhere hover:text-accent-ink hover:underline"
      >
        {lineOf(question.definition)}
      </Link>
      <p className="text-sm text-ink-3">
        {`${QUESTION_TYPE_NAMES[question.definition.type]}, ${pointsWords(question.definition.points)}`}
      </p>
    </div>
  );
}

function Rule({
  rule,
  qualified,
  onChange,
}: {
  rule: RuleDraft;
  qualified: number | undefined;
  onChange(next: RuleDraft): void;
}) {
  const categories = useCategories();
  return (
    <div className="grid gap-3">
      <div className="grid gap-3 sm:grid-cols-[6rem_minmax(0,1fr)_12rem]">
        <TextField
          label="Draw"
          inputMode="numeric"
          value={rule.count}
          onChange={(event) => onChange({ ...rule, count: event.target.value })}
        />
        <TagPicker
          label="Any of these tags"
          tags={rule.tags}
          onChange={(tags) => onChange({ ...rule, tags })}
        />
        <SelectField
          label="Category"
          options={[
            { value: ANY, label: 'Any category' },
            ...(categories.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
          ]}
          value={rule.categoryId ?? ANY}
          onChange={(value) => onChange({ ...rule, categoryId: value === ANY ? null : value })}
        />
      </div>
      <div className="flex flex-wrap items-center gap-x-5 gap-y-1.5">
        <fieldset className="flex flex-wrap items-center gap-x-4 gap-y-1.5">
          <legend className="float-left mr-4 font-medium">Difficulty</legend>
          {DIFFICULTIES.map((level) => (
            <Checkbox
              key={level}
              label={DIFFICULTY_NAMES[level]}
              checked={rule.difficulties.includes(level)}
              onChange={(event) =>
                onChange({
                  ...rule,
                  difficulties: DIFFICULTIES.filter((each) =>
                    each === level ? event.target.checked : rule.difficulties.includes(each),
                  ),
                })
              }
            />
          ))}
        </fieldset>
        <p role="status" className="text-sm text-ink-2 tabular-nums sm:ml-auto">
          {qualified === undefined
            ? 'Counting…'
            : questionsWords(qualified, 'qualifies', 'qualify')}
        </p>
      </div>
    </div>
  );
}
