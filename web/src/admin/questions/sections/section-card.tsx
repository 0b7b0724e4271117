import { type BankQuestion, getBankQuestion } from '@invigil/core/contract/assessments/bank';
import { DIFFICULTIES } from '@invigil/core/domain/questions/question-definition';
import { t } from '@invigil/core/texts/i18n';
import { useQuery } from '@tanstack/react-query';
import { ArrowDown, ArrowUp, Dices, ListPlus, Plus, Trash2 } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { endpointQuery } from '../../../net/endpoint-query.ts';
import { Button } from '../../../ui/button.tsx';
import { Checkbox } from '../../../ui/fields/checkbox.tsx';
import { FieldNote } from '../../../ui/fields/field.tsx';
import { SelectField } from '../../../ui/fields/select-field.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { useCategoryOptions } from '../../data/assessments.ts';
import { DIFFICULTY_NAMES } from '../../data/bank.ts';
import { editorOf } from '../../data/questions.ts';
import { TagPicker } from '../bank/tag-picker.tsx';
import { QuestionRow } from '../manage/question-row.tsx';
import {
  type ItemDraft,
  newRule,
  type Problems,
  type RuleDraft,
  type SectionDraft,
  type SectionsState,
} from './sections-draft.ts';

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
  onRemoveItem,
  onAddQuestions,
  onWrite,
  quizId,
}: {
  quizId: string;
  section: SectionDraft;
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
  /** The handle of an entry on a line, called `label`. */
  handleOf(place: number, label: string): ReactNode;
  onChange(next: SectionDraft): void;
  onMove(to: number): void;
  onRemove(): void;
  onRemoveItem(index: number): void;
  onAddQuestions(): void;
  /** Writes a new question for it. */
  onWrite(): void;
}) {
  const path = `structure.sections.${index}`;
  const name =
    section.title.trim() ||
    t(
      /* in the place of a title that is missing: “Remove section 2” */ 'sections.untitled',
      'section {number}',
      { number: index + 1 },
    );
  const { items } = section;
  const edge = (at: number) => (over === at ? 'outline-2 -outline-offset-2 outline-focus' : '');
  return (
    <section aria-label={name} className="rounded-lg border border-line bg-surface">
      <div
        data-place={place}
        className={`grid gap-x-5 gap-y-3 rounded-t-lg border-b border-line p-4 md:grid-cols-[minmax(0,1fr)_auto_auto] md:px-5 ${edge(place)}`}
      >
        <TextField
          label={t('sections.titleOf', 'Title of section {number}', { number: index + 1 })}
          hint={t(/* the title of a section */ 'sections.title.hint', 'Candidates see it.')}
          maxLength={200}
          value={section.title}
          error={problems.get(`${path}.title`)}
          onChange={(event) => onChange({ ...section, title: event.target.value })}
        />
        <div className="md:pt-8">
          <Checkbox
            label={t(
              /* a checkbox: the entries of a section */ 'sections.shuffled',
              'In random order',
            )}
            checked={section.isShuffled}
            onChange={(event) => onChange({ ...section, isShuffled: event.target.checked })}
          />
        </div>
        <div className="flex md:pt-6.5">
          <IconButton
            label={t(/* section: its title */ 'sections.moveSectionUp', 'Move {section} up', {
              section: name,
            })}
            tooltip={t('sections.moveUp', 'Move up')}
            unavailable={
              index === 0 ? t('sections.isFirst', 'This is the first section') : undefined
            }
            onClick={() => onMove(index - 1)}
          >
            <ArrowUp />
          </IconButton>
          <IconButton
            label={t(/* section: its title */ 'sections.moveSectionDown', 'Move {section} down', {
              section: name,
            })}
            tooltip={t('sections.moveDown', 'Move down')}
            unavailable={
              index === last ? t('sections.isLast', 'This is the last section') : undefined
            }
            onClick={() => onMove(index + 1)}
          >
            <ArrowDown />
          </IconButton>
          <IconButton
            label={t(/* section: its title */ 'sections.removeNamed', 'Remove {section}', {
              section: name,
            })}
            tooltip={t('sections.removeSection', 'Remove section')}
            onClick={onRemove}
          >
            <Trash2 />
          </IconButton>
        </div>
      </div>
      {items.length === 0 ? (
        <p className="px-5 py-4 text-ink-3">
          {t('sections.sectionEmpty', 'Nothing is in this section yet.')}
        </p>
      ) : (
        <ol
          aria-label={t(
            /* a list: the questions and rules of a section */ 'sections.entriesOf',
            'Entries of {section}',
            { section: name },
          )}
        >
          {items.map((item, i) => {
            const names = entryNames(i + 1, name);
            return (
              <SectionItem
                key={item.key}
                quizId={quizId}
                item={item}
                names={names}
                place={place + i + 1}
                className={edge(place + i + 1)}
                moved={moved?.key === item.key ? moved : null}
                known={'questionId' in item ? known.get(item.questionId) : undefined}
                qualified={qualified?.[i]}
                problem={problems.get(`${path}.items.${i}`)}
                handle={handleOf(place + i + 1, names.move)}
                onChange={(next) => onChange({ ...section, items: items.with(i, next) })}
                onRemove={() => onRemoveItem(i)}
              />
            );
          })}
        </ol>
      )}
      <div className="flex flex-wrap gap-2 border-t border-line px-4 py-3 md:px-5">
        <Button size="dense" icon={<Plus />} onClick={onWrite}>
          {t('sections.writeQuestion', 'Write a question')}
        </Button>
        <Button size="dense" icon={<ListPlus />} onClick={onAddQuestions}>
          {t('portal.addQuestions', 'Add questions')}
        </Button>
        <Button
          size="dense"
          icon={<Dices />}
          onClick={() => onChange({ ...section, items: [...items, newRule()] })}
        >
          {t(
            /* a button: adds a rule that draws questions at random */ 'sections.drawQuestions',
            'Draw questions',
          )}
        </Button>
      </div>
    </section>
  );
}

