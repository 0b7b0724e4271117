import type { IncomingHttpHeaders } from 'node:http';

/**
 * Whether a request says that it comes from a phone or tablet: the client hint where the browser
 * sends it, else the user agent (product 7). Anybody can say so; what it changes is that hiding the
 * page counts with the fullscreen warnings instead of ending the attempt.
 */
export function isPhone(headers: IncomingHttpHeaders): boolean {
  const hint = headers['sec-ch-ua-mobile'];
  if (hint === '?1') return true;
  if (hint === '?0') return false;
  return /Android|iPhone|iPad|iPod/.test(headers['user-agent'] ?? '');
}
