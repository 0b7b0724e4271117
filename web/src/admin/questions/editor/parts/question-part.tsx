import { listText } from '@invigil/core/domain/locale';
import {
  DIFFICULTIES,
  isSeveralChoice,
  QUESTION_TYPES,
  type QuestionDefinition,
} from '@invigil/core/domain/questions/question-definition';
import { TYPES } from '@invigil/core/domain/questions/types/question-types';
import { t } from '@invigil/core/texts/i18n';
import { useContext, useState } from 'react';
import { ruleName } from '../../../../lib/question-labels.ts';
import { Button } from '../../../../ui/button.tsx';
import { Checkbox } from '../../../../ui/fields/checkbox.tsx';
import { SelectField } from '../../../../ui/fields/select-field.tsx';
import { TextArea } from '../../../../ui/fields/text-area.tsx';
import { TextField } from '../../../../ui/fields/text-field.tsx';
import { Card } from '../../../../ui/page.tsx';
import { Trans } from '../../../../ui/trans.tsx';
import { useCategories } from '../../../data/assessments.ts';
import { DIFFICULTY_NAMES } from '../../../data/bank.ts';
import { TagPicker } from '../../bank/tag-picker.tsx';
import { ruleSentence, workedExample } from '../question-preview.tsx';
import { type QuestionValues, withType } from '../state/question-values.ts';
import type { PartProps } from '../state/use-editing.ts';
import { MarkdownField } from '../text/markdown-field.tsx';
import { TextView } from '../text/text-view.ts';
import { fieldOf } from './use-option-list.ts';
import { useWholeQuestion } from './use-whole-question.ts';

export function QuestionPart({ values, change, problemAt }: PartProps) {
  const { type, format, question, explanation } = values;
  const { isSource, setSource } = useContext(TextView);
  const [explains, setExplains] = useState(explanation !== '');
  const whole = useWholeQuestion({ values, change });
  return (
    <Card className="grid grid-cols-[minmax(0,1fr)] gap-4 p-5 max-sm:-mx-4 max-sm:rounded-none max-sm:border-x-0 max-sm:px-4">
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <SelectField
          label={t(/* the type of a question */ 'portal.type', 'Type')}
          className="w-56"
          options={QUESTION_TYPES.map((value) => ({ value, label: TYPES[value].name() }))}
          value={type}
          onChange={(next) => next !== type && change(withType(values, next))}
        />
        <div className="flex flex-wrap gap-x-6 gap-y-2">
          <Checkbox
            label={t('editor.formatted', 'Formatted text')}
            checked={format === 'markdown'}
            onChange={(event) => {
              if (!event.target.checked) change({ format: 'plain' });
              else void asMarkdown(values).then((part) => change(part));
            }}
          />
          {format === 'markdown' && (
            <Checkbox
              label={t('editor.source', 'Markdown source')}
              checked={isSource}
              onChange={(event) => setSource(event.target.checked)}
            />
          )}
        </div>
      </div>
      <div
        onKeyDownCapture={(event) => {
          if (event.key !== 'Enter' || !event.altKey) return;
          event.preventDefault();
          event.stopPropagation();
          const form = event.currentTarget.closest('form');
          form?.querySelector<HTMLElement>(fieldOf(0))?.focus();
        }}
      >
        <MarkdownField
          label={t(/* the text of a question */ 'portal.question', 'Question')}
          name="question"
          minHeight="min-h-28"
          error={problemAt('question')}
          value={question}
          onChange={(text) => change({ question: text }, 'question')}
          format={format}
          {...whole}
        />
      </div>
      {explains || explanation !== '' ? (
        <MarkdownField
          label={t(/* of the correct answer */ 'portal.explanation', 'Explanation')}
          optional
          name="explanation"
          minHeight="min-h-20"
          hint={t(
            /* said of the explanation; the key is the correct answer */ 'editor.explanation.hint',
            'Shown with the key in records and in released results, and never during an attempt.',
          )}
          error={problemAt('explanation')}
          value={explanation}
          onChange={(text) => change({ explanation: text }, 'explanation')}
          format={format}
        />
      ) : (
        <Button
          variant="ghost"
          size="dense"
          className="-ms-3 justify-self-start"
          onClick={() => setExplains(true)}
        >
          {t(/* a button */ 'editor.explanation.add', 'Add an explanation')}
        </Button>
      )}
    </Card>
  );
}

