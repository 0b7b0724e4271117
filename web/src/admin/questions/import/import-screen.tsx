import { Check } from 'lucide-react';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { questionsText } from '../../../lib/question-labels.ts';
import { Button, buttonClasses } from '../../../ui/button.tsx';
import { FailureNotice } from '../../../ui/failure-notice.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { PageHeader } from '../../../ui/page.tsx';
import { BackLink } from '../../back-link.tsx';
import { addressOfBank } from '../../bank/bank-api.ts';
import { WorkUnderWay } from '../work-under-way.tsx';
import { ImportReview } from './import-review.tsx';
import { UploadDropZone } from './upload-drop-zone.tsx';
import { type Imported, useReading } from './use-import.ts';

const HINT =
  'CSV, Excel, GIFT, Aiken, Moodle XML, Canvas (.imscc) or QTI 1.2, 2.1, 2.2 and 3.0, as a file or a package. The format is recognized. At most 24 MiB. Nothing is stored before you confirm.';

/** /admin/questions/import: questions of a file of any format, reviewed before they are stored. */
export function ImportScreen() {
  const [address] = useSearchParams();
  const { reading, open, choose, close } = useReading();
  const [done, setDone] = useState<{ result: Imported; address: URLSearchParams } | null>(null);
  const read = (file: File) => {
    setDone(null);
    void open(file);
  };
  return (
    <>
      <BackLink to="/admin/questions">Questions</BackLink>
      <PageHeader
        title="Import questions"
        subtitle="From a spreadsheet or another learning system"
      />
      <div className="grid max-w-280 gap-4">
        {done !== null && <ImportResult {...done} />}
        {reading.phase === 'none' && (
          <>
            {reading.problem !== null && (
              <FailureNotice title="This file was not read">{reading.problem}</FailureNotice>
            )}
            <UploadDropZone label="Select a file" hint={HINT} onFile={read} />
          </>
        )}
        {reading.phase === 'reading' && (
          <div className="flex flex-wrap items-end gap-4">
            <div className="min-w-0 flex-1 basis-60">
              <WorkUnderWay>
                {reading.count === 0
                  ? `Reading ${reading.name}…`
                  : `Reading ${reading.name}: ${questionsText(reading.count)} so far…`}
              </WorkUnderWay>
            </div>
            <Button onClick={close}>Cancel</Button>
          </div>
        )}
        {reading.phase === 'read' && (
          <ImportReview
            {...reading}
            onChoose={(choices) => void choose(reading.read, choices)}
            quizId={address.get('quizId')}
            onDiscard={close}
            onImported={(result, { quizId, tags: [tag] }) => {
              close();
              setDone({ result, address: addressOfBank({ tag, quizId: quizId ?? undefined }) });
            }}
          />
        )}
      </div>
    </>
  );
}

function ImportResult({
  result: { added, duplicates, left },
  address,
}: {
  result: Imported;
  address: URLSearchParams;
}) {
  return (
    <>
      <Notice
        tone="ok"
        role="status"
        icon={<Check />}
        title={questionsText(added, 'was', 'were', 'imported')}
        action={
          <Link to={`/admin/questions?${address}`} className={buttonClasses('secondary', 'dense')}>
            Show questions
          </Link>
        }
      >
        {duplicates > 0 &&
          questionsText(duplicates, 'is', 'are', 'in the bank already and left out.')}
      </Notice>
      {left.length > 0 && (
        <Notice tone="warn" title={questionsText(left.length, 'was', 'were', 'not imported')}>
          <ul className="mt-1 grid gap-1">
            {left.map(({ title, reason }, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: titles repeat, and the list is fixed
              <li key={i}>{`${title}: ${reason}`}</li>
            ))}
          </ul>
        </Notice>
      )}
    </>
  );
}
