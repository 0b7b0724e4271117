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
  className: string;
  onChange(value: V | null): void;
}) {
  const isUnlisted = unlisted !== undefined && value && !options.some((one) => one.value === value);
  const all = isUnlisted ? [...options, { value, label: unlisted }] : options;
  return (
    <SelectControl
      aria-label={label}
      className={`w-full! ${className}`}
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

/** The selects of a list; on a phone behind a button, so that the list begins on the first screen. */
export function Filters({
  used,
  children,
}: {
  /** How many of them narrow the list. */
  used: number;
  children: ReactNode;
}) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        icon={<ListFilter />}
        aria-expanded={isOpen}
        className="sm:hidden"
        onClick={() => setOpen(!isOpen)}
      >
        {used === 0 ? 'Filters' : `Filters (${used})`}
      </Button>
      <div
        className={
          isOpen ? 'order-last grid w-full grid-cols-2 gap-3 sm:contents' : 'contents max-sm:hidden'
        }
      >
        {children}
      </div>
    </>
  );
}
