import { type ToastText, toast } from './toast.ts';

/**
 * Shows the outcome of a write in a toast, even if the component that started it is unmounted, like the
 * dialog of a deleted row.
 *
 * @param say the sentence for an error
 */
export async function showOutcome(
  work: Promise<unknown>,
  done: ToastText,
  failed: string,
  say: (error: unknown) => string,
): Promise<void> {
  try {
    await work;
    toast(done);
  } catch (error) {
    toast({ title: failed, description: say(error), variant: 'destructive' });
  }
}
