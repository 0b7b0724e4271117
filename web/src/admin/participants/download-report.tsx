import { TableProperties, Users } from 'lucide-react';
import { logProblem } from '../../lib/problem-log.ts';
import { MenuItem } from '../../ui/menu.tsx';
import { DownloadButton } from '../downloads/download-button.tsx';
import { downloadReport } from './api.ts';
import { isFiltered, NO_FILTER, type ParticipantsFilter } from './participants-filter.ts';

/** The report of the filtered list, with its formats and other reports in a menu. */
export function DownloadReport({ filter }: { filter: ParticipantsFilter }) {
  const filtered = isFiltered(filter);
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      {filtered && <p className="text-sm text-ink-3">The report follows the filters.</p>}
      <DownloadButton
        onDownload={(format) => downloadReport(filter, false, format)}
        onFailed={(error) => {
          logProblem('The report could not be downloaded', error);
          // The specification asks for the browser's own alert here.
          window.alert('Failed to download report. Please try again.');
        }}
        menuLabel="More reports"
        more={(download) => (
          <>
            <MenuItem
              icon={<TableProperties />}
              unavailable={filter.quizId === null ? 'Select one assessment first.' : undefined}
              onSelect={() => void download((format) => downloadReport(filter, true, format))}
            >
              With a column per question
            </MenuItem>
            <MenuItem
              icon={<Users />}
              unavailable={filtered ? undefined : 'No filter is set.'}
              onSelect={() => void download((format) => downloadReport(NO_FILTER, false, format))}
            >
              All participants, without the filters
            </MenuItem>
          </>
        )}
      >
        Download report
      </DownloadButton>
    </div>
  );
}
