import { t } from '@invigil/core/texts/i18n';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { z } from 'zod';
import { Dialog } from '../../../ui/dialogs/dialog.tsx';
import { FormFooter } from '../../../ui/dialogs/form-footer.tsx';
import { SelectField } from '../../../ui/fields/select-field.tsx';
import { useQuizzes } from '../../data/assessments.ts';
import { useMay } from '../../data/own-rights.ts';
import { LoadFailure } from '../../parts/failures.tsx';

/** History state of the Candidates tab: whom its dialog invites. */
export const ToInvite = z.object({ toInvite: z.array(z.string()) });
type ToInvite = z.infer<typeof ToInvite>;

/** Asks for the assessment, and opens its invitation with these people. */
export function InvitePeople({ emails, onClose }: { emails: readonly string[]; onClose(): void }) {
  const navigate = useNavigate();
  const may = useMay();
  const quizzes = useQuizzes();
  const [selected, setSelected] = useState<string>();
  const open = (quizzes.data ?? []).filter(
    ({ id: quizId, categoryId, isOpen }) => isOpen && may('people.invite', { quizId, categoryId }),
  );
  const quizId = selected ?? (open.length === 1 ? open[0]?.id : undefined);
  const go = () => {
    const state: ToInvite = { toInvite: [...emails] };
    if (quizId !== undefined) void navigate(`/admin/quizzes/${quizId}/candidates`, { state });
  };
  const isNone = quizzes.isSuccess && open.length === 0;
  return (
    <Dialog
      open
      onClose={onClose}
      title={t(
        'invite.people.title',
        '{count, plural, one {Invite # person} other {Invite # people}}',
        { count: emails.length },
      )}
      description={t(
        'invite.people.hint',
        'You can change the list and write a message before anything is sent.',
      )}
      footer={
        <FormFooter isOff={quizId === undefined} onSubmit={go}>
          {t(/* a button */ 'invite.people.continue', 'Continue')}
        </FormFooter>
      }
    >
      {quizzes.isError ? (
        <LoadFailure
          title={t('invite.people.failed', 'Failed to load assessments')}
          read={quizzes}
        />
      ) : isNone ? (
        <p className="text-ink-2">
          {t(
            'invite.people.noneOpen',
            'No assessment is open for invitations. Activate one, or move its end date, first.',
          )}
        </p>
      ) : (
        <SelectField
          label={t('portal.assessment', 'Assessment')}
          placeholder={t('invite.people.select', 'Select an assessment')}
          options={open.map(({ id, title }) => ({ value: id, label: title }))}
          value={quizId}
          onChange={setSelected}
        />
      )}
    </Dialog>
  );
}
