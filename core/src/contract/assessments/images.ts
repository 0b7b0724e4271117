import { z } from 'zod';
import { IMAGE_LIMITS } from '../../domain/questions/question-files.ts';
import { t } from '../../texts/i18n.ts';
import { endpoint } from '../definition/endpoint.ts';

/** Every image is stored in this format. */
export const IMAGE_MEDIA_TYPE = 'image/webp';

/** SHA-256 of the bytes as stored: the name of an image, in texts of questions as well. */
export const ImageHash = z.string().regex(/^[0-9a-f]{64}$/);

/** An image as it is stored, not as it was uploaded. */
export const StoredImage = z.object({
  hash: ImageHash,
  mediaType: z.literal(IMAGE_MEDIA_TYPE),
  width: z.int(),
  height: z.int(),
  bytes: z.int(),
});
export type StoredImage = z.infer<typeof StoredImage>;

/** The type is detected from the bytes; the content type only says that this is no form. */
export const uploadImage = endpoint('POST /api/images', ['anywhere: questions.edit'], {
  audit: 'image.uploaded',
  summary:
    'Store an image for questions: PNG, JPEG, WebP, GIF (its first frame), AVIF or SVG as the body; converted to WebP, without metadata',
  body: z.instanceof(Uint8Array, {
    error: () => t(/* of a request */ 'field.imageBody', 'Send the image itself as the body'),
  }),
  responses: { 201: StoredImage },
  errors: ['NOT_AN_IMAGE', 'HEIC_IMAGE', 'IMAGE_TOO_LARGE', 'IMAGE_TOO_COMPLEX', 'DISK_LOW'],
  bodyLimit: IMAGE_LIMITS.uploadMaxBytes,
  isBulk: true,
  consumes: [
    'image/png',
    'image/jpeg',
    'image/webp',
    'image/gif',
    'image/avif',
    // Named when it is refused.
    'image/heic',
    'image/svg+xml',
    'application/octet-stream',
  ],
});

export const readImage = endpoint(
  'GET /api/images/:hash',
  ['anywhere: questions.edit', 'anywhere: records.see', 'participant', 'preview'],
  {
    summary:
      'An image: any in reach for an administrator; in a preview those of its papers, for who may see the questions; for a candidate those of their own paper while the attempt is in progress',
    params: z.object({ hash: ImageHash }),
    responses: { 200: z.custom<Uint8Array>((body) => body instanceof Uint8Array) },
    produces: IMAGE_MEDIA_TYPE,
  },
);
