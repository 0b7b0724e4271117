import { Tabs as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { pageDirection } from '../direction.ts';

export interface TabSpec {
  value: string;
  label: string;
}

/** Tab panels with their row of tabs; `head` places the row (a dialog keeps it fixed). */
export function Tabs({
  value,
  onChange,
  children,
  className = '',
}: {
  value: string;
  onChange(value: string): void;
  children: ReactNode;
  className?: string;
}) {
  return (
    <Radix.Root dir={pageDirection()} value={value} onValueChange={onChange} className={className}>
      {children}
    </Radix.Root>
  );
}

export function TabList({ tabs, label }: { tabs: readonly TabSpec[]; label: string }) {
  return (
    <Radix.List aria-label={label} className="flex gap-5">
      {tabs.map((tab) => (
        <Radix.Trigger
          key={tab.value}
          value={tab.value}
          className="-mb-px min-h-10 border-b-2 border-transparent font-medium text-ink-2 hover:text-ink data-[state=active]:border-accent data-[state=active]:text-ink touch:min-h-11"
        >
          {tab.label}
        </Radix.Trigger>
      ))}
    </Radix.List>
  );
}

/** One panel. It stays mounted while hidden, so that typed values are preserved. */
export function TabPanel({
  value,
  className = '',
  children,
}: {
  value: string;
  className?: string;
  children: ReactNode;
}) {
  return (
    <Radix.Content value={value} forceMount className={`data-[state=inactive]:hidden ${className}`}>
      {children}
    </Radix.Content>
  );
}
