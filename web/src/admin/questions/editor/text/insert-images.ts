import { sentenceOf } from '../../../../net/api.ts';
import { toast } from '../../../../ui/toasts/toast.ts';
import { storeImage } from '../../questions-api.ts';
import { images, run } from './text-commands.ts';

/** Stores images and puts those that were stored where the cursor is. */
export async function insertStored(
  field: HTMLTextAreaElement,
  files: readonly File[],
): Promise<void> {
  const hashes: string[] = [];
  for (const file of files) {
    try {
      hashes.push(await storeImage(file));
    } catch (error) {
      toast({
        title: `Failed to upload ${file.name || 'the image'}`,
        description: sentenceOf(error),
        variant: 'destructive',
      });
    }
  }
  if (hashes.length > 0) run(field, images(hashes));
}