/** The same texts as Markdown: their signs that would be marks are escaped. */
async function asMarkdown(values: QuestionValues): Promise<Partial<QuestionValues>> {
  const { markdownFromPlain } = await import('@invigil/core/content/html/html-text');
  return {
    format: 'markdown',
    question: markdownFromPlain(values.question),
    options: values.options.map((option) => ({
      ...option,
      text: markdownFromPlain(option.text),
      feedback: markdownFromPlain(option.feedback),
    })),
    matching: {
      pairs: values.matching.pairs.map(({ item, answer }) => ({
        item: markdownFromPlain(item),
        answer: markdownFromPlain(answer),
      })),
      further: values.matching.further.map(({ text }) => ({ text: markdownFromPlain(text) })),
    },
    explanation: markdownFromPlain(values.explanation),
  };
}

const NONE = 'none';

/** The words of where a question belongs: what is said, and the place. */
const BELONGS = {
  label: <span className="text-ink-2" />,
  place: <span className="font-medium wrap-anywhere" />,
};

export function LabelsPart({
  values,
  change,
  problemAt,
  quizTitle,
  usedIn,
}: PartProps & {
  quizTitle: string | null;
  usedIn: readonly string[];
}) {
  const categories = useCategories();
  return (
    <Card
      title={t(
        /* the title of a part: tags, category, difficulty, note */ 'editor.labels',
        'For authors',
      )}
      aside={
        <span className="text-sm text-ink-3">
          {t('editor.labels.hint', 'Candidates never see this')}
        </span>
      }
    >
      <div className="grid gap-4 p-5">
        <p>
          {quizTitle === null ? (
            <Trans
              id="editor.belongsToNone"
              comment="Said of a question"
              message="<label>Belongs to:</label> <place>the question bank only</place>"
              components={BELONGS}
            />
          ) : (
            <Trans
              id="editor.belongsTo"
              comment="Said of a question; {title} is an assessment"
              message="<label>Belongs to:</label> <place>{title}</place>"
              values={{ title: quizTitle }}
              components={BELONGS}
            />
          )}
          {usedIn.length > 0 && (
            <>
              <br />
              <Trans
                id="editor.usedIn"
                comment="Said of a question; {titles} are assessments"
                message="<label>Used in the sections of:</label> <place>{titles}</place>"
                values={{ titles: listText(usedIn, 'unit') }}
                components={BELONGS}
              />
            </>
          )}
        </p>
        <TagPicker
          label={t('portal.tags', 'Tags')}
          tags={values.tags}
          error={problemAt('tags')}
          onChange={(tags) => change({ tags })}
        />
        <div className="grid gap-4 sm:grid-cols-2">
          <SelectField
            label={t('portal.category', 'Category')}
            optional
            options={[
              { value: NONE, label: t('editor.category.none', 'No category') },
              ...(categories.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
            ]}
            value={values.categoryId || NONE}
            onChange={(id) => change({ categoryId: id === NONE ? '' : id })}
          />
          <SelectField
            label={t('portal.difficulty', 'Difficulty')}
            optional
            options={[
              {
                value: NONE,
                label: t(/* said of the difficulty */ 'editor.difficulty.none', 'Not set'),
              },
              ...DIFFICULTIES.map((value) => ({ value, label: DIFFICULTY_NAMES[value]() })),
            ]}
            value={values.difficulty || NONE}
            onChange={(value) => change({ difficulty: value === NONE ? '' : value })}
          />
        </div>
        <TextArea
          label={t(/* an author’s note on a question */ 'editor.note', 'Note')}
          optional
          rows={2}
          maxLength={4_000}
          error={problemAt('note')}
          hint={t('editor.note.hint', 'Sources, ideas, open points.')}
          value={values.note}
          onChange={(event) => change({ note: event.target.value }, 'note')}
        />
      </div>
    </Card>
  );
}

export function ScoringPart({
  values,
  change,
  problemAt,
  definition,
}: PartProps & { definition: QuestionDefinition }) {
  const { type, rule } = values;
  const example = workedExample(definition);
  const selection = (field: 'minSelections' | 'maxSelections', label: string, hint: string) => (
    <TextField
      label={label}
      optional
      hint={hint}
      name={field}
      inputMode="numeric"
      error={field === 'maxSelections' ? problemAt('maxSelections') : undefined}
      value={values[field]}
      onChange={(event) => change({ [field]: event.target.value }, field)}
    />
  );
  return (
    <Card title={t(/* the title of a part: points and rule */ 'editor.scoring', 'Scoring')}>
      <div className="grid gap-4 p-5">
        <div className="grid gap-4 sm:grid-cols-[8rem_minmax(0,1fr)]">
          <TextField
            label={t(/* how many a question gives */ 'portal.points', 'Points')}
            name="points"
            inputMode="decimal"
            error={problemAt('points')}
            value={values.points}
            onChange={(event) => change({ points: event.target.value }, 'points')}
          />
          <SelectField
            label={t('editor.rule', 'Scoring rule')}
            options={TYPES[type].rules.map((value) => ({
              value,
              label: ruleName({ type, rule: value }),
            }))}
            value={rule}
            error={problemAt('rule')}
            onChange={(next) => change(withRule(values, next))}
          />
        </div>
        <div className="rounded-lg bg-sunken px-3.5 py-2.5">
          <p className="text-ink-2">{ruleSentence(definition)}</p>
          <p className="mt-0.5 tabular-nums">
            {example === null
              ? t('editor.example.none', 'Mark the correct answer to see an example.')
              : t(
                  /* of a scoring rule: answers and what they earn */ 'editor.example',
                  'Example: {example}',
                  { example },
                )}
          </p>
        </div>
        {isSeveralChoice(type) && (
          <div className="grid gap-4 sm:grid-cols-2">
            {selection(
              'minSelections',
              t(
                /* the label of a field: the smallest number of options to select */ 'editor.selections.min',
                'Select at least',
              ),
              t(/* a field */ 'editor.selections.minHint', 'Leave empty for 1.'),
            )}
            {selection(
              'maxSelections',
              t(
                /* the label of a field: the largest number of options to select */ 'editor.selections.max',
                'Select at most',
              ),
              t(/* a field */ 'editor.selections.maxHint', 'Leave empty for no limit.'),
            )}
          </div>
        )}
      </div>
    </Card>
  );
}

/** Weights start from the key, and the key from the weights: nothing has to be marked twice. */
function withRule(
  values: PartProps['values'],
  rule: PartProps['values']['rule'],
): Partial<PartProps['values']> {
  const { options, numeric, shortText } = values;
  if (rule === 'weights' && values.rule !== 'weights') {
    const right = options.filter((option) => option.isCorrect).length;
    const share = isSeveralChoice(values.type) && right > 1 ? shareOf(right) : '100';
    const full = <T extends { weight: string }>(row: T) => ({
      ...row,
      weight: row.weight || '100',
    });
    return {
      rule,
      options: options.map((option) => ({ ...option, weight: option.isCorrect ? share : '0' })),
      numeric: { ...numeric, accepted: numeric.accepted.map(full) },
      shortText: { ...shortText, accepted: shortText.accepted.map(full) },
    };
  }
  if (rule === 'weights' || values.rule !== 'weights') return { rule };
  const isEarning = ({ weight }: { weight: string }) => Number(weight.replace(',', '.')) > 0;
  return { rule, options: options.map((option) => ({ ...option, isCorrect: isEarning(option) })) };
}

/** 33.33333: five decimals are the most. */
const shareOf = (parts: number) => String(Math.floor(1e7 / parts) / 1e5);
