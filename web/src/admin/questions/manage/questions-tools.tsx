import type { Question } from '@invigil/core/contract/assessments/question-list';
import { t } from '@invigil/core/texts/i18n';
import { Download, ListChecks, Printer } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Checkbox } from '../../../ui/fields/checkbox.tsx';
import { QuestionsOnPaper, saveQuestions } from '../../parts/questions-on-paper.tsx';

export function QuestionsTools({
  title,
  questions,
  loading,
  onSelect,
}: {
  title: string;
  questions: readonly Question[];
  /** The list is being refetched: printing and exporting wait for it. */
  loading: boolean;
  onSelect(): void;
}) {
  const [withKey, setWithKey] = useState(false);
  const [printing, setPrinting] = useState(false);
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line py-3">
      <Checkbox
        label={t(
          /* the answer key: which answers are correct */ 'manage.printWithKey',
          'Print with answer key',
        )}
        checked={withKey}
        onChange={(event) => setWithKey(event.target.checked)}
      />
      <span className="flex flex-wrap gap-2 max-sm:w-full sm:ms-auto">
        <Button size="dense" icon={<ListChecks />} onClick={onSelect}>
          {t(/* a button: begins to select questions */ 'manage.select', 'Select')}
        </Button>
        <Button
          size="dense"
          aria-disabled={loading}
          icon={<Printer />}
          onClick={() => setPrinting(true)}
        >
          {t(/* a button */ 'manage.print', 'Print')}
        </Button>
        <Button
          size="dense"
          aria-disabled={loading}
          icon={<Download />}
          onClick={() => saveQuestions(title, questions)}
        >
          {t(/* a button */ 'manage.export', 'Export')}
        </Button>
      </span>
      {printing && (
        <QuestionsOnPaper
          title={title}
          questions={questions}
          withKey={withKey}
          onPrinted={() => setPrinting(false)}
        />
      )}
    </div>
  );
}
