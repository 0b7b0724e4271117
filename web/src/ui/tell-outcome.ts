import { sentenceOf } from '../lib/api.ts';
import { type ToastText, toast } from './toast.ts';

/**
 * Tells in a toast what became of a write, also where what asked for it has gone meanwhile, as the
 * dialog about a row goes with the row.
 */
export async function tellOutcome(
  work: Promise<unknown>,
  done: ToastText,
  failed: string,
): Promise<void> {
  try {
    await work;
    toast(done);
  } catch (error) {
    toast({ title: failed, description: sentenceOf(error), variant: 'destructive' });
  }
}
