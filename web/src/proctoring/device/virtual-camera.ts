/** Names of virtual camera programs. They are easily renamed: a hint, not proof. */
const PROGRAMS =
  /\b(obs|manycam|snap ?camera|xsplit|vcam|e2esoft|splitcam|youcam|webcamoid|droidcam|iriun|epoccam|virtual|v4l2loopback|dummy video|camtwist|mmhmm|nvidia broadcast|chromacam|altercam|sparkocam)\b/i;

/** Whether a camera's name is that of a program. Empty names and file paths are not. */
export function isVirtualCamera(label: string): boolean {
  // The fake camera of a test browser is named after the path of its file.
  return !/[/\\]/.test(label) && PROGRAMS.test(label);
}
