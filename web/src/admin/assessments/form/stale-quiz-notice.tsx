import type { Quiz } from '@invigil/core/contract/assessments/quiz';
import { Users } from 'lucide-react';
import { Button } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { useCategories } from '../api.ts';
import { intoSight } from '../into-sight.ts';
import { policyChanges } from './policy-changes.ts';
import { FIELDS, type QuizField, type QuizFormValues, quizFormValuesOf } from './quiz-form.ts';

const LABELS: Record<QuizField, string> = {
  title: 'Title',
  description: 'Description',
  categoryId: 'Category',
  duration: 'Duration (minutes)',
  totalQuestions: 'Total Questions',
  endDate: 'End Date',
  finishAfterEnd: 'Finishing after the end date',
  closingMail: 'Confirmation email',
  status: 'Status',
};

/** The server's sentence asks to reload; here both versions are already on the screen. */
export const STALE_SENTENCE = 'Someone else has changed it. Both versions are shown.';

/** Someone else changed the assessment: the differences, and which version to keep. */
export function StaleQuizNotice({
  theirs,
  typed,
  onTakeTheirs,
  onKeepMine,
}: {
  theirs: Quiz;
  typed: QuizFormValues;
  onTakeTheirs(): void;
  onKeepMine(): void;
}) {
  const categories = useCategories();
  const stored = quizFormValuesOf(theirs);
  const shown = (field: QuizField, value: string | boolean) => {
    if (typeof value === 'boolean') return value ? 'on' : 'off';
    if (field === 'categoryId') {
      return categories.data?.find((category) => category.id === value)?.name ?? '–';
    }
    return (field === 'endDate' ? value.replace('T', ' ') : value) || '–';
  };
  const different = FIELDS.filter((field) => stored[field] !== typed[field]);
  const changes = policyChanges(stored.policy, typed.policy);
  return (
    <div ref={intoSight}>
      <Notice
        tone="warn"
        role="alert"
        icon={<Users />}
        title="Someone else has changed this assessment"
      >
        <p>Your changes are still here. Nothing was overwritten.</p>
        {different.length + changes.length > 0 && (
          <dl className="my-2 grid gap-1">
            {different.map((field) => (
              <div key={field}>
                <dt className="inline font-medium">{LABELS[field]}: </dt>
                <dd className="inline">
                  theirs “{shown(field, stored[field])}”, yours “{shown(field, typed[field])}”
                </dd>
              </div>
            ))}
            {changes.map(({ label, theirs, yours }) => (
              <div key={label}>
                <dt className="inline font-medium">{label}: </dt>
                <dd className="inline">{`theirs “${theirs}”, yours “${yours}”`}</dd>
              </div>
            ))}
          </dl>
        )}
        <div className="mt-2 flex flex-wrap gap-2">
          <Button size="dense" onClick={onTakeTheirs}>
            Use their version
          </Button>
          <Button size="dense" onClick={onKeepMine}>
            Save my version
          </Button>
        </div>
      </Notice>
    </div>
  );
}
