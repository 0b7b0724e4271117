import type { BankQuestion } from '@invigil/core/contract/assessments/bank';
import type { Quiz } from '@invigil/core/contract/assessments/quiz';
import type { getStructure } from '@invigil/core/contract/assessments/structure';
import type { ResponseOf } from '@invigil/core/contract/definition/endpoint';
import { t } from '@invigil/core/texts/i18n';
import { Plus } from 'lucide-react';
import { type ReactNode, useReducer, useState } from 'react';
import { useNavigate } from 'react-router';
import { SCORING_RULE_NAMES } from '../../../lib/question-labels.ts';
import { ApiError, sentenceOf } from '../../../net/api.ts';
import { Button } from '../../../ui/button.tsx';
import { useUnsaved } from '../../../ui/dialogs/unsaved.ts';
import { FailureNotice } from '../../../ui/failure-notice.tsx';
import { Checkbox } from '../../../ui/fields/checkbox.tsx';
import { SelectField } from '../../../ui/fields/select-field.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { MoveHandle, movedTo } from '../../../ui/move-handle.tsx';
import { Card } from '../../../ui/page.tsx';
import { toast } from '../../../ui/toast.ts';
import { VisuallyHidden } from '../../../ui/visually-hidden.tsx';
import { useQuestionsUsedIn } from '../../data/bank.ts';
import { editorOf } from '../../data/questions.ts';
import { useSetStructure, useStructureCheck } from '../../data/structure.ts';
import { QuestionRow, questionNames } from '../manage/question-row.tsx';
import { QuestionPicker } from './question-picker.tsx';
import { SectionCard } from './section-card.tsx';
import {
  exampleOf,
  idsIn,
  type NegativeDraft,
  negativeOf,
  newSection,
  type Problems,
  problemsAt,
  type SectionDraft,
  sectionsReducer,
  sectionsStateOf,
  startedWith,
  structureOf,
  totalOf,
  typedProblems,
} from './sections-draft.ts';

const NONE: Problems = new Map();

type Stored = ResponseOf<typeof getStructure>;

/** The edited sections, their problems, and saving. */
function useSectionsForm(quiz: Quiz, stored: Stored) {
  const [state, send] = useReducer(sectionsReducer, stored, sectionsStateOf);
  const { isOn, sections, negative, isDirty, refused } = state;
  useUnsaved(isDirty);
  const typed = isOn ? typedProblems(sections) : NONE;
  // Titles do not matter to it: typing one asks nothing anew.
  const untitled = sections.map((section) => ({ ...section, title: 'Section' }));
  const check = useStructureCheck(quiz.id, isOn && typed.size === 0 ? structureOf(untitled) : null);
  const problems: Problems = isOn
    ? new Map([...problemsAt(check?.problems ?? []), ...(refused?.problems ?? NONE), ...typed])
    : NONE;
  const save = useSetStructure(quiz.id);
  const marks = negativeOf(negative);
  /** Returns whether it is stored now. */
  const submit = async () => {
    if (problems.size > 0 || 'problem' in marks) {
      const sentence = 'problem' in marks ? marks.problem : ([...problems.values()][0] ?? '');
      send({ type: 'refused', sentence, problems: NONE });
      return false;
    }
    try {
      const { structure, negativeMarks } = await save.mutateAsync({
        structure: isOn ? structureOf(sections) : null,
        negativeMarks: marks.marks,
        before: state.stored,
      });
      send({ type: 'saved', stored: { structure, negativeMarks } });
      toast({
        title: t('sections.saved', 'Sections and scoring saved'),
        description: t(
          /* the sections and the scoring */ 'sections.saved.note',
          'They apply to candidates who start from now on.',
        ),
      });
      return true;
    } catch (error) {
      const issues = error instanceof ApiError ? error.issues : [];
      send({ type: 'refused', sentence: sentenceOf(error), problems: problemsAt(issues) });
      return false;
    }
  };
  return { state, send, check, problems, submit, isSaving: save.isPending };
}

