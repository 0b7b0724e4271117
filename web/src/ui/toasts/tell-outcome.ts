import { type ToastText, toast } from './toast.ts';

/**
 * Tells in a toast what became of a write, also where what asked for it has gone in the meantime, as the
 * dialog about a row goes with the row.
 *
 * @param say the sentence for people about what went wrong
 */
export async function tellOutcome(
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
