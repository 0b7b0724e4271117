import { Download } from 'lucide-react';
import { useState } from 'react';
import { logProblem } from '../../lib/problem-log.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { downloadReport } from './api.ts';

/** The CSV report of the chosen assessment, or of all. */
export function DownloadReport({ quizId }: { quizId: string | null }) {
  const [loading, setLoading] = useState(false);
  const [questions, setQuestions] = useState(false);
  const download = async () => {
    setLoading(true);
    try {
      await downloadReport(quizId, questions);
    } catch (error) {
      logProblem('The report could not be downloaded', error);
      // The seed asks for the browser's own alert here.
      window.alert('Failed to download report. Please try again.');
    } finally {
      setLoading(false);
    }
  };
  return (
    <div className="flex flex-wrap items-center gap-x-5 gap-y-2">
      <Checkbox
        label="With a column per question"
        checked={questions && quizId !== null}
        disabled={quizId === null}
        hint={quizId === null ? 'For one assessment: choose it below.' : undefined}
        onChange={(event) => setQuestions(event.target.checked)}
      />
      <Button
        icon={<Download aria-hidden="true" strokeWidth={1.5} />}
        busy={loading && 'Downloading…'}
        onClick={() => void download()}
      >
        Download report
      </Button>
    </div>
  );
}