/** Edits which questions the papers of an assessment have, and what they earn. */
export function SectionsEditor({
  quiz,
  stored,
  children,
}: {
  quiz: Quiz;
  stored: Stored;
  /** The questions, while there are no sections. */
  children: ReactNode;
}) {
  const { state, send, check, problems, submit, isSaving } = useSectionsForm(quiz, stored);
  const { isOn, sections, negative, isDirty, refused, moved } = state;
  const [addingTo, setAddingTo] = useState<number | null>(null);
  const [over, setOver] = useState<number | null>(null);

  const used = useQuestionsUsedIn(quiz.id);
  const known = new Map([...used.map((q) => [q.id, q] as const), ...state.picked]);
  const taken = idsIn(sections);
  const own = used
    .filter(({ quizId }) => quizId === quiz.id)
    .sort((a, b) => a.orderNumber - b.orderNumber);

  const change = (next: SectionDraft[]) => send({ type: 'changed', sections: next });
  const remove = (next: SectionDraft[], title: string) => {
    change(next);
    toast({ title, undo: () => send({ type: 'restored', before: sections }) });
  };
  /** The line of each section's head; lines are numbered from 1. */
  const heads = sections.map(
    (_, s) => 1 + sections.slice(0, s).reduce((sum, { items }) => sum + items.length + 1, 0),
  );
  const lines = sections.reduce((sum, { items }) => sum + items.length + 1, 0);

  const navigate = useNavigate();
  const writeFor = async ({ id }: SectionDraft) => {
    if (isDirty && !(await submit())) return;
    void navigate(`/admin/questions/new?quiz=${quiz.id}&section=${encodeURIComponent(id)}`);
  };
  const switchSections = (isUsed: boolean) =>
    send({
      type: 'changed',
      isOn: isUsed,
      sections: isUsed
        ? startedWith(
            sections,
            own.filter((question) => !question.isDraft),
          )
        : sections,
    });

  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      {isOn ? (
        <>
          {sections.map((section, s) => (
            <SectionCard
              key={section.id}
              quizId={quiz.id}
              section={section}
              index={s}
              last={sections.length - 1}
              place={heads[s] ?? 1}
              over={over}
              moved={moved}
              known={known}
              qualified={check?.qualified[s]}
              problems={problems}
              handleOf={(place, label) => (
                <MoveHandle
                  number={place}
                  label={label}
                  last={lines}
                  locked={false}
                  onOver={setOver}
                  onMove={(to) => send({ type: 'moved', from: place, to })}
                />
              )}
              onChange={(next) => change(sections.with(s, next))}
              onMove={(to) => change(movedTo(sections, s, to))}
              onRemove={() =>
                remove(sections.toSpliced(s, 1), t('sections.sectionRemoved', 'Section removed'))
              }
              onRemoveItem={(i) => {
                const items = section.items.toSpliced(i, 1);
                remove(
                  sections.with(s, { ...section, items }),
                  t('sections.entryRemoved', 'Entry removed'),
                );
              }}
              onAddQuestions={() => setAddingTo(s)}
              onWrite={() => void writeFor(section)}
            />
          ))}
          <Button
            className="justify-self-start"
            icon={<Plus />}
            onClick={() => change([...sections, newSection(sections)])}
          >
            {t('sections.addSection', 'Add section')}
          </Button>
          <InNoSection questions={own.filter(({ id }) => !taken.has(id))} />
        </>
      ) : (
        children
      )}
      <UseSectionsCard isOn={isOn} total={quiz.totalQuestions} onSwitch={switchSections} />
      <NegativeMarksCard
        draft={negative}
        onChange={(next) => send({ type: 'changed', negative: next })}
      />
      {refused !== null && (
        <FailureNotice title={t('sections.notSaved', 'Not saved')}>
          {refused.sentence}
        </FailureNotice>
      )}
      {(isOn || isDirty) && (
        <SaveBar
          words={[
            ...(isOn ? sizeSentences(totalOf(sections), quiz.totalQuestions) : []),
            ...(isDirty
              ? [
                  t(
                    /* that: when they are saved */ 'sections.changesApply',
                    'Changes apply to candidates who start after that.',
                  ),
                ]
              : []),
          ]}
          problem={problems.get('structure.sections')}
          {...{ isDirty, isSaving }}
          onSave={() => void submit()}
        />
      )}
      <VisuallyHidden>
        <span role="status">
          {moved !== null &&
            t(
              /* read out: the section where an entry is now */ 'sections.movedTo',
              'Moved to {section}',
              { section: moved.section },
            )}
        </span>
      </VisuallyHidden>
      {addingTo !== null && (
        <QuestionPicker
          quizId={quiz.id}
          taken={taken}
          onClose={() => setAddingTo(null)}
          onPick={(questions) => {
            send({ type: 'added', to: addingTo, questions });
            setAddingTo(null);
          }}
        />
      )}
    </div>
  );
}

function UseSectionsCard({
  isOn,
  total,
  onSwitch,
}: {
  isOn: boolean;
  /** Questions of each paper. */
  total: number;
  onSwitch(isUsed: boolean): void;
}) {
  return (
    <Card title={t(/* title */ 'portal.sections', 'Sections')}>
      <div className="p-5">
        <Checkbox
          label={t('sections.use', 'Use sections')}
          hint={
            isOn
              ? t(
                  /* of sections */ 'sections.use.hint',
                  'Each has fixed questions, and rules that draw from the bank.',
                )
              : t(
                  /* count: of questions that a candidate gets */ 'sections.otherwise',
                  'Otherwise each candidate gets {count} of the assessment’s own questions, in random order.',
                  { count: total },
                )
          }
          checked={isOn}
          onChange={(event) => onSwitch(event.target.checked)}
        />
      </div>
    </Card>
  );
}

