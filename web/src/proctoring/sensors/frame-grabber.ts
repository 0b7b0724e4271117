import { isSamePicture, KNOWN_HEIGHT, KNOWN_WIDTH, knownPicture } from '../detectors/read-back.ts';

/**
 * Captures frames of a video as `ImageBitmap`: with a `VideoFrame` the face model never answers.
 *
 * When Chromium draws a video into a bitmap or canvas without a GPU, each picture remains in its cache of
 * decoded images: 1.2 MB of shared memory each, some 400 MB in six minutes. Copied pixels do not.
 *
 * @returns a function for the current frame; `null` while there is none
 */
export function frameGrabber(video: HTMLVideoElement): () => Promise<ImageBitmap | null> {
  let pixels = new Uint8ClampedArray();
  const copies = copiesTruly();
  /** `null` if the browser cannot copy the pixels as shown. */
  const copied = async (): Promise<ImageData | null> => {
    if (!(await copies)) return null;
    const frame = new VideoFrame(video);
    try {
      const { width = 0, height = 0 } = frame.visibleRect ?? {};
      const options = { format: 'RGBA' as const };
      const bytes = 4 * width * height;
      const isAsShown = width === video.videoWidth && height === video.videoHeight;
      if (!isAsShown || frame.allocationSize(options) !== bytes) return null;
      if (pixels.length !== bytes) pixels = new Uint8ClampedArray(bytes);
      await frame.copyTo(pixels, options);
      return new ImageData(pixels, width, height);
    } catch {
      // The browser cannot convert this format to RGBA.
      return null;
    } finally {
      frame.close();
    }
  };
  return async () => {
    if (video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA || video.videoWidth === 0)
      return null;
    try {
      return await createImageBitmap((await copied()) ?? video);
    } catch {
      // The track has ended.
      return null;
    }
  };
}

/** Whether the browser copies the pixels of a frame, and as they are. */
async function copiesTruly(): Promise<boolean> {
  if (typeof VideoFrame === 'undefined') return false;
  try {
    const known = knownPicture();
    const size = { codedWidth: KNOWN_WIDTH, codedHeight: KNOWN_HEIGHT };
    const frame = new VideoFrame(known, { ...size, format: 'RGBA', timestamp: 0 });
    const back = new Uint8ClampedArray(known.length);
    await frame.copyTo(back, { format: 'RGBA' });
    frame.close();
    return isSamePicture(known, back);
  } catch {
    return false;
  }
}
