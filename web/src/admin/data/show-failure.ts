import { t } from '@invigil/core/texts/i18n';
import { copyText } from '../../lib/copy-text.ts';
import { sentenceOf } from '../../net/api.ts';
import { toast } from '../../ui/toast.ts';

/** Says in a toast that an action failed, and why: a sentence, or what was thrown. */
export function showFailure(title: string, why: unknown): void {
  const description = typeof why === 'string' ? why : sentenceOf(why);
  toast({ title, description, variant: 'destructive' });
}

/** The undo of a toast: takes back what it says, and says where that fails. */
export const undoBy = (takeBack: () => Promise<unknown>) => () =>
  void takeBack().catch((error: unknown) =>
    showFailure(t('list.undoFailed', 'Failed to undo'), error),
  );

/** Copies a text, and says in a toast that it was copied, or how to do so by hand. */
export async function copyAndSay(
  text: string,
  copied: string,
  failed = t('list.copyFailed', 'The browser did not allow copying'),
  advice = t('list.copyAdvice', 'Select the text and copy it yourself.'),
): Promise<void> {
  if (await copyText(text)) toast({ title: copied });
  else showFailure(failed, advice);
}
