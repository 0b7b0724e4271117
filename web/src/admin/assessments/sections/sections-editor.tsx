import type { Quiz } from '@invigil/core/contract/assessments/quiz';
import {
  checkStructure,
  getStructure,
  setStructure,
} from '@invigil/core/contract/assessments/structure';
import type { BodyOf, ResponseOf } from '@invigil/core/contract/definition/endpoint';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Info, Plus } from 'lucide-react';
import { useEffect, useReducer, useState } from 'react';
import { questionsText, SCORING_RULE_NAMES } from '../../../lib/question-labels.ts';
import { ApiError, callEndpoint, sentenceOf } from '../../../net/api.ts';
import { endpointKey, endpointQuery, replaceCached } from '../../../net/endpoint-query.ts';
import { Button } from '../../../ui/button.tsx';
import { useUnsaved } from '../../../ui/dialogs/unsaved.ts';
import { FailureNotice } from '../../../ui/failure-notice.tsx';
import { Checkbox } from '../../../ui/fields/checkbox.tsx';
import { SelectField } from '../../../ui/fields/select-field.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Card } from '../../../ui/page.tsx';
import { SkeletonRows } from '../../../ui/skeleton.tsx';
import { toast } from '../../../ui/toasts/toast.ts';
import { VisuallyHidden } from '../../../ui/visually-hidden.tsx';
import { useBank } from '../../bank/bank-api.ts';
import { LoadFailure } from '../../failures.tsx';
import { MoveHandle, movedTo } from '../../questions/manage/move-handle.tsx';
import { QUIZZES } from '../api.ts';
import { QuestionPicker } from './question-picker.tsx';
import { SectionCard } from './section-card.tsx';
import {
  exampleOf,
  type NegativeDraft,
  negativeOf,
  newSection,
  type Problems,
  problemsAt,
  type SectionDraft,
  sectionsReducer,
  sectionsStateOf,
  structureOf,
  totalOf,
  typedProblems,
} from './sections-draft.ts';

const NONE: Problems = new Map();

