import { IMAGE_MEDIA_TYPE, type StoredImage } from '@invigil/core/contract/assessments/images';
import type { ImageRow } from '../../../db/queries/images.ts';

export function presentImage({ hash, width, height, bytes }: ImageRow): StoredImage {
  return { hash, mediaType: IMAGE_MEDIA_TYPE, width, height, bytes };
}
