import { type FormEvent, type ReactNode, useId } from 'react';
import { questionsWords } from '../../lib/question-words.ts';
import { sentenceOf } from '../../net/api.ts';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { FormFooter } from '../../ui/dialogs/form-footer.tsx';
import { Notice } from '../../ui/notice.tsx';
import { toast } from '../../ui/toasts/toast.ts';
import { type BankChange, useChangeBank } from './bank-api.ts';

/** A form that changes several questions, all or none; a refusal is shown in it. */
export function ChangeDialog({
  ids,
  change: wanted,
  words,
  description,
  unsaved,
  children,
  onClose,
  onDone,
}: {
  ids: readonly string[];
  /** null: there is nothing to change, so saving only closes. */
  change: BankChange | null;
  words: { title: string; button: string; busy: string; toast: string; changed: string };
  description: string;
  unsaved?: boolean;
  /** The fields. */
  children: ReactNode;
  onClose(): void;
  onDone(): void;
}) {
  const formId = useId();
  const change = useChangeBank();
  const save = async (event: FormEvent) => {
    event.preventDefault();
    if (!wanted) return onClose();
    try {
      const { changed } = await change.mutateAsync({ ids, ...wanted });
      toast({
        title: words.toast,
        description: questionsWords(changed, 'was', 'were', words.changed),
      });
      onDone();
    } catch {
      // Shown in the dialog.
    }
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={words.title}
      description={description}
      unsaved={unsaved ?? false}
      footer={
        <FormFooter formId={formId} busy={change.isPending && words.busy}>
          {words.button}
        </FormFooter>
      }
    >
      <form id={formId} onSubmit={(event) => void save(event)} className="grid gap-4">
        {change.isError && (
          <Notice tone="bad" role="alert">
            {sentenceOf(change.error)}
          </Notice>
        )}
        {children}
      </form>
    </Dialog>
  );
}
