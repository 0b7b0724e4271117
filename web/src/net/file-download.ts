/** The name a server gave a file in `Content-Disposition`, or `fallback`. */
export function fileNameFrom(disposition: string | null, fallback: string): string {
  if (disposition === null) return fallback;
  const extended = /filename\*\s*=\s*UTF-8''([^;]+)/i.exec(disposition)?.[1];
  if (extended !== undefined) {
    try {
      return safeName(decodeURIComponent(extended.trim())) || fallback;
    } catch {
      // A broken escape: the plain name below is as good.
    }
  }
  const plain = /filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(disposition);
  const name = plain?.[1]?.replace(/\\(.)/g, '$1') ?? plain?.[2];
  return name === undefined ? fallback : safeName(name) || fallback;
}

/** A name without folders: the browser would drop them, and differently each. */
function safeName(name: string): string {
  return name.replace(/^.*[/\\]/, '').trim();
}

/** Hands a file to the person, as if it had been a link. */
export function saveFile(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has taken the content when the click returns; Safari wants a moment more.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
