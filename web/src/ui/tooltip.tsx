import { Tooltip as Radix } from 'radix-ui';
import type { ReactElement, ReactNode } from 'react';

/** Opens after 700 ms, the next one within 300 ms at once (seed 9). */
export function TooltipProvider({ children }: { children: ReactNode }) {
  return (
    <Radix.Provider delayDuration={700} skipDelayDuration={300}>
      {children}
    </Radix.Provider>
  );
}

/** Text beside a control, on pointing and on focus. The control itself must have a name. */
export function Tooltip({
  text,
  side = 'top',
  className = '',
  children,
}: {
  text: string;
  side?: 'top' | 'right' | 'bottom' | 'left';
  /** For a tooltip that is only needed at some widths. */
  className?: string;
  children: ReactElement;
}) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          side={side}
          sideOffset={6}
          collisionPadding={8}
          className={`z-50 max-w-72 animate-enter rounded-md bg-ink px-2.5 py-1.5 text-xs text-surface shadow-md ${className}`}
        >
          {text}
          <Radix.Arrow className="fill-ink" width={10} height={5} />
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
