/** What was pasted or dropped, as Markdown; `null`: nothing that the browser would not paste itself. */
export interface Pasted {
  text: string;
  /** Sentences: what could not be kept. */
  notes: string[];
}

export function imagesIn(data: DataTransfer | null): File[] {
  return [...(data?.files ?? [])].filter((file) => file.type.startsWith('image/'));
}

/**
 * HTML of the clipboard as Markdown. Its embedded images are stored; those of other addresses are named
 * in the notes, because the page may not load them.
 *
 * @param plain the clipboard's text: taken where the HTML is nothing but text
 */
export async function markdownFromClipboard(
  html: string,
  plain: string,
  store: (image: Blob) => Promise<string>,
): Promise<Pasted> {
  const { markdownFromHtml } = await import('@invigil/core/content/html/html-text');
  const sources = new Set<string>();
  markdownFromHtml(html, (src) => {
    sources.add(src);
    return null;
  });
  const addresses = new Map<string, string>();
  for (const src of sources) {
    const image = blobOf(src);
    if (image !== null) addresses.set(src, `image:${await store(image)}`);
  }
  const { text, format, notes } = markdownFromHtml(html, (src) => addresses.get(src) ?? null);
  return format === 'plain' ? { text: plain || text, notes } : { text, notes };
}

/** Only `data:` addresses: the security policy lets the page fetch no others. */
function blobOf(src: string): Blob | null {
  const data = /^data:(image\/[\w.+-]+);base64,(.+)$/s.exec(src);
  if (data === null) return null;
  const [, type = '', base64 = ''] = data;
  try {
    const bytes = Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));
    return new Blob([bytes], { type });
  } catch {
    return null;
  }
}
