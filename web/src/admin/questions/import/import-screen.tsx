import { sentenceOf } from '@invigil/core/contract/definition/errors';
import type { Work } from '@invigil/core/contract/installation/works';
import { isolated } from '@invigil/core/domain/typed-text';
import { t } from '@invigil/core/texts/i18n';
import { Check } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { Button, buttonClasses } from '../../../ui/button.tsx';
import { FailureNotice } from '../../../ui/failure-notice.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { PageHeader } from '../../../ui/page.tsx';
import { addressOfBank } from '../../data/bank.ts';
import { progressOf, useForgetWork, useWorks } from '../../data/works.ts';
import { BackLink } from '../../parts/links.tsx';
import { UploadDropZone } from '../../parts/upload-drop-zone.tsx';
import { WorkUnderWay } from '../../parts/work-under-way.tsx';
import { DeleteQuestions } from '../delete-questions.tsx';
import { ImportReview } from './import-review.tsx';
import { type Imported, useReading } from './use-import.ts';

const hint = () =>
  t(
    'import.hint',
    'CSV, Excel, GIFT, Aiken, Moodle XML, Canvas (.imscc) or QTI 1.2, 2.1, 2.2 and 3.0, as a file or a package. The format is recognized. At most 24 MiB. Nothing is stored before you confirm.',
  );

/** /admin/questions/import: questions of a file of any format, reviewed before they are stored. */
export function ImportScreen() {
  const [address] = useSearchParams();
  const { reading, open, choose, close } = useReading();
  const quizId = address.get('quizId');
  const [done, setDone] = useState<{ result: Imported; quizId: string | null } | null>(null);
  const found = useWorks().find(({ kind }) => kind === 'questions.import');
  const forget = useForgetWork();
  const isOpen = useRef(false);
  useEffect(() => {
    isOpen.current = true;
    return () => {
      isOpen.current = false;
    };
  }, []);
  const read = (file: File) => {
    setDone(null);
    void open(file);
  };
  return (
    <>
      {quizId === null ? (
        <BackLink to="/admin/questions">
          {t(/* a link back to the bank */ 'portal.questions', 'Questions')}
        </BackLink>
      ) : (
        <BackLink to={`/admin/quizzes/${quizId}/questions`}>
          {t(/* a link back */ 'import.back.assessment', 'Questions of the assessment')}
        </BackLink>
      )}
      <PageHeader
        title={t('import.title', 'Import questions')}
        subtitle={t(
          /* under the title “Import questions” */ 'import.subtitle',
          'From a spreadsheet or another learning system',
        )}
      />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        {done !== null && <ImportResult {...done} />}
        {done === null && reading.phase === 'none' && found !== undefined && (
          <FoundImport work={found} onForget={() => forget.mutate(found.id)} />
        )}
        {reading.phase === 'none' && (
          <>
            {reading.problem !== null && (
              <FailureNotice title={t('import.notRead', 'This file was not read')}>
                {reading.problem}
              </FailureNotice>
            )}
            <UploadDropZone
              label={t('portal.selectFile', 'Select a file')}
              hint={hint()}
              onFile={read}
            />
          </>
        )}
        {reading.phase === 'reading' && (
          <div className="flex flex-wrap items-end gap-4">
            <div className="min-w-0 flex-1 basis-60">
              <WorkUnderWay>
                {reading.count === 0
                  ? t('import.reading', 'Reading {file}…', { file: isolated(reading.name) })
                  : t(
                      'import.readingCount',
                      '{count, plural, one {Reading {file}: # question so far…} other {Reading {file}: # questions so far…}}',
                      { file: isolated(reading.name), count: reading.count },
                    )}
              </WorkUnderWay>
            </div>
            <Button onClick={close}>
              {t(/* a button: stops what is under way */ 'ui.cancel', 'Cancel')}
            </Button>
          </div>
        )}
        {reading.phase === 'read' && (
          <ImportReview
            {...reading}
            onChoose={(choices) => void choose(reading.read, choices)}
            quizId={quizId}
            onDiscard={close}
            onImported={(result, { quizId: into, work }) => {
              // It is found by the next page that shows imports.
              if (!isOpen.current) return;
              close();
              setDone({ result, quizId: into });
              if (work !== undefined) forget.mutate(work);
            }}
          />
        )}
      </div>
    </>
  );
}

