import { QUESTION_LIMITS } from '@invigil/core/domain/limits';
import { CSV_MESSAGES, questionTemplate } from '@invigil/core/domain/questions/question-csv';
import { isolated } from '@invigil/core/domain/typed-text';
import { t } from '@invigil/core/texts/i18n';
import { Download } from 'lucide-react';
import { useEffect } from 'react';
import { saveFile } from '../../../net/file-download.ts';
import { refusalSentence } from '../../../net/form-refusal.ts';
import { Button } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { toast } from '../../../ui/toast.ts';
import { showFailure } from '../../data/show-failure.ts';
import { UploadDropZone } from '../../parts/upload-drop-zone.tsx';
import { WorkUnderWay } from '../../parts/work-under-way.tsx';
import { ImportReview } from './import-review.tsx';
import { useReading } from './use-import.ts';

const hint = () =>
  t(
    'import.csv.hint',
    'A header row, then one question per line: the question, two to four options, and the correct answer as a letter (A to D) or as the option’s text. At most 1 MiB and 1,000 rows.',
  );

/** The specification asks for a header in the first row, whatever it says. */
const CHOICES = { firstRow: 'header' } as const;

/** UTF-16 has at least two bytes per character, so the file may be twice the text limit. */
const MOST_BYTES = 2 * QUESTION_LIMITS.csvMaxBytes + 2;

function refuseCsv({ name, size }: Pick<File, 'name' | 'size'>): string | null {
  if (!/\.csv$/i.test(name)) return CSV_MESSAGES.notCsv();
  if (size === 0) return t('import.csv.empty', 'The file is empty');
  return size > MOST_BYTES ? CSV_MESSAGES.tooLarge() : null;
}

const fail = (description: string) =>
  showFailure(t('import.csv.failed', 'Failed to upload CSV'), description);

export function UploadQuestions({
  quizId,
  onPendingChange,
  onImported,
}: {
  quizId: string;
  /** A file is selected but not imported. */
  onPendingChange(pending: boolean): void;
  onImported(ids: string[]): void;
}) {
  const { reading, open, choose, close } = useReading(CHOICES, refuseCsv);
  const isPending = reading.phase === 'read';
  useEffect(() => onPendingChange(isPending), [isPending, onPendingChange]);
  const read = async (file: File) => {
    const problem = await open(file);
    if (problem !== undefined) fail(problem);
  };
  return (
    <div className="grid gap-4">
      <UploadDropZone
        label={t('import.csv.select', 'Select a CSV file')}
        hint={hint()}
        accept=".csv,text/csv"
        onFile={(file) => void read(file)}
      />
      <Button
        size="dense"
        className="justify-self-start"
        icon={<Download />}
        onClick={() =>
          saveFile(
            new Blob([questionTemplate()], { type: 'text/csv;charset=utf-8' }),
            'questions-template.csv',
          )
        }
      >
        {t('import.csv.template', 'Download a CSV template')}
      </Button>
      {reading.phase === 'none' && reading.problem !== null && (
        <Notice tone="bad">{reading.problem}</Notice>
      )}
      {reading.phase === 'reading' && (
        <WorkUnderWay>
          {t('import.reading', 'Reading {file}…', { file: isolated(reading.name) })}
        </WorkUnderWay>
      )}
      {reading.phase === 'read' && (
        <ImportReview
          {...reading}
          quizId={quizId}
          isFixed
          onChoose={(choices) => void choose(reading.read, choices)}
          onDiscard={close}
          onImported={({ ids }) => {
            close();
            toast({
              title: t('import.csv.uploaded', 'Questions uploaded'),
              description: t(
                'portal.questions.uploaded',
                '{count, plural, one {# question was added.} other {# questions were added.}}',
                { count: ids.length },
              ),
            });
            onImported(ids);
          }}
          onFailed={(error) =>
            fail(
              refusalSentence(
                error,
                t('import.csv.checkFormat', 'Please check the CSV format and try again.'),
              ),
            )
          }
        />
      )}
    </div>
  );
}
