import type { IncomingHttpHeaders } from 'node:http';

/**
 * Whether a request says that it comes from a phone or tablet: the client hint where the browser
 * sends it, else the user agent (product 7). Of a Macintosh the page alone knows whether it is an
 * iPad, by its touch points. Anybody can say so; what it changes is that hiding the page counts with
 * the fullscreen warnings instead of ending the attempt, as the screens have told the person.
 */
export function isPhone(headers: IncomingHttpHeaders, pageSaysMobile = false): boolean {
  const hint = headers['sec-ch-ua-mobile'];
  if (hint === '?1') return true;
  if (hint === '?0') return false;
  const agent = headers['user-agent'] ?? '';
  if (/Macintosh/.test(agent)) return pageSaysMobile;
  return /Android|iPhone|iPad|iPod/.test(agent);
}