function sizeSentences(total: number, stored: number): string[] {
  return [
    t(
      'sections.paperHas',
      '{count, plural, one {Each paper has # question.} other {Each paper has # questions.}}',
      { count: total },
    ),
    ...(total === stored
      ? []
      : [
          t(
            /* “Total Questions” is a field of the assessment; “Saving” is the subject */ 'sections.changesTotal',
            'Saving changes Total Questions from {stored} to {total}.',
            { stored, total },
          ),
        ]),
  ];
}

function SaveBar({
  words,
  problem,
  isDirty,
  isSaving,
  onSave,
}: {
  words: readonly string[];
  problem: string | undefined;
  isDirty: boolean;
  isSaving: boolean;
  onSave(): void;
}) {
  return (
    <div className="sticky bottom-0 z-20 -mx-4 flex flex-wrap items-center justify-between gap-3 border-t border-line bg-canvas px-4 py-3 md:-mx-1 md:px-1">
      <p role="status" className="text-ink-2 tabular-nums">
        {words.map((sentence) => (
          <span key={sentence}>{`${sentence} `}</span>
        ))}
        {problem !== undefined && <span className="block text-bad-ink">{problem}</span>}
      </p>
      <Button
        variant="primary"
        busy={isSaving && t('portal.saving', 'Saving…')}
        aria-disabled={!isDirty}
        onClick={onSave}
      >
        {t(/* a button */ 'portal.save', 'Save')}
      </Button>
    </div>
  );
}

/** The assessment's own questions that no section names. */
function InNoSection({ questions }: { questions: readonly BankQuestion[] }) {
  if (questions.length === 0) return null;
  return (
    <Card
      title={t(/* title: questions that no section has */ 'sections.inNone', 'In no section')}
      aside={
        <span className="text-sm text-ink-2">
          {t('sections.inNone.note', 'Only rules can draw them for a paper')}
        </span>
      }
    >
      <ul>
        {questions.map(({ definition, ...question }) => (
          <li
            key={question.id}
            className="border-b border-line px-4 py-1.5 last:border-b-0 md:px-5"
          >
            <QuestionRow
              names={questionNames(question.orderNumber)}
              definition={definition}
              labels={question}
              to={editorOf({ id: question.id, quizId: question.quizId ?? '' })}
            />
          </li>
        ))}
      </ul>
    </Card>
  );
}

function NegativeMarksCard({
  draft,
  onChange,
}: {
  draft: NegativeDraft;
  onChange(next: NegativeDraft): void;
}) {
  const read = negativeOf(draft);
  return (
    <Card title={t(/* title, a noun */ 'sections.scoring', 'Scoring')}>
      <div className="grid gap-4 p-5">
        <Checkbox
          label={t('sections.negative', 'Take points off for wrong answers')}
          hint={t('sections.negative.hint', 'A question without an answer never costs anything.')}
          checked={draft.isOn}
          onChange={(event) => onChange({ ...draft, isOn: event.target.checked })}
        />
        {draft.isOn && (
          <div className="grid max-w-160 gap-4 sm:grid-cols-2">
            <TextField
              label={t('sections.negative.percent', 'Percent of the question’s points')}
              inputMode="decimal"
              value={draft.percent}
              error={'problem' in read ? read.problem : undefined}
              onChange={(event) => onChange({ ...draft, percent: event.target.value })}
            />
            <SelectField
              label={t(
                /* a field: what never gets below zero */ 'sections.negative.floor',
                'Never below zero',
              )}
              options={[
                {
                  value: 'total',
                  label: t(
                    /* never below zero: the total of all questions */ 'sections.negative.floorTotal',
                    'The total',
                  ),
                },
                {
                  value: 'question',
                  label: t(
                    /* never below zero: what each question earns */ 'sections.negative.floorQuestion',
                    'Each question',
                  ),
                },
              ]}
              value={draft.floor}
              onChange={(floor) => onChange({ ...draft, floor })}
            />
            {'marks' in read && read.marks !== null && (
              <p className="text-sm text-ink-2 sm:col-span-2">{exampleOf(read.marks)}</p>
            )}
            <p className="text-sm text-ink-2 sm:col-span-2">
              {t(
                /* rule: the name of a rule of scoring */ 'sections.chargedTwice',
                'Under “{rule}” a wrong selection is then charged twice: it is subtracted from the right ones, and it takes points off.',
                { rule: SCORING_RULE_NAMES.right_minus_wrong() },
              )}
            </p>
          </div>
        )}
      </div>
    </Card>
  );
}
