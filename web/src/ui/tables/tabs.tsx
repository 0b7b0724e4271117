import { Tabs as Radix } from 'radix-ui';
import type { ReactNode } from 'react';

export interface TabSpec {
  value: string;
  label: string;
}

/** The tab panels with their row of tabs; `head` places the row (a dialog keeps it fixed). */
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
    <Radix.Root value={value} onValueChange={onChange} className={className}>
      {children}
    </Radix.Root>
  );
}

/** Underlined tabs; the selected one by accent line and weight of ink. */
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

/** One panel. With `keep` it stays in the page while hidden, so that what was typed in it stays. */
export function TabPanel({
  value,
  keep = false,
  className = '',
  children,
}: {
  value: string;
  keep?: boolean;
  className?: string;
  children: ReactNode;
}) {
  return (
    <Radix.Content
      value={value}
      {...(keep ? { forceMount: true as const } : {})}
      className={`data-[state=inactive]:hidden ${className}`}
    >
      {children}
    </Radix.Content>
  );
}
