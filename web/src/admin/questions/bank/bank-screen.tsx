import { EXPORT_FORMATS, type ExportFormat } from '@invigil/core/domain/questions/question-files';
import { t } from '@invigil/core/texts/i18n';
import { useMutation } from '@tanstack/react-query';
import { CopyCheck, Download, FileUp, List as ListIcon, Plus } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { formatDateTime } from '../../../lib/format.ts';
import { sentenceOf } from '../../../net/api.ts';
import { Button, buttonClasses } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialogs/dialog.tsx';
import { FormFooter } from '../../../ui/dialogs/form-footer.tsx';
import { SelectField } from '../../../ui/fields/select-field.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { PageHeader } from '../../../ui/page.tsx';
import {
  addressOfBank,
  BANK_VIEW,
  type BankMatch,
  downloadQuestions,
  findBankIds,
  matchOf,
  useExportCheck,
} from '../../data/bank.ts';
import { showFailure } from '../../data/show-failure.ts';
import { useAllThatMatch, useSelection } from '../../list/selection-bar.tsx';
import { useView } from '../../list/use-view.ts';
import { LoadFailure } from '../../parts/failures.tsx';
import { WorkUnderWay } from '../../parts/work-under-way.tsx';
import { DELETED_UNASKED, DeleteQuestions, useDeleting } from '../delete-questions.tsx';
import { useArchive } from '../use-archive.ts';
import { type BankAction, BankDuplicates, BankPageList } from './bank-list.tsx';
import { BankTools } from './bank-tools.tsx';
import { LabelDialog, MoveDialog } from './change-dialogs.tsx';

/** /admin/questions: the questions of all assessments and those that belong to none. */
export function BankScreen() {
  const { view: filter, narrow } = useView(BANK_VIEW);
  const { selected, select, clear } = useSelection<string>({
    list: addressOfBank({ ...filter, page: 1 }).toString(),
  });
  const all = useAllThatMatch(
    t('portal.questionsFailed', 'Failed to load questions'),
    () => findBankIds(matchOf(filter)),
    select,
  );
  const [asking, setAsking] = useState<BankAction | 'export' | null>(null);
  const close = () => setAsking(null);
  const done = () => {
    close();
    clear();
  };
  const setArchived = useArchive(clear);
  const archive = (isArchived: boolean) => {
    close();
    void setArchived([...selected], isArchived);
  };
  const { deleteAll } = useDeleting(undefined);
  const [refused, setRefused] = useState<string | null>(null);
  const remove = async (some: readonly string[]) => {
    setRefused(null);
    if (some.length > DELETED_UNASKED) return setAsking('delete');
    try {
      await deleteAll(some);
      clear();
    } catch (error) {
      setRefused(sentenceOf(error));
      setAsking('delete');
    }
  };
  const act = (action: BankAction) => {
    if (action === 'archive' || action === 'restore') archive(action === 'archive');
    else if (action === 'delete') void remove([...selected]);
    else setAsking(action);
  };
  const selection = {
    selected,
    onSelect: select,
    onClear: clear,
    onAction: act,
  };
  const ids = [...selected];

  return (
    <>
      <PageHeader
        title={t(/* title of a screen and of its list */ 'portal.questions', 'Questions')}
        subtitle={t('bank.subtitle', 'Every question, in an assessment or only in the bank')}
      >
        <div className="flex flex-wrap gap-2.5">
          <Button
            icon={filter.view ? <ListIcon /> : <CopyCheck />}
            onClick={() => narrow({ view: filter.view ? undefined : 'duplicates' })}
          >
            {filter.view
              ? t('bank.showAllQuestions', 'Show all questions')
              : t('bank.findDuplicates', 'Find duplicates')}
          </Button>
          <Button icon={<Download />} onClick={() => setAsking('export')}>
            {t(/* a button */ 'bank.export', 'Export')}
          </Button>
          <Link to="/admin/questions/import" className={buttonClasses('secondary', 'admin')}>
            <FileUp />
            {t(/* a button */ 'bank.import', 'Import')}
          </Link>
          <Link to="/admin/questions/new" className={buttonClasses('primary', 'admin')}>
            <Plus />
            {t('bank.newQuestion', 'New question')}
          </Link>
        </div>
      </PageHeader>
      {filter.view === 'duplicates' ? (
        <BankDuplicates {...selection} />
      ) : (
        <>
          {filter.createdAt !== undefined && (
            <div className="mb-4">
              <Notice
                action={
                  <Button size="dense" onClick={() => narrow({ createdAt: undefined })}>
                    {t('bank.showAllQuestions', 'Show all questions')}
                  </Button>
                }
              >
                {t('bank.onlyAddedTogether', 'Only questions that were added together on {time}.', {
                  time: formatDateTime(filter.createdAt),
                })}
              </Notice>
            </div>
          )}
          <BankTools filter={filter} onNarrow={narrow} />
          <BankPageList {...selection} all={all} />
        </>
      )}
      {asking === 'export' && <ExportDialog match={matchOf(filter)} onClose={close} />}
      {asking === 'labels' && <LabelDialog ids={ids} onClose={close} onDone={done} />}
      {asking === 'move' && <MoveDialog ids={ids} onClose={close} onDone={done} />}
      {asking === 'delete' && (
        <DeleteQuestions
          ids={ids}
          refused={refused}
          onClose={close}
          onDeleted={clear}
          onArchive={() => archive(true)}
        />
      )}
    </>
  );
}