type EntryNames = ReturnType<typeof entryNames>;

/** The names of the buttons of an entry. */
const entryNames = (number: number, section: string) => {
  const entry = { number, section };
  return {
    show: t(
      /* the entry of a section of an assessment */ 'sections.entry.show',
      'Show entry {number} of {section}',
      entry,
    ),
    hide: t('sections.entry.hide', 'Hide entry {number} of {section}', entry),
    move: t('sections.entry.move', 'Move entry {number} of {section}', entry),
    remove: t('sections.entry.remove', 'Remove entry {number} of {section}', entry),
  };
};

const ANY = 'any';

function SectionItem({
  quizId,
  item,
  names,
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
  quizId: string;
  item: ItemDraft;
  /** The line of the entry on the page, where others can be dropped. */
  place: number;
  className: string;
  /** The last move of an entry, after which its handle has the focus. */
  moved: SectionsState['moved'];
  /** Read by screen readers: "Remove entry 2 of Basics". */
  names: EntryNames;
  known: BankQuestion | undefined;
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
  const isFixed = 'questionId' in item;
  return (
    <li
      data-place={place}
      className={`flex items-start gap-3 border-b border-line px-4 last:border-b-0 max-sm:gap-2 md:px-5 ${isFixed ? 'py-1.5' : 'py-3'} ${className}`}
    >
      <span ref={handleBox} className={isFixed ? 'pt-3.5' : 'pt-1.5'}>
        {handle}
      </span>
      <div className="grid min-w-0 flex-1 grid-cols-[minmax(0,1fr)] gap-2">
        {isFixed ? (
          <FixedQuestion id={item.questionId} {...{ known, quizId, names }} />
        ) : (
          <Rule rule={item} qualified={qualified} onChange={onChange} />
        )}
        {problem !== undefined && (
          <div role="alert">
            <FieldNote id={problemId} error={problem} />
          </div>
        )}
      </div>
      <IconButton
        label={names.remove}
        tooltip={t(/* a button: takes an entry out of a section */ 'portal.remove', 'Remove')}
        className={isFixed ? 'mt-2' : ''}
        onClick={onRemove}
      >
        <Trash2 />
      </IconButton>
    </li>
  );
}

function FixedQuestion({
  id,
  known,
  quizId,
  names,
}: {
  id: string;
  known: BankQuestion | undefined;
  quizId: string;
  names: EntryNames;
}) {
  const query = endpointQuery(getBankQuestion, { params: { id } });
  const read = useQuery({ ...query, enabled: known === undefined });
  const question = known ?? read.data;
  if (question === undefined) {
    return (
      <p className="py-3 text-ink-3">
        {read.isError
          ? t('sections.unknownQuestion', 'Unknown question')
          : t('portal.loading', 'Loading…')}
      </p>
    );
  }
  return (
    <QuestionRow
      names={names}
      definition={question.definition}
      labels={question}
      to={editorOf({ id, quizId })}
    />
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
  const categories = useCategoryOptions();
  return (
    <div className="grid gap-3">
      <div className="grid gap-3 sm:grid-cols-[6rem_minmax(0,1fr)_12rem]">
        <TextField
          label={t(/* a field, a verb: how many questions a rule draws */ 'sections.draw', 'Draw')}
          inputMode="numeric"
          value={rule.count}
          onChange={(event) => onChange({ ...rule, count: event.target.value })}
        />
        <TagPicker
          label={t('sections.anyOfTags', 'Any of these tags')}
          tags={rule.tags}
          onChange={(tags) => onChange({ ...rule, tags })}
        />
        <SelectField
          label={t('portal.category', 'Category')}
          options={[
            { value: ANY, label: t('sections.anyCategory', 'Any category') },
            ...categories,
          ]}
          value={rule.categoryId ?? ANY}
          onChange={(value) => onChange({ ...rule, categoryId: value === ANY ? null : value })}
        />
      </div>
      <div className="flex flex-wrap items-center gap-x-5 gap-y-1.5">
        <fieldset className="flex flex-wrap items-center gap-x-4 gap-y-1.5">
          <legend className="float-start me-4 font-medium">
            {t('portal.difficulty', 'Difficulty')}
          </legend>
          {DIFFICULTIES.map((level) => (
            <Checkbox
              key={level}
              label={DIFFICULTY_NAMES[level]()}
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
        <p role="status" className="text-sm text-ink-2 tabular-nums sm:ms-auto">
          {qualified === undefined
            ? t(/* questions that a rule may draw */ 'sections.counting', 'Counting…')
            : t(
                /* for a section that draws its questions by a rule */ 'portal.questions.qualify',
                '{count, plural, one {# question qualifies} other {# questions qualify}}',
                { count: qualified },
              )}
        </p>
      </div>
    </div>
  );
}
