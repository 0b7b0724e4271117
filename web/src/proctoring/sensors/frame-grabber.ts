/**
 * The picture that a video shows now; `null` while it has none. A copy as `ImageBitmap`: given a
 * `VideoFrame`, the face model never answers.
 */
export async function grabFrame(video: HTMLVideoElement): Promise<ImageBitmap | null> {
  if (video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA || video.videoWidth === 0) return null;
  try {
    return await createImageBitmap(video);
  } catch {
    // The track ended between the two lines.
    return null;
  }
}
