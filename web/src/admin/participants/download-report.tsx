import { ChevronDown, Download, FileSpreadsheet, Users } from 'lucide-react';
import { useState } from 'react';
import { logProblem } from '../../lib/problem-log.ts';
import { Button } from '../../ui/button.tsx';
import { Menu, MenuItem } from '../../ui/menu.tsx';
import { downloadReport } from './api.ts';
import { isFiltered, NO_FILTER, type ParticipantsFilter } from './participants-filter.ts';

/** The CSV report of the filtered list, with its other formats in a menu. */
export function DownloadReport({ filter }: { filter: ParticipantsFilter }) {
  const [loading, setLoading] = useState(false);
  const download = async (of: ParticipantsFilter, questions: boolean) => {
    setLoading(true);
    try {
      await downloadReport(of, questions);
    } catch (error) {
      logProblem('The report could not be downloaded', error);
      // The seed asks for the browser's own alert here.
      window.alert('Failed to download report. Please try again.');
    } finally {
      setLoading(false);
    }
  };
  const filtered = isFiltered(filter);
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      {filtered && <p className="text-sm text-ink-3">The report follows the filters.</p>}
      <div className="flex gap-1">
        <Button
          icon={<Download />}
          busy={loading && 'Downloading…'}
          onClick={() => void download(filter, false)}
        >
          Download report
        </Button>
        <Menu
          trigger={
            <Button
              aria-label="More reports"
              icon={<ChevronDown />}
              className="gap-0! px-2! touch:min-w-11"
            />
          }
        >
          <MenuItem
            icon={<FileSpreadsheet />}
            unavailable={filter.quizId === null ? 'Select one assessment first.' : undefined}
            onSelect={() => void download(filter, true)}
          >
            With a column per question
          </MenuItem>
          <MenuItem
            icon={<Users />}
            unavailable={filtered ? undefined : 'No filter is set.'}
            onSelect={() => void download(NO_FILTER, false)}
          >
            All participants, without the filters
          </MenuItem>
        </Menu>
      </div>
    </div>
  );
}