/** The latest import that this page did not see to its end: it was left, loaded again, or is another one. */
function FoundImport({ work, onForget }: { work: Work; onForget(): void }) {
  const { name, state, done, total, result, quizId, failure } = work;
  if (state === 'running') {
    return (
      <section
        aria-label={t(/* a file is imported: its name */ 'import.importOf', 'Import of {file}', {
          file: name,
        })}
        className="flex flex-wrap items-end gap-4"
      >
        <div className="min-w-0 flex-1 basis-60">
          <WorkUnderWay {...{ done, total }}>
            {t(/* how far the import of a file is */ 'import.fileProgress', '{file}: {progress}', {
              file: isolated(name),
              progress: progressOf(work),
            })}
          </WorkUnderWay>
        </div>
        <Button onClick={onForget}>
          {t(/* a button: stops what is under way */ 'ui.cancel', 'Cancel')}
        </Button>
      </section>
    );
  }
  if (result !== null && 'ids' in result) {
    return (
      <section
        aria-label={t(/* a file is imported: its name */ 'import.importOf', 'Import of {file}', {
          file: name,
        })}
        className="grid gap-4"
      >
        <ImportResult {...{ result, quizId }} />
        <Button size="dense" className="justify-self-start" onClick={onForget}>
          {t(/* a button */ 'ui.close', 'Close')}
        </Button>
      </section>
    );
  }
  return (
    <FailureNotice
      title={t('import.nothingOf', 'Nothing of {file} was imported', { file: isolated(name) })}
      retryLabel={t(/* a button */ 'ui.close', 'Close')}
      onRetry={onForget}
    >
      {failure === null
        ? t('import.serverStopped', 'The server stopped during the import. Import the file again.')
        : t(/* a sentence that has no full stop yet */ 'import.failure', '{sentence}.', {
            sentence: sentenceOf(failure),
          })}
    </FailureNotice>
  );
}

function ImportResult({
  result: { added, duplicates, left, ids, createdAt },
  quizId,
}: {
  result: Imported;
  quizId: string | null;
}) {
  const [isUndoing, setUndoing] = useState(false);
  const [isUndone, setUndone] = useState(false);
  if (isUndone) {
    return (
      <Notice role="status">
        {t(
          'portal.import.undone',
          '{count, plural, one {The import was undone. # question was deleted.} other {The import was undone. # questions were deleted.}}',
          { count: added },
        )}
      </Notice>
    );
  }
  return (
    <>
      <Notice
        tone="ok"
        role="status"
        icon={<Check />}
        title={t(
          'portal.import.imported',
          '{count, plural, one {# question was imported} other {# questions were imported}}',
          { count: added },
        )}
        action={
          added > 0 && (
            <span className="flex flex-wrap gap-2">
              <Button size="dense" onClick={() => setUndoing(true)}>
                {t('import.undo', 'Undo import')}
              </Button>
              <Link
                to={`/admin/questions?${addressOfBank({ createdAt })}`}
                className={buttonClasses('secondary', 'dense')}
              >
                {t('import.showQuestions', 'Show questions')}
              </Link>
            </span>
          )
        }
      >
        {duplicates > 0 &&
          t(
            'portal.import.duplicates',
            '{count, plural, one {# question is there already and left out.} other {# questions are there already and left out.}}',
            { count: duplicates },
          )}
      </Notice>
      {isUndoing && (
        <DeleteQuestions
          {...(quizId === null ? {} : { quizId })}
          ids={ids}
          onClose={() => setUndoing(false)}
          onDeleted={() => setUndone(true)}
        />
      )}
      {left.length > 0 && (
        <Notice
          tone="warn"
          title={t(
            'portal.import.left',
            '{count, plural, one {# question was not imported} other {# questions were not imported}}',
            { count: left.length },
          )}
        >
          <ul className="mt-1 grid gap-1">
            {left.map(({ title, reason }, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: titles repeat, and the list is fixed
              <li key={i}>
                {t(
                  /* the title of a question and why it was left out */ 'import.leftQuestion',
                  '{title}: {reason}',
                  { title, reason },
                )}
              </li>
            ))}
          </ul>
        </Notice>
      )}
    </>
  );
}
