import { LiveFrame } from '@invigil/core/contract/review/live';

/** Parses a frame that another process published. */
export function parseFrame(text: string): LiveFrame {
  return LiveFrame.parse(JSON.parse(text));
}
