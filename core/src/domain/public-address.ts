/**
 * What is wrong with the address that candidates are sent to, for who has to put it right: `local` leads
 * nobody here but those at the server, `not_https` gets no camera and microphone from browsers.
 *
 * @param address an origin, such as `https://exams.example.org`
 */
export function addressProblem(address: string): 'local' | 'not_https' | null {
  const host = /^https?:\/\/(\[[^\]]*\]|[^:/]*)/.exec(address)?.[1] ?? '';
  if (/^(localhost|.*\.localhost|127\.[\d.]+|0\.0\.0\.0|\[::1?\])$/.test(host)) return 'local';
  return address.startsWith('https:') ? null : 'not_https';
}
