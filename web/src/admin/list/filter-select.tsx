import { t } from '@invigil/core/texts/i18n';
import { ListFilter } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { SelectControl } from '../../ui/fields/select-field.tsx';

/** Radix does not allow the empty value, and a value may be any text. */
const PREFIX = '=';

/** A select that narrows a list; its first option does not. */
export function FilterSelect<V extends string>({
  label,
  any,
  options,
  unlisted,
  value,
  className,
  onChange,
}: {
  label: string;
  /** The first option. */
  any: string;
  options: readonly { value: V; label: string }[];
  /** The label of a value that is not listed (any more): links with it must work. */
  unlisted?: string | undefined;
  value: V | null | undefined;
  /** Has the least width; the select is as wide as its text, up to the width of a title. */
  className: string;
  onChange(value: V | null): void;
}) {
  const isUnlisted = unlisted !== undefined && value && !options.some((one) => one.value === value);
  const all = isUnlisted ? [...options, { value, label: unlisted }] : options;
  return (
    <SelectControl
      aria-label={label}
      className={`w-full! sm:w-auto! sm:max-w-58 ${className}`}
      options={[{ value: '', label: any }, ...all].map((option) => ({
        ...option,
        value: `${PREFIX}${option.value}`,
      }))}
      value={`${PREFIX}${value ?? ''}`}
      onChange={(next) =>
        onChange(all.find((one) => `${PREFIX}${one.value}` === next)?.value ?? null)
      }
    />
  );
}

/** A select of a list: the field of the view that it sets, and what `FilterSelect` takes. */
export type Filter<V> = {
  [Field in keyof V & string]: readonly [
    field: Field,
    label: string,
    any: string,
    options: readonly { value: NonNullable<V[Field]> & string; label: string }[],
    className: string,
    unlisted?: string | undefined,
  ];
}[keyof V & string];

/** The selects of a list; on a phone behind a button, so that the list begins on the first screen. */
export function Filters<V>({
  view,
  filters,
  alsoUsed = 0,
  onNarrow,
  children,
}: {
  view: V;
  filters: readonly (Filter<V> | false)[];
  /** How many other fields narrow the list. */
  alsoUsed?: number;
  /** An empty field is `null`. */
  onNarrow(change: Partial<V>): void;
  /** Selects of another kind. */
  children?: ReactNode;
}) {
  const [isOpen, setOpen] = useState(false);
  const shown = filters.filter((filter) => filter !== false);
  const used = alsoUsed + shown.filter(([field]) => view[field]).length;
  return (
    <>
      <Button
        icon={<ListFilter />}
        aria-expanded={isOpen}
        className="sm:hidden"
        onClick={() => setOpen(!isOpen)}
      >
        {used === 0
          ? t(/* a button: opens the filters of a list */ 'list.filters', 'Filters')
          : t(
              /* a button; {count} is how many filters are set */ 'list.filtersUsed',
              'Filters ({count})',
              { count: used },
            )}
      </Button>
      <div
        className={
          isOpen ? 'order-last grid w-full grid-cols-2 gap-3 sm:contents' : 'contents max-sm:hidden'
        }
      >
        {shown.map(([field, label, any, options, className, unlisted]) => (
          <FilterSelect
            key={field}
            {...{ label, any, options, className, unlisted }}
            value={view[field] as string | null | undefined}
            onChange={(value) => onNarrow({ [field]: value } as Partial<V>)}
          />
        ))}
        {children}
      </div>
    </>
  );
}
