import { EVIDENCE_LIMITS } from '@invigil/core/domain/limits';

const { stillWidthPx, stillHeightPx } = EVIDENCE_LIMITS;

/** Sizes of a still; larger ones are refused by the server, so they are made again, coarser. */
const QUALITIES = [0.7, 0.4] as const;

/**
 * Makes small JPEGs of camera pictures, in base64. `null` where this browser cannot draw. The
 * picture is drawn before this returns, so the caller may use it up at once.
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
