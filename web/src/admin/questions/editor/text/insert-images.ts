import { sentenceOf } from '../../../../net/api.ts';
import { toast } from '../../../../ui/toasts/toast.ts';
import { storeImage } from '../state/bank-api.ts';
import { image, run } from './text-commands.ts';

/** Stores images and puts them where the cursor is, the alternative text selected to be written. */
export async function insertStored(
  field: HTMLTextAreaElement,
  files: readonly File[],
): Promise<void> {
  for (const file of files) {
    try {
      const hash = await storeImage(file);
      run(field, image(hash));
    } catch (error) {
      toast({
        title: `Failed to upload ${file.name || 'the image'}`,
        description: sentenceOf(error),
        variant: 'destructive',
      });
    }
  }
}
