import { DropdownMenu } from 'radix-ui';
import type { ReactNode } from 'react';

/** What a button opens: a short list of actions, moved through with the arrow keys. */
export function Menu({ trigger, children }: { trigger: ReactNode; children: ReactNode }) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="end"
          sideOffset={4}
          collisionPadding={8}
          className="z-50 min-w-44 animate-enter rounded-lg border border-line bg-raised p-1 shadow-md"
        >
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

/** One action. `unavailable` says why it cannot be used now; it stays in the list. */
export function MenuItem({
  icon,
  label,
  unavailable,
  onSelect,
  children,
}: {
  /** 16 px, before the text */
  icon: ReactNode;
  /** The spoken name, where the text alone does not say about what. */
  label?: string;
  unavailable?: string | undefined;
  onSelect(): void;
  children: string;
}) {
  return (
    <DropdownMenu.Item
      {...(label === undefined ? {} : { 'aria-label': label })}
      {...(unavailable === undefined
        ? {}
        : { disabled: true, 'aria-description': unavailable })}
      onSelect={onSelect}
      className="flex min-h-8 cursor-default items-center gap-2.5 rounded-md px-2.5 py-1 outline-none select-none data-disabled:text-ink-off data-highlighted:bg-hover touch:min-h-11 touch:text-md [&_svg]:size-4 [&_svg]:flex-none"
    >
      {icon}
      <span>
        {children}
        {unavailable !== undefined && <span className="block text-xs text-ink-3">{unavailable}</span>}
      </span>
    </DropdownMenu.Item>
  );
}
