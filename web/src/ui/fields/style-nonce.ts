/**
 * The nonce that the server wrote into this page for injected style elements; `undefined` while the
 * page comes from the development server, which writes none.
 */
export function styleNonce(): string | undefined {
  const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content;
  return nonce === undefined || nonce === '' || nonce === '__CSP_NONCE__' ? undefined : nonce;
}
