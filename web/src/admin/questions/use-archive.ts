import { t } from '@invigil/core/texts/i18n';
import { toast } from '../../ui/toast.ts';
import { useChangeBank } from '../data/bank.ts';
import { showFailure } from '../data/show-failure.ts';

/**
 * Archives questions or restores them, with an offer to undo it. Archived ones get to new papers only where a
 * section names them; papers that have them stay as they are.
 */
export function useArchive(onDone: () => void) {
  const { change } = useChangeBank();
  return async (ids: string[], isArchived = true): Promise<void> => {
    try {
      const { changed, undo } = await change(ids, { isArchived });
      onDone();
      toast({
        title: isArchived
          ? t('bank.archive.done', 'Questions archived')
          : t('bank.restore.done', 'Questions restored'),
        description: isArchived ? archivedText(changed) : restoredText(changed),
        undo,
      });
    } catch (error) {
      showFailure(
        isArchived
          ? t('bank.archive.failed', 'Failed to archive')
          : t('bank.restore.failed', 'Failed to restore'),
        error,
      );
    }
  };
}

const archivedText = (count: number): string =>
  t(
    'portal.questions.archived',
    '{count, plural, one {# question was archived. New papers get them only where a section names them.} other {# questions were archived. New papers get them only where a section names them.}}',
    { count },
  );

const restoredText = (count: number): string =>
  t(
    'portal.questions.restored',
    '{count, plural, one {# question was restored.} other {# questions were restored.}}',
    { count },
  );