const FORMATS: Record<ExportFormat, () => string> = {
  qti_3: () => t(/* a format of files */ 'bank.format.qti', 'QTI 3.0 package'),
  moodle_xml: () => 'Moodle XML',
  gift: () => 'GIFT',
  csv: () => t(/* a format of files */ 'bank.format.csv', 'CSV (spreadsheet)'),
};

const formatOptions = () =>
  [...EXPORT_FORMATS].reverse().map((value) => ({ value, label: FORMATS[value]() }));

/** Questions named for each reason; how many there are is said beside it. */
const LISTED = 5;

function ExportDialog({ match, onClose }: { match: BankMatch; onClose(): void }) {
  const [format, setFormat] = useState<ExportFormat>('qti_3');
  const check = useExportCheck(match, format);
  const download = useMutation({
    mutationFn: () => downloadQuestions(match, format),
    onError: (error) => showFailure(t('bank.export.failed', 'Failed to export questions'), error),
  });
  const { affected = 0, reasons = [], losses = [] } = check.data ?? {};
  const isReady = check.isSuccess && check.data.questions > 0;
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('bank.export.title', 'Export questions')}
      description={t(
        'bank.export.description',
        'The file has the questions that the filters select.',
      )}
      footer={
        <FormFooter
          icon={<Download />}
          isOff={!isReady}
          busy={download.isPending && t('portal.downloading', 'Downloading…')}
          // Not once another dialog is open instead.
          onSubmit={() => download.mutate(undefined, { onSuccess: onClose })}
        >
          {isReady
            ? t(
                /* a button */ 'bank.downloadCount',
                '{count, plural, one {Download # question} other {Download # questions}}',
                { count: check.data.questions },
              )
            : t(/* a button */ 'bank.download', 'Download')}
        </FormFooter>
      }
    >
      <div className="grid gap-4">
        <SelectField
          label={t('bank.export.format', 'Format')}
          options={formatOptions()}
          value={format}
          onChange={(value) => setFormat(value)}
        />
        {check.isPending && (
          <WorkUnderWay>
            {t('bank.export.checking', 'Checking what the format can hold…')}
          </WorkUnderWay>
        )}
        {download.isPending && (
          <WorkUnderWay>
            {t(
              'bank.export.writing',
              'Writing the file. The download begins when it is ready, also when you close this dialog…',
            )}
          </WorkUnderWay>
        )}
        {check.isError && (
          <LoadFailure
            title={t('bank.export.checkFailed', 'Failed to check the format')}
            read={check}
          />
        )}
        {check.isSuccess && affected === 0 && (
          <Notice tone="ok" role="status">
            {check.data.questions === 0
              ? t('bank.export.noMatch', 'No question matches the filters.')
              : t('bank.export.holdsAll', 'This format holds everything of these questions.')}
          </Notice>
        )}
        {affected > 0 && (
          <>
            <Notice tone="warn" role="status">
              {t(
                'portal.questions.lost',
                '{count, plural, one {# question has something that this format cannot hold.} other {# questions have something that this format cannot hold.}}',
                { count: affected },
              )}{' '}
              {t('bank.export.lostFollows', 'Here is what is lost or left out.')}
            </Notice>
            <ul
              aria-label={t('bank.export.losses', 'What the format cannot hold')}
              className="grid gap-3"
            >
              {reasons.map(({ reason, questions }) => (
                <li key={reason}>
                  <p className="font-medium">{reason}</p>
                  <p className="text-sm text-ink-2 wrap-anywhere">
                    {t(
                      /* how many questions lose something, with the titles of the first ones */ 'bank.lostTitles',
                      '{count, plural, one {# question: {titles}} other {# questions: {titles}}}',
                      { count: questions, titles: titlesOf(losses, reason).join(' · ') },
                    )}
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

function titlesOf(
  losses: readonly { title: string; reasons: readonly string[] }[],
  reason: string,
): string[] {
  return losses
    .filter(({ reasons }) => reasons.includes(reason))
    .slice(0, LISTED)
    .map(({ title }) => title);
}
