import type { IncomingHttpHeaders } from 'node:http';
import { deviceKindOf } from '../../../security/request-device.ts';

/**
 * Whether a request comes from a phone or tablet, by the client hint where the browser sends it, else by
 * the user agent (product 7). For a Macintosh only the page can detect an iPad, by its touch points.
 * Anyone can claim this; its only effect is that hiding the page counts with the fullscreen warnings
 * instead of ending the attempt, unless a computer was used in it.
 */
export function isPhone(headers: IncomingHttpHeaders, pageSaysMobile = false): boolean {
  const kind = deviceKindOf(headers);
  if (kind !== undefined) return kind === 'phone';
  return pageSaysMobile && /Macintosh/.test(headers['user-agent'] ?? '');
}
