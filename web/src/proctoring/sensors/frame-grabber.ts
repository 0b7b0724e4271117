/**
 * Takes the pictures of a video as `ImageBitmap`: given a `VideoFrame`, the face model never answers.
 *
 * Where Chromium draws a video without a graphics card, into a bitmap or a canvas, each picture stays in
 * its cache of decoded images: 1.2 MB of shared memory each, some 400 MB in six minutes. Copied pixels
 * do not.
 *
 * @returns gives the picture that the video shows now; `null` while it has none
 */
export function frameGrabber(video: HTMLVideoElement): () => Promise<ImageBitmap | null> {
  let pixels = new Uint8ClampedArray();
  /** `null` where this browser cannot copy them as they are shown. */
  const copied = async (): Promise<ImageData | null> => {
    if (typeof VideoFrame === 'undefined') return null;
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
      // It cannot turn this format into RGBA.
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
      // The track ended in between.
      return null;
    }
  };
}
