import { CopyCheck, Download, FileUp, List as ListIcon, Plus } from 'lucide-react';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { questionsWords } from '../../lib/question-labels.ts';
import { Button, buttonClasses } from '../../ui/button.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { toast } from '../../ui/toasts/toast.ts';
import { useContainerWidth } from '../../ui/use-container-width.ts';
import { showFailure } from '../failures.tsx';
import { DeleteQuestions } from '../questions/delete-questions.tsx';
import { useSelection } from '../questions/selection-bar.tsx';
import { findBankIds, useChangeBank } from './bank-api.ts';
import { addressOfBank, type BankFilter, bankFilterFrom, matchOf } from './bank-filter.ts';
import { BankDuplicates, BankPageList } from './bank-list.tsx';
import type { BankAction } from './bank-selection.tsx';
import { BankTools } from './bank-tools.tsx';
import { LabelDialog, MoveDialog } from './change-dialogs.tsx';
import { ExportDialog } from './export-dialog.tsx';

/** Below this the table becomes cards. */
const CARDS_BELOW_PX = 820;

/** /admin/questions: the questions of all assessments and those that belong to none. */
export function BankScreen() {
  const [address, setAddress] = useSearchParams();
  const filter = bankFilterFrom(address);
  const [container, width] = useContainerWidth();
  const { selected, select, clear } = useSelection<string>();
  const [selectingAll, setSelectingAll] = useState(false);
  const [asking, setAsking] = useState<BankAction | 'export' | null>(null);
  const change = useChangeBank();
  const asCards = width !== null && width < CARDS_BELOW_PX;

  const show = (next: BankFilter, replace = false) => {
    // A bulk action changes only what is on the screen.
    const isSameList =
      addressOfBank({ ...next, page: 1 }).toString() ===
      addressOfBank({ ...filter, page: 1 }).toString();
    if (!isSameList) clear();
    setAddress(addressOfBank(next), { replace, preventScrollReset: true });
  };
  const selectAll = async () => {
    setSelectingAll(true);
    try {
      select(await findBankIds(matchOf(filter)), true);
    } catch (error) {
      showFailure('Failed to load questions', error);
    } finally {
      setSelectingAll(false);
    }
  };
  const close = () => setAsking(null);
  const done = () => {
    close();
    clear();
  };
  const archive = async (isArchived: boolean) => {
    close();
    try {
      const { changed } = await change.mutateAsync({ ids: [...selected], isArchived });
      const verb = isArchived ? 'archived.' : 'restored.';
      toast({
        title: isArchived ? 'Questions archived' : 'Questions restored',
        description: questionsWords(changed, 'was', 'were', verb),
      });
      done();
    } catch (error) {
      showFailure(isArchived ? 'Failed to archive' : 'Failed to restore', error);
    }
  };
  const act = (action: BankAction) => {
    if (action === 'archive' || action === 'restore') void archive(action === 'archive');
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
      <PageHeader title="Questions" subtitle="Every question, in an assessment or only in the bank">
        <div className="flex flex-wrap gap-2.5">
          <Button
            icon={filter.isDuplicates ? <ListIcon /> : <CopyCheck />}
            onClick={() => show({ ...filter, isDuplicates: !filter.isDuplicates, page: 1 })}
          >
            {filter.isDuplicates ? 'Show all questions' : 'Find duplicates'}
          </Button>
          <Button icon={<Download />} onClick={() => setAsking('export')}>
            Export
          </Button>
          <Link to="/admin/questions/import" className={buttonClasses('secondary', 'admin')}>
            <FileUp />
            Import
          </Link>
          <Link to="/admin/questions/new" className={buttonClasses('primary', 'admin')}>
            <Plus />
            New question
          </Link>
        </div>
      </PageHeader>
      <div ref={container}>
        {filter.isDuplicates ? (
          <BankDuplicates {...selection} asCards={asCards} />
        ) : (
          <>
            <BankTools filter={filter} onChange={show} />
            <BankPageList
              {...selection}
              filter={filter}
              onChange={show}
              asCards={asCards}
              onSelectAll={() => void selectAll()}
              selectingAll={selectingAll}
            />
          </>
        )}
      </div>
      {asking === 'export' && <ExportDialog match={matchOf(filter)} onClose={close} />}
      {asking === 'labels' && <LabelDialog ids={ids} onClose={close} onDone={done} />}
      {asking === 'move' && <MoveDialog ids={ids} onClose={close} onDone={done} />}
      {asking === 'delete' && (
        <DeleteQuestions
          ids={ids}
          onClose={close}
          onDeleted={clear}
          onArchive={() => void archive(true)}
        />
      )}
    </>
  );
}
