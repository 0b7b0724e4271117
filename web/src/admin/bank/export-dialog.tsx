import { EXPORT_FORMATS, type ExportFormat } from '@invigil/core/domain/questions/question-files';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { questionsWords } from '../../lib/question-labels.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogClose } from '../../ui/dialogs/dialog.tsx';
import { SelectField } from '../../ui/fields/select-field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { LoadFailure, showFailure } from '../failures.tsx';
import { WorkUnderWay } from '../questions/work-under-way.tsx';
import { downloadQuestions, useExportCheck } from './bank-api.ts';
import type { BankMatch } from './bank-filter.ts';

const FORMATS: Record<ExportFormat, string> = {
  qti_3: 'QTI 3.0 package',
  moodle_xml: 'Moodle XML',
  gift: 'GIFT',
  csv: 'CSV (spreadsheet)',
};

/** Questions named for each reason; how many there are is said beside it. */
const LISTED = 5;

/** Exports the questions that match: first what the format cannot hold, then the file. */
export function ExportDialog({ match, onClose }: { match: BankMatch; onClose(): void }) {
  const [format, setFormat] = useState<ExportFormat>('qti_3');
  const [downloading, setDownloading] = useState(false);
  const check = useExportCheck(match, format);
  const download = async () => {
    setDownloading(true);
    try {
      await downloadQuestions(match, format);
      onClose();
    } catch (error) {
      showFailure('Failed to export questions', error);
    } finally {
      setDownloading(false);
    }
  };
  const { affected = 0, reasons = [], losses = [] } = check.data ?? {};
  const isReady = check.isSuccess && check.data.questions > 0;
  return (
    <Dialog
      open
      onClose={onClose}
      title="Export questions"
      description="The file has the questions that the filters select."
      footer={
        <>
          <DialogClose>
            <Button>Cancel</Button>
          </DialogClose>
          <Button
            variant="primary"
            icon={<Download />}
            aria-disabled={!isReady}
            busy={downloading && 'Downloading…'}
            onClick={() => void download()}
          >
            {isReady ? `Download ${questionsWords(check.data.questions)}` : 'Download'}
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <SelectField
          label="Format"
          options={[...EXPORT_FORMATS].reverse().map((value) => ({ value, label: FORMATS[value] }))}
          value={format}
          onChange={(value) => setFormat(EXPORT_FORMATS.find((known) => known === value) ?? format)}
        />
        {check.isPending && <WorkUnderWay>Checking what the format can hold…</WorkUnderWay>}
        {check.isError && <LoadFailure title="Failed to check the format" read={check} />}
        {check.isSuccess && affected === 0 && (
          <Notice tone="ok" role="status">
            {check.data.questions === 0
              ? 'No question matches the filters.'
              : 'This format holds everything of these questions.'}
          </Notice>
        )}
        {affected > 0 && (
          <>
            <Notice tone="warn" role="status">
              {questionsWords(affected, 'has', 'have', 'something that this format cannot hold.')}{' '}
              It is lost in the file.
            </Notice>
            <ul aria-label="What the format cannot hold" className="grid gap-3">
              {reasons.map(({ reason, questions }) => (
                <li key={reason}>
                  <p className="font-medium">{reason}</p>
                  <p className="text-sm text-ink-2 wrap-anywhere">
                    {`${questionsWords(questions)}: ${titlesOf(losses, reason).join(' · ')}`}
                    {questions > LISTED && ' …'}
                  </p>
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
    </Dialog>
  );
}

/** The first questions that lose something for this reason. */
function titlesOf(
  losses: readonly { title: string; reasons: readonly string[] }[],
  reason: string,
): string[] {
  return losses
    .filter(({ reasons }) => reasons.includes(reason))
    .slice(0, LISTED)
    .map(({ title }) => title);
}
