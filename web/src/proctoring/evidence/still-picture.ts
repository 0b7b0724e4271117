import { EVIDENCE_LIMITS } from '@invigil/core/domain/limits';

const { stillWidthPx, stillHeightPx } = EVIDENCE_LIMITS;

/** JPEG qualities, tried in order until the still fits the server's size limit. */
const QUALITIES = [0.7, 0.4] as const;

/**
 * Creates small JPEGs of camera pictures, in base64; `null` if the browser cannot draw. The picture
 * is drawn synchronously, so the caller may close it at once.
 */
export function stillMaker(): (picture: ImageBitmap, maxBytes: number) => Promise<string | null> {
  const canvas = document.createElement('canvas');
  canvas.width = stillWidthPx;
  canvas.height = stillHeightPx;
  const pencil = canvas.getContext('2d', { alpha: false });
  return async (picture, maxBytes) => {
    if (pencil === null) return null;
    pencil.drawImage(picture, 0, 0, stillWidthPx, stillHeightPx);
    for (const quality of QUALITIES) {
      const blob = await new Promise<Blob | null>((done) =>
        canvas.toBlob(done, 'image/jpeg', quality),
      );
      if (blob !== null && blob.size <= maxBytes) return base64(await blob.arrayBuffer());
    }
    return null;
  };
}

function base64(bytes: ArrayBuffer): string {
  let text = '';
  for (const byte of new Uint8Array(bytes)) text += String.fromCharCode(byte);
  return btoa(text);
}
