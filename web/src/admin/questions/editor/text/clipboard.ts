import type { ConvertedText } from '@invigil/core/content/html/html-text';
import { imageHash } from '@invigil/core/content/parse-content';
import { t } from '@invigil/core/texts/i18n';
import { toast } from '../../../../ui/toast.ts';
import { showFailure } from '../../../data/show-failure.ts';

function imagesIn(data: DataTransfer): File[] {
  return [...data.files].filter((file) => file.type.startsWith('image/'));
}

/** The content of a clipboard or a drop: images, or a text. */
type Transferred = { images: File[] } | { html: string; plain: string };

export function transferredIn(data: DataTransfer): Transferred {
  const images = imagesIn(data);
  const html = data.getData('text/html');
  const plain = data.getData('text/plain');
  // Word puts a picture of the text beside its HTML; that of a copied image is only its address.
  return images.length > 0 && (html === '' || plain.trim() === '') ? { images } : { html, plain };
}

/** A pasted text. */
export interface Pasted extends ConvertedText {
  /** The same in Markdown, in which all that is underlined, colored or highlighted is bold. */
  marked: string;
}

export function tellNotes({ notes }: Pick<Pasted, 'notes'>): void {
  if (notes.length === 0) return;
  toast({
    title: t('richText.paste.notes', 'Not everything could be pasted'),
    description: notes.join(' '),
  });
}

/** Says that a pasted text is being read. */
export const convertingText = (): string =>
  t(/* a pasted text */ 'richText.paste.converting', 'Converting…');

/** Says that images are being stored. */
export const uploadingText = (count: number): string =>
  t(
    'richText.uploading',
    '{count, plural, one {Uploading the image…} other {Uploading # images…}}',
    { count },
  );

/** Says that an image was not stored. */
export function tellFailedUpload({ name }: File, error: unknown): void {
  const title =
    name === ''
      ? t('richText.uploading.failed', 'Failed to upload the image')
      : t(/* the name of a file */ 'richText.uploading.failedFile', 'Failed to upload {name}', {
          name,
        });
  showFailure(title, error);
}

/**
 * HTML of the clipboard as Markdown, or as a plain text where it is nothing else. Its embedded images are
 * stored, and those that are stored are kept; those of other addresses are named in the notes, because the
 * page may not load them.
 *
 * @param plain the clipboard's text: taken where the HTML is nothing but text
 */
export async function markdownFromClipboard(
  html: string,
  plain: string,
  store: (image: Blob) => Promise<string>,
): Promise<Pasted> {
  const { markdownFromHtml, markdownFromPlain } = await import(
    '@invigil/core/content/html/html-text'
  );
  const sources = new Set<string>();
  markdownFromHtml(html, (src) => {
    sources.add(src);
    return null;
  });
  const addresses = new Map<string, string>();
  for (const src of sources) {
    const image = blobOf(src);
    if (image !== null) addresses.set(src, `image:${await store(image)}`);
  }
  const imageOf = (src: string) => (imageHash(src) === null ? (addresses.get(src) ?? null) : src);
  const converted = markdownFromHtml(html, imageOf);
  const highlighted = markdownFromHtml(html, imageOf, true);
  const marked =
    highlighted.format === 'plain' ? markdownFromPlain(highlighted.text) : highlighted.text;
  return converted.format === 'plain'
    ? { ...converted, text: plain || converted.text, marked }
    : { ...converted, marked };
}

/** Only `data:` addresses: the security policy lets the page fetch no others. */
function blobOf(src: string): Blob | null {
  const data = /^data:(image\/[\w.+-]+);base64,(.+)$/s.exec(src);
  if (data === null) return null;
  const [, type = '', base64 = ''] = data;
  try {
    const bytes = Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));
    return new Blob([bytes], { type });
  } catch {
    return null;
  }
}
