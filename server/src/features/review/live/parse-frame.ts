import { LiveFrame } from '@invigil/core/contract/live';

/** A frame that another process has written. */
export function parseFrame(text: string): LiveFrame {
  return LiveFrame.parse(JSON.parse(text));
}
