import { questionsText } from '../../lib/question-labels.ts';
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
      const count = questionsText(changed, 'was', 'were', isArchived ? 'archived.' : 'restored.');
      const follows = ' New papers get them only where a section names them.';
      toast({
        title: isArchived ? 'Questions archived' : 'Questions restored',
        description: isArchived ? count + follows : count,
        undo,
      });
    } catch (error) {
      showFailure(isArchived ? 'Failed to archive' : 'Failed to restore', error);
    }
  };
}
