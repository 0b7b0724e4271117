export interface Page {
  limit: number;
  offset: number;
}

/** A page and its direction: read from the front, or from the end in reverse order. */
export interface PageWindow extends Page {
  fromEnd: boolean;
}

/**
 * A database walks through everything before a page, so pages beyond the middle are read from the end. A
 * `limit` of 0 needs no read.
 */
function pageWindow(total: number, { limit, offset }: Page): PageWindow {
  if (offset <= total / 2) return { limit, offset, fromEnd: false };
  const end = Math.min(total, offset + limit);
  return { limit: Math.max(0, end - offset), offset: total - end, fromEnd: true };
}

/**
 * One page and the total. The first page and the total are read concurrently; for later pages the total
 * decides from which end they are read.
 */
export async function readPage<Row>(
  page: Page,
  count: () => Promise<number>,
  read: (window: PageWindow) => Promise<Row[]>,
): Promise<{ rows: Row[]; total: number }> {
  if (page.offset === 0) {
    const [rows, total] = await Promise.all([read({ ...page, fromEnd: false }), count()]);
    return { rows, total };
  }
  const total = await count();
  const window = pageWindow(total, page);
  if (window.limit === 0) return { rows: [], total };
  const rows = await read(window);
  return { rows: window.fromEnd ? rows.reverse() : rows, total };
}
