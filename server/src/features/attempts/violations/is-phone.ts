import type { IncomingHttpHeaders } from 'node:http';
import { deviceKindOf } from '../../../security/request-device.ts';

/**
 * Whether a request says that it comes from a phone or tablet: the client hint where the browser
 * sends it, else the user agent (product 7). Of a Macintosh the page alone knows whether it is an
 * iPad, by its touch points. Anyone can say so; what it changes is that hiding the page counts with
 * the fullscreen warnings instead of ending the attempt, as long as no computer was used in it.
 */
export function isPhone(headers: IncomingHttpHeaders, pageSaysMobile = false): boolean {
  const kind = deviceKindOf(headers);
  if (kind !== undefined) return kind === 'phone';
  return pageSaysMobile && /Macintosh/.test(headers['user-agent'] ?? '');
}
