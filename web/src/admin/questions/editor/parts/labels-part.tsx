import { DIFFICULTIES } from '@invigil/core/domain/questions/question-definition';
import { Card } from '../../../../ui/card.tsx';
import { SelectField } from '../../../../ui/fields/select-field.tsx';
import { TextArea } from '../../../../ui/fields/text-area.tsx';
import { useCategories } from '../../../assessments/api.ts';
import { TagPicker } from '../../../bank/tag-picker.tsx';
import type { PartProps } from '../state/use-editing.ts';

const NONE = 'none';
const DIFFICULTY_NAMES = { easy: 'Easy', medium: 'Medium', hard: 'Hard' };

/** How authors find a question again. */
export function LabelsPart({
  values,
  change,
  problemAt,
  quizTitle,
  usedIn,
}: PartProps & {
  /** The assessment it belongs to; null: the bank only. */
  quizTitle: string | null;
  /** Other assessments whose sections name it. */
  usedIn: readonly string[];
}) {
  const categories = useCategories();
  return (
    <Card
      title="For authors"
      aside={<span className="text-sm text-ink-3">Candidates never see this</span>}
    >
      <div className="grid gap-4 p-5">
        <p>
          <span className="text-ink-2">Belongs to: </span>
          <span className="font-medium">{quizTitle ?? 'the question bank only'}</span>
          {usedIn.length > 0 && (
            <>
              <br />
              <span className="text-ink-2">Used in the sections of: </span>
              <span className="font-medium wrap-anywhere">{usedIn.join(', ')}</span>
            </>
          )}
        </p>
        <TagPicker
          label="Tags"
          tags={values.tags}
          error={problemAt('tags')}
          onChange={(tags) => change({ tags })}
        />
        <div className="grid gap-4 sm:grid-cols-2">
          <SelectField
            label="Category"
            optional
            options={[
              { value: NONE, label: 'No category' },
              ...(categories.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
            ]}
            value={values.categoryId || NONE}
            onChange={(id) => change({ categoryId: id === NONE ? '' : id })}
          />
          <SelectField
            label="Difficulty"
            optional
            options={[
              { value: NONE, label: 'Not set' },
              ...DIFFICULTIES.map((value) => ({ value, label: DIFFICULTY_NAMES[value] })),
            ]}
            value={values.difficulty || NONE}
            onChange={(value) =>
              change({ difficulty: DIFFICULTIES.find((known) => known === value) ?? '' })
            }
          />
        </div>
        <TextArea
          label="Note"
          optional
          rows={2}
          maxLength={4_000}
          error={problemAt('note')}
          hint="Sources, ideas, open points."
          value={values.note}
          onChange={(event) => change({ note: event.target.value }, 'note')}
        />
      </div>
    </Card>
  );
}
