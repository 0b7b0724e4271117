/**
 * The nonce for injected style elements that the server wrote into this page; `undefined` with the
 * development server.
 */
export function styleNonce(): string | undefined {
  const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content;
  return nonce === undefined || nonce === '' || nonce === '__CSP_NONCE__' ? undefined : nonce;
}
