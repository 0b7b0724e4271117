import { CSV_MESSAGES, validateQuestionRows } from '@invigil/core/domain/questions/question-csv';
import { Download } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { newId } from '../../../lib/new-id.ts';
import { ApiError, answerWasLost } from '../../../net/api.ts';
import { saveFile } from '../../../net/file-download.ts';
import { refusalSentence } from '../../../net/form-refusal.ts';
import { Button } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { toast } from '../../../ui/toasts/toast.ts';
import { questionTemplate } from '../question-file.ts';
import { useImportQuestions } from '../questions-api.ts';
import { type QuestionFile, readPickedFile, readQuestionFile } from './read-question-file.ts';
import { UploadDropZone } from './upload-drop-zone.tsx';
import { UploadPreview } from './upload-preview.tsx';
import { WorkUnderWay } from './work-under-way.tsx';

/** Longer than a frame. */
const PAINT_MS = 20;

const FAILED = 'Failed to upload CSV';
const NO_ANSWER =
  'The server did not respond. The questions may have been added. Check the list before you import them again.';

/** A selected file, with a new id per selection. */
interface SelectedFile {
  id: string;
  name: string;
  file: QuestionFile;
}

/** Imports a question file: selected or dropped, previewed, then stored all or nothing. */
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
  const importing = useImportQuestions(quizId);
  const [selected, setSelected] = useState<SelectedFile | null>(null);
  const [keepFirstRow, setKeepFirstRow] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  /** The name of the file that is being read. */
  const [reading, setReading] = useState<string | null>(null);
  /** The server's errors per question, by position in the request. */
  const [refusals, setRefusals] = useState<ReadonlyMap<number, string>>(new Map());
  useEffect(() => onPendingChange(selected !== null), [selected, onPendingChange]);

  const validated = useMemo(
    () => (selected === null ? null : validateQuestionRows(selected.file.rows, keepFirstRow)),
    [selected, keepFirstRow],
  );

  const fail = (sentence: string) => {
    setProblem(sentence);
    toast({ title: FAILED, description: sentence, variant: 'destructive' });
  };
  const take = async (picked: File) => {
    setProblem(null);
    setRefusals(new Map());
    setKeepFirstRow(false);
    setReading(picked.name);
    // Parsing blocks the page: show the progress first.
    await new Promise((painted) => setTimeout(painted, PAINT_MS));
    const read = await readPickedFile(picked);
    setReading(null);
    if (!read.ok) {
      setSelected(null);
      return fail(read.problem);
    }
    const { problem } = validateQuestionRows(read.file.rows);
    if (problem === CSV_MESSAGES.tooManyRows) {
      setSelected(null);
      return fail(problem);
    }
    setSelected({ id: newId(), name: picked.name, file: read.file });
    // Each row shows its own problem.
    if (problem !== null) toast({ title: FAILED, description: problem, variant: 'destructive' });
  };
  const store = async () => {
    const drafts = (validated?.rows ?? []).flatMap((row) => row.question ?? []);
    setRefusals(new Map());
    try {
      const { created, ids } = await importing.mutateAsync(drafts);
      setSelected(null);
      setProblem(null);
      toast({
        title: 'Questions uploaded',
        description:
          created === 1
            ? '1 question was added.'
            : `${created.toLocaleString('en-GB')} questions were added.`,
      });
      onImported(ids);
    } catch (error) {
      if (answerWasLost(error)) return fail(NO_ANSWER);
      fail(refusalSentence(error, 'Please check the CSV format and try again.'));
      if (error instanceof ApiError) setRefusals(refusalsByPlace(error));
    }
  };

  return (
    <div className="grid gap-4">
      <UploadDropZone accept=".csv,text/csv" onFile={(file) => void take(file)} />
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
        Download a CSV template
      </Button>
      {problem !== null && <Notice tone="bad">{problem}</Notice>}
      {reading !== null && <WorkUnderWay>{`Reading ${reading}…`}</WorkUnderWay>}
      {selected !== null && validated !== null && (
        <UploadPreview
          // Choices about one file do not apply to the next.
          key={selected.id}
          name={selected.name}
          file={selected.file}
          validated={validated}
          refusals={refusals}
          keepFirstRow={keepFirstRow}
          onKeepFirstRow={setKeepFirstRow}
          onEncoding={(encoding) => {
            const read = readQuestionFile(selected.name, selected.file.bytes, encoding);
            setRefusals(new Map());
            if (!read.ok) return fail(read.problem);
            setProblem(null);
            setSelected({ ...selected, file: read.file });
          }}
          busy={importing.isPending}
          onImport={() => void store()}
          onDiscard={() => {
            setSelected(null);
            setProblem(null);
          }}
        />
      )}
    </div>
  );
}

/** Groups paths like `questions.3.options` by index. */
function refusalsByPlace(error: ApiError): Map<number, string> {
  const found = new Map<number, string>();
  for (const issue of error.issues) {
    const place = /^(?:questions\.)?(\d+)/.exec(issue.path)?.[1];
    if (place !== undefined && !found.has(Number(place))) found.set(Number(place), issue.message);
  }
  return found;
}
