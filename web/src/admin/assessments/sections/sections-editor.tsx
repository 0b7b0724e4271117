import type { Quiz } from '@invigil/core/contract/assessments/quiz';
import type { getStructure } from '@invigil/core/contract/assessments/structure';
import type { ResponseOf } from '@invigil/core/contract/definition/endpoint';
import { Info, Plus } from 'lucide-react';
import { useReducer, useState } from 'react';
import { questionsWords } from '../../../lib/question-words.ts';
import { ApiError, sentenceOf } from '../../../net/api.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { useUnsaved } from '../../../ui/dialogs/unsaved.ts';
import { FailureNotice } from '../../../ui/failure-notice.tsx';
import { Checkbox } from '../../../ui/fields/checkbox.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { PageHeader } from '../../../ui/page-header.tsx';
import { toast } from '../../../ui/toasts/toast.ts';
import { VisuallyHidden } from '../../../ui/visually-hidden.tsx';
import { useBank } from '../../bank/bank-api.ts';
import { MoveHandle } from '../../questions/manage/move-handle.tsx';
import { movedTo } from '../../questions/manage/use-reorder.ts';
import { negativeOf } from './negative-draft.ts';
import { NegativeMarksCard } from './negative-marks.tsx';
import { QuestionPicker } from './question-picker.tsx';
import { SectionCard } from './section-card.tsx';
import { useSetStructure, useStructureCheck } from './sections-api.ts';
import {
  newSection,
  type Problems,
  problemsAt,
  type SectionDraft,
  structureOf,
  totalOf,
  typedProblems,
} from './sections-draft.ts';
import { sectionsReducer, sectionsStateOf } from './sections-state.ts';

const NONE: Problems = new Map();

/** Sections, drawing rules and negative marks of an assessment. */
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
  // Its own questions and those that its sections name.
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
      <PageHeader title="Sections and scoring" subtitle={quiz.title} />
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
            {isOn && `Each paper has ${questionsWords(total)}.`}
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
