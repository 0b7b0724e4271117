import { currentLanguage } from '@invigil/core/domain/locale';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { type ReactNode, type RefCallback, useCallback, useState } from 'react';

export function Table({ label, children }: { label: string; children: ReactNode }) {
  return (
    <table aria-label={label} className="w-full border-separate border-spacing-0 tabular-nums">
      {children}
    </table>
  );
}

export interface Sorting {
  /** `null`: another column is sorted. */
  order: 'asc' | 'desc' | null;
  onSort(): void;
}

/** A column header. With `sorting` it contains a button and has `aria-sort`. */
export function HeadCell({
  end = false,
  sorting,
  className = '',
  children,
}: {
  end?: boolean | undefined;
  sorting?: Sorting | undefined;
  className?: string;
  children: ReactNode;
}) {
  const order = sorting?.order ?? null;
  const Arrow = order === 'asc' ? ArrowUp : ArrowDown;
  return (
    <th
      scope="col"
      {...(sorting === undefined
        ? {}
        : { 'aria-sort': order === null ? 'none' : order === 'asc' ? 'ascending' : 'descending' })}
      className={`h-9 border-b border-line px-3 text-xs font-medium text-ink-3 first:ps-5 last:pe-5 ${currentLanguage() === 'en' ? 'whitespace-nowrap' : 'py-1'} ${end ? 'text-end' : 'text-start'} ${className}`}
    >
      {sorting === undefined ? (
        children
      ) : (
        <button
          type="button"
          onClick={sorting.onSort}
          className={`group -mx-1.5 inline-flex min-h-6 items-center gap-1 rounded-sm px-1.5 hover:text-ink ${order === null ? '' : 'text-ink'} ${end ? 'flex-row-reverse' : ''}`}
        >
          {children}
          <Arrow
            aria-hidden="true"
            strokeWidth={1.75}
            className={`size-3.5 ${order === null ? 'opacity-0 group-hover:opacity-60 group-focus-visible:opacity-60' : ''}`}
          />
        </button>
      )}
    </th>
  );
}

export function Row({ children }: { children: ReactNode }) {
  return (
    <tr
      data-row=""
      className="relative transition-colors hover:bg-hover [&:last-child>td]:border-b-0"
    >
      {children}
    </tr>
  );
}

export function Cell({
  end = false,
  className = '',
  children,
}: {
  end?: boolean | undefined;
  className?: string;
  children?: ReactNode;
}) {
  return (
    <td
      className={`h-13 border-b border-line px-3 py-2 align-middle first:ps-5 last:pe-5 ${end ? 'text-end' : ''} ${className}`}
    >
      {children}
    </td>
  );
}

type Labelled = readonly [label: string, value: ReactNode];

/** Values with their labels; what is `false` is left out. */
export function LabelledValues({ values }: { values: readonly (Labelled | false)[] }) {
  return (
    <dl className="grid grid-cols-[repeat(auto-fill,minmax(min(8.5rem,45%),1fr))] gap-3 tabular-nums">
      {values
        .filter((one) => one !== false)
        .map(([label, value]) => (
          <div key={label} className="min-w-0">
            <dt className="text-xs text-ink-3">{label}</dt>
            <dd className="wrap-anywhere">{value}</dd>
          </div>
        ))}
    </dl>
  );
}

/**
 * The width available to an element, so that a table becomes cards by its own width and not by the
 * window's. `null` until measured, before the first paint.
 */
export function useContainerWidth(): [RefCallback<HTMLElement>, number | null] {
  const [width, setWidth] = useState<number | null>(null);
  const ref = useCallback((element: HTMLElement | null) => {
    if (element === null) return;
    setWidth(element.clientWidth);
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref, width];
}
