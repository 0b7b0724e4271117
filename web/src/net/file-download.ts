import type { TableFormat } from '@invigil/core/contract/definition/table-format';

/** The format for a download's query: the server sends CSV if the query has none. */
export function formatQuery(format: TableFormat): { format?: TableFormat } {
  return format === 'csv' ? {} : { format };
}

/** The file name in `Content-Disposition`, or `fallback`. */
export function fileNameFrom(disposition: string | null, fallback: string): string {
  if (disposition === null) return fallback;
  const extended = /filename\*\s*=\s*UTF-8''([^;]+)/i.exec(disposition)?.[1];
  if (extended !== undefined) {
    try {
      return safeName(decodeURIComponent(extended.trim())) || fallback;
    } catch {
      // Invalid escape: use the plain name below.
    }
  }
  const plain = /filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(disposition);
  const name = plain?.[1]?.replace(/\\(.)/g, '$1') ?? plain?.[2];
  return name === undefined ? fallback : safeName(name) || fallback;
}

/** A name without folders, which browsers would drop inconsistently. */
function safeName(name: string): string {
  return name.replace(/^.*[/\\]/, '').trim();
}

/** Downloads a response under the server's file name, or `fallback`. */
export async function saveResponse(response: Response, fallback: string): Promise<void> {
  const name = fileNameFrom(response.headers.get('content-disposition'), fallback);
  saveFile(await response.blob(), name);
}

export function saveFile(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // Browsers read the content during the click; Safari needs more time.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
