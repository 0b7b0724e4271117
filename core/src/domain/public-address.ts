/**
 * Why candidates cannot use an address of this installation: `local` opens only on the server itself, and
 * at one that is `not_https` browsers allow neither camera nor microphone.
 *
 * @param address such as `https://exams.example.org` or a page below it
 */
export function addressProblem(address: string): 'local' | 'not_https' | null {
  const host = /^https?:\/\/(\[[^\]]*\]|[^:/]*)/.exec(address)?.[1] ?? '';
  if (/^(localhost|.*\.localhost|127\.[\d.]+|0\.0\.0\.0|\[::1?\])$/.test(host)) return 'local';
  return address.startsWith('https:') ? null : 'not_https';
}