export function SectionsEditor({
  quiz,
  stored,
}: {
  quiz: Quiz;
  stored: ResponseOf<typeof getStructure>;
}) {
  const [state, send] = useReducer(sectionsReducer, stored, sectionsStateOf);
  const { isOn, sections, negative, isDirty, refused, moved } = state;
  const [addingTo, setAddingTo] = useState<number | null>(null);
  const [over, setOver] = useState<number | null>(null);
  useUnsaved(isDirty);

  const typed = isOn ? typedProblems(sections) : NONE;
  const check = useStructureCheck(quiz.id, isOn && typed.size === 0 ? sections : null);
  const problems: Problems = isOn
    ? new Map([...problemsAt(check?.problems ?? []), ...(refused?.problems ?? NONE), ...typed])
    : NONE;
  const save = useSetStructure(quiz.id);
  const named = useBank({ quizId: quiz.id, state: 'active' }, 1, 1_000);
  const known = new Map([
    ...(named.data?.rows ?? []).map((q) => [q.id, q] as const),
    ...state.picked,
  ]);

  const change = (next: SectionDraft[]) => send({ type: 'changed', sections: next });
  /** The line of each section's head; lines are numbered from 1. */
  const heads = sections.map(
    (_, s) => 1 + sections.slice(0, s).reduce((sum, { items }) => sum + items.length + 1, 0),
  );
  const lines = sections.reduce((sum, { items }) => sum + items.length + 1, 0);

  const marks = negativeOf(negative);
  const submit = async () => {
    if (problems.size > 0 || 'problem' in marks) {
      const sentence = 'problem' in marks ? marks.problem : ([...problems.values()][0] ?? '');
      return send({ type: 'refused', sentence, problems: NONE });
    }
    try {
      const structure = isOn ? structureOf(sections) : null;
      await save.mutateAsync({ structure, negativeMarks: marks.marks });
      send({ type: 'saved' });
      toast({
        title: 'Sections and scoring saved',
        description: 'They apply to candidates who start from now on.',
      });
    } catch (error) {
      const issues = error instanceof ApiError ? error.issues : [];
      send({ type: 'refused', sentence: sentenceOf(error), problems: problemsAt(issues) });
    }
  };
  const total = totalOf(sections);
  const general = problems.get('structure.sections');

  return (
    <div>
      <div className="grid max-w-280 gap-4">
        <Notice icon={<Info />}>
          Changes apply to candidates who start from now on. Papers that have been drawn stay as
          they are.
        </Notice>
        <Card>
          <div className="p-5">
            <Checkbox
              label="Use sections"
              hint={`Otherwise each candidate gets ${quiz.totalQuestions} of the assessment’s own questions, in random order.`}
              checked={isOn}
              onChange={(event) => send({ type: 'changed', isOn: event.target.checked })}
            />
          </div>
        </Card>
        {isOn && (
          <>
            {sections.map((section, s) => (
              <SectionCard
                key={section.key}
                section={section}
                index={s}
                last={sections.length - 1}
                place={heads[s] ?? 1}
                over={over}
                moved={moved}
                known={known}
                qualified={check?.qualified[s]}
                problems={problems}
                handleOf={(place, name) => (
                  <MoveHandle
                    number={place}
                    label={`Move ${name}`}
                    last={lines}
                    locked={false}
                    onOver={setOver}
                    onMove={(to) => send({ type: 'moved', from: place, to })}
                  />
                )}
                onChange={(next) => change(sections.with(s, next))}
                onMove={(to) => change(movedTo(sections, s, to))}
                onRemove={() => change(sections.toSpliced(s, 1))}
                onAddQuestions={() => setAddingTo(s)}
              />
            ))}
            <Button
              className="justify-self-start"
              icon={<Plus />}
              onClick={() => change([...sections, newSection(sections.length + 1)])}
            >
              Add section
            </Button>
          </>
        )}
        <NegativeMarksCard
          draft={negative}
          onChange={(next) => send({ type: 'changed', negative: next })}
        />
        {refused !== null && <FailureNotice title="Not saved">{refused.sentence}</FailureNotice>}
        <div className="sticky bottom-0 z-20 -mx-4 flex flex-wrap items-center justify-between gap-3 border-t border-line bg-canvas px-4 py-3 md:-mx-1 md:px-1">
          <p role="status" className="text-ink-2 tabular-nums">
            {isOn && `Each paper has ${questionsText(total)}.`}
            {general !== undefined && <span className="block text-bad-ink">{general}</span>}
          </p>
          <Button
            variant="primary"
            busy={save.isPending && 'Saving…'}
            aria-disabled={!isDirty}
            onClick={() => void submit()}
          >
            Save
          </Button>
        </div>
      </div>
      <VisuallyHidden>
        <span role="status">{moved !== null && `Moved to ${moved.section}`}</span>
      </VisuallyHidden>
      {addingTo !== null && (
        <QuestionPicker
          quizId={quiz.id}
          taken={
            new Set(
              sections.flatMap(({ items }) =>
                items.flatMap((item) => ('questionId' in item ? item.questionId : [])),
              ),
            )
          }
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

function NegativeMarksCard({
  draft,
  onChange,
}: {
  draft: NegativeDraft;
  onChange(next: NegativeDraft): void;
}) {
  const read = negativeOf(draft);
  return (
    <Card title="Scoring">
      <div className="grid gap-4 p-5">
        <Checkbox
          label="Take points off for wrong answers"
          hint="A question without an answer never costs anything."
          checked={draft.isOn}
          onChange={(event) => onChange({ ...draft, isOn: event.target.checked })}
        />
        {draft.isOn && (
          <div className="grid max-w-160 gap-4 sm:grid-cols-2">
            <TextField
              label="Percent of the question’s points"
              inputMode="decimal"
              value={draft.percent}
              error={'problem' in read ? read.problem : undefined}
              onChange={(event) => onChange({ ...draft, percent: event.target.value })}
            />
            <SelectField
              label="Never below zero"
              options={[
                { value: 'total', label: 'The total' },
                { value: 'question', label: 'Each question' },
              ]}
              value={draft.floor}
              onChange={(floor) => onChange({ ...draft, floor })}
            />
            {'marks' in read && read.marks !== null && (
              <p className="text-sm text-ink-2 sm:col-span-2">{exampleOf(read.marks)}</p>
            )}
            <p className="text-sm text-ink-2 sm:col-span-2">
              {`Under “${SCORING_RULE_NAMES.right_minus_wrong}” a wrong selection is then charged twice: it is subtracted from the right ones, and it takes points off.`}
            </p>
          </div>
        )}
      </div>
    </Card>
  );
}

/** Which questions the papers of an assessment have, and what they earn. */
export function SectionsTab({ quiz }: { quiz: Quiz }) {
  const structure = useStructure(quiz.id);
  if (structure.data !== undefined) return <SectionsEditor quiz={quiz} stored={structure.data} />;
  return structure.isError ? (
    <LoadFailure title="Failed to load sections" read={structure} />
  ) : (
    <SkeletonRows>Loading sections...</SkeletonRows>
  );
}

const CHECK_PAUSE_MS = 400;

function useStructure(quizId: string) {
  const query = endpointQuery(getStructure, { params: { id: quizId } });
  return useQuery({ ...query, gcTime: 0 });
}

function useSetStructure(quizId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: BodyOf<typeof setStructure>) =>
      callEndpoint(setStructure, { params: { id: quizId }, body }),
    onSuccess: async (saved) => {
      const key = endpointKey(getStructure, { params: { id: quizId } });
      await replaceCached(client, key, saved);
      await client.invalidateQueries({ queryKey: QUIZZES.queryKey, exact: true });
    },
  });
}

/** How many questions qualify for each entry, once typing pauses. Titles do not matter to it. */
function useStructureCheck(quizId: string, sections: readonly SectionDraft[] | null) {
  const untitled = sections?.map((section) => ({ ...section, title: 'Section' })) ?? [];
  const wanted = JSON.stringify(structureOf(untitled));
  const [structure, setStructure] = useState(wanted);
  useEffect(() => {
    const timer = setTimeout(() => setStructure(wanted), CHECK_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [wanted]);
  const check = useQuery({
    queryKey: [...endpointKey(checkStructure, { params: { id: quizId } }), structure],
    enabled: sections !== null && sections.length > 0,
    gcTime: 0,
    queryFn: ({ signal }) =>
      callEndpoint(checkStructure, {
        params: { id: quizId },
        body: { structure: structureOf(untitled) },
        signal,
      }),
  });
  return structure === wanted ? check.data : undefined;
}
