import { sentenceOf } from '../../net/api.ts';
import { toast } from '../../ui/toast.ts';

/** Says in a toast that an action failed, and why: a sentence, or what was thrown. */
export function showFailure(title: string, why: unknown): void {
  const description = typeof why === 'string' ? why : sentenceOf(why);
  toast({ title, description, variant: 'destructive' });
}
