import { Download } from 'lucide-react';
import { useState } from 'react';
import { logProblem } from '../../lib/problem-log.ts';
import { Button } from '../../ui/button.tsx';
import { downloadReport } from './api.ts';

/** The CSV report of the chosen assessment, or of all. */
export function DownloadReport({ quizId }: { quizId: string | null }) {
  const [loading, setLoading] = useState(false);
  const download = async () => {
    setLoading(true);
    try {
      await downloadReport(quizId);
    } catch (error) {
      logProblem('The report could not be downloaded', error);
      // The seed asks for the browser's own alert here.
      window.alert('Failed to download report. Please try again.');
    } finally {
      setLoading(false);
    }
  };
  return (
    <Button
      icon={<Download aria-hidden="true" strokeWidth={1.5} />}
      busy={loading && 'Downloading…'}
      onClick={() => void download()}
    >
      Download report
    </Button>
  );
}
