import { currentLanguage } from '@invigil/core/domain/locale';
import { t } from '@invigil/core/texts/i18n';
import { Fragment, type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import type { Page } from '../../net/endpoint-query.ts';
import { Button } from '../../ui/button.tsx';
import { Card, EmptyState } from '../../ui/page.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { ListFooter } from '../../ui/tables/pagination.tsx';
import {
  Cell,
  HeadCell,
  LabelledValues,
  Row,
  type Sorting,
  Table,
  useContainerWidth,
} from '../../ui/tables/table.tsx';
import { VisuallyHidden } from '../../ui/visually-hidden.tsx';
import { LoadFailure } from '../parts/failures.tsx';

/** A column of a table. Where there is no room for a table, its cell is a labelled value of a card. */
export interface Column<T> {
  head: string;
  cell(row: T): ReactNode;
  /** Aligned at the end, as numbers are. */
  end?: boolean;
  sorting?: Sorting | undefined;
  /** The head is for those who cannot see the table. */
  isHeadHidden?: boolean;
  /** Classes of head and cells. */
  className?: string;
  headClass?: string;
  cellClass?: string;
  /**
   * The value on a card; `false`: none, or the card's head or foot shows it. `null` leaves a row's value out.
   */
  card?: false | ((row: T) => ReactNode);
}

interface RowsProps<T> {
  label: string;
  rows: readonly T[];
  columns: readonly Column<T>[];
  /** The head of a card, above its labelled values. */
  cardHead(row: T): ReactNode;
  cardFoot?: (row: T) => ReactNode;
  valuesClass?: string;
  theadClass?: string;
}

/** The rows of a list as a table, or as cards. */
export function Rows<T extends { id: string }>({
  asCards,
  ...props
}: RowsProps<T> & { asCards: boolean }) {
  return asCards ? <Cards {...props} /> : <TableRows {...props} keyOf={({ id }) => id} />;
}

export function TableRows<T>({
  label,
  rows,
  columns,
  theadClass,
  keyOf,
  below,
}: Pick<RowsProps<T>, 'label' | 'rows' | 'columns' | 'theadClass'> & {
  keyOf(row: T): string;
  /** A row of its own below a row, over all columns. */
  below?: (row: T) => ReactNode;
}) {
  return (
    <Table label={label}>
      <thead className={theadClass}>
        <tr>
          {columns.map((column, index) => (
            <HeadCell
              // biome-ignore lint/suspicious/noArrayIndexKey: its head is in the language in use
              key={index}
              end={column.end}
              sorting={column.sorting}
              className={`${column.className ?? ''} ${column.headClass ?? ''}`}
            >
              {column.isHeadHidden ? <VisuallyHidden>{column.head}</VisuallyHidden> : column.head}
            </HeadCell>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Fragment key={keyOf(row)}>
            <Row>
              {columns.map(({ cell, end, className = '', cellClass = '' }, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: as above; a menu in it stays open
                <Cell key={index} end={end} className={`${className} ${cellClass}`}>
                  {cell(row)}
                </Cell>
              ))}
            </Row>
            {below?.(row)}
          </Fragment>
        ))}
      </tbody>
    </Table>
  );
}

function Cards<T extends { id: string }>({
  label,
  rows,
  columns,
  cardHead,
  cardFoot,
  valuesClass,
}: RowsProps<T>) {
  return (
    <ul aria-label={label}>
      {rows.map((row) => {
        const values = columns.flatMap(({ head, cell, card = cell }) => {
          const shown = card === false ? null : card(row);
          return shown === null ? [] : [[head, shown] as const];
        });
        return (
          <li
            key={row.id}
            data-row=""
            className="relative grid gap-2.5 border-b border-line px-4 py-3.5 last:border-b-0 md:px-5"
          >
            {cardHead(row)}
            {values.length > 0 && (
              <div className={valuesClass}>
                <LabelledValues values={values} />
              </div>
            )}
            {cardFoot?.(row)}
          </li>
        );
      })}
    </ul>
  );
}

/** A read of one page of a list, as `useQuery` gives it. */
interface ListRead<T> {
  data: Page<T> | undefined;
  error: unknown;
  isError: boolean;
  isFetching: boolean;
  isPlaceholderData: boolean;
  refetch(): Promise<unknown>;
}

interface ListProps<T> {
  read: ListRead<T>;
  /** "Failed to load people" */
  failure: string;
  /** "Loading people..." */
  loading: string;
  /** Stands there when there is nothing at all. */
  none: ReactNode;
  /** A filter is set: what is said when nothing matches it, and how it is cleared. */
  narrowed: false | { sentence: string; onClear(): void };
  /** Absent: all of it is one page, without a footer. Pages are counted from 1. */
  pages?: {
    page: number;
    perPage: number;
    onPage(page: number): void;
    /** How many there are: "12 invitations". */
    total(n: number): ReactNode;
  };
  /** Replaces the footer. */
  foot?: (total: number) => ReactNode;
  /** Makes it a region, with what stands beside its heading and below it. */
  title?: string;
  aside?: ReactNode;
  tools?: ReactNode;
  /** Content above the card. */
  head?: (asCards: boolean) => ReactNode;
  /** Content above the rows, such as the bar of a selection. */
  above?: ReactNode;
  /** px of its own width below which rows become cards; so they do where their table is wider than the list. */
  cardsBelow?: number;
  children(rows: readonly T[], asCards: boolean): ReactNode;
}

/** A list in a card: while it loads, after a failure, empty, or a page of it with its footer. */
export function List<T>(props: ListProps<T>) {
  const { read, failure, title, aside, tools, pages, foot } = props;
  const [container, width] = useContainerWidth();
  const { data } = read;
  const failed = read.isError && <LoadFailure title={failure} read={read} />;
  const { asCards, rowsRef } = useAsCards(width, props.cardsBelow);
  const head = props.head?.(asCards);
  if (data === undefined && failed && title === undefined) {
    return (
      <div ref={container}>
        {head}
        {failed}
      </div>
    );
  }
  return (
    <div ref={container} className="@container">
      {head}
      <Card {...(title === undefined ? {} : { title })} aside={aside}>
        {tools}
        {failed && <div className="p-5">{failed}</div>}
        {data === undefined ? (
          !failed && <SkeletonRows>{props.loading}</SkeletonRows>
        ) : data.rows.length === 0 ? (
          <Nothing {...props} isElsewhere={data.total > 0} />
        ) : (
          <div
            ref={rowsRef}
            aria-busy={read.isPlaceholderData}
            className={read.isPlaceholderData ? 'opacity-60' : ''}
          >
            {props.above}
            {props.children(data.rows, asCards)}
          </div>
        )}
        {data === undefined ? null : foot !== undefined ? (
          foot(data.total)
        ) : data.total > 0 && pages !== undefined ? (
          <ListFooter
            total={pages.total(data.total)}
            page={pages.page}
            pages={Math.max(1, Math.ceil(data.total / pages.perPage))}
            onPage={pages.onPage}
          />
        ) : null}
      </Card>
    </div>
  );
}

/** Whether rows have to be cards: below a width, and where words of a language make their table too wide. */
function useAsCards(width: number | null, cardsBelow = 0) {
  const language = currentLanguage();
  const rowsRef = useRef<HTMLDivElement>(null);
  /** The width of the table that had no room, px. */
  const [table, setTable] = useState({ language, width: 0 });
  const needed = table.language === language ? table.width : 0;
  const asCards = width !== null && width < Math.max(cardsBelow, needed);
  // After each drawing: other rows can be wider.
  useLayoutEffect(() => {
    const { clientWidth = 0 } = rowsRef.current ?? {};
    const { offsetWidth = 0 } = rowsRef.current?.querySelector('table') ?? {};
    if (cardsBelow > 0 && offsetWidth > clientWidth) setTable({ language, width: offsetWidth });
  });
  return { asCards, rowsRef };
}

function Nothing<T>({
  isElsewhere,
  narrowed,
  none,
  pages,
}: Pick<ListProps<T>, 'narrowed' | 'none' | 'pages'> & { isElsewhere: boolean }) {
  if (isElsewhere) {
    return (
      <EmptyState
        action={
          <Button onClick={() => pages?.onPage(1)}>
            {t(/* a button: goes to the first page of a list */ 'list.firstPage', 'First page')}
          </Button>
        }
      >
        {t(/* a page of a list */ 'list.pageEmpty', 'This page is now empty.')}
      </EmptyState>
    );
  }
  if (!narrowed) return none;
  return (
    <EmptyState
      action={
        <Button onClick={narrowed.onClear}>
          {t(/* a button */ 'list.clearFilters', 'Clear filters')}
        </Button>
      }
    >
      {narrowed.sentence}
    </EmptyState>
  );
}
