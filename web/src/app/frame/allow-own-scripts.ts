/** Types that the DOM library does not declare yet (W3C Trusted Types). */
interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createHTML(text: string): string; createScriptURL(url: string): string },
  ): unknown;
}

/**
 * The page's CSP lets no text become HTML, a script or the address of one (`require-trusted-types-for`),
 * except what is harmless: text without any element, as which Radix sets its style sheets, and addresses
 * of ours, for the workers of the detectors.
 */
export function allowOwnScripts(): void {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  trustedTypes?.createPolicy('default', {
    createHTML(text) {
      if (text.includes('<')) throw new TypeError('HTML from a text is not allowed');
      return text;
    },
    createScriptURL(url) {
      const { origin } = new URL(url, location.href);
      if (origin !== location.origin) throw new TypeError(`A script of ${origin} is not allowed`);
      return url;
    },
  });
}
