import { t } from '@invigil/core/texts/i18n';
import { StaleNotice } from '../../../parts/stale-notice.tsx';
import { ChangesList } from './changes-list.tsx';
import type { Change } from './definition-changes.ts';

/** @param changes from their version to mine */
export function StaleQuestionNotice({
  changes,
  ...actions
}: {
  changes: readonly Change[];
  onTakeTheirs(): void;
  onKeepMine(): void;
}) {
  return (
    <StaleNotice what="question" {...actions}>
      <p>
        {t(
          /* someone else has saved a question that you edit */ 'editor.changes.fromTheirs',
          'From their version to yours:',
        )}
      </p>
      <div className="my-3 rounded-md bg-surface px-3.5 py-3 text-ink">
        <ChangesList changes={changes} />
      </div>
    </StaleNotice>
  );
}
