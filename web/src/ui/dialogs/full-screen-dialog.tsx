import { Dialog as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { useReturnFocus } from './use-return-focus.ts';

/** A dialog that fills the page and scrolls like one. Escape closes it. */
export function FullScreenDialog({
  title,
  onClose,
  children,
}: {
  /** The accessible name. */
  title: string;
  onClose(): void;
  children: ReactNode;
}) {
  const focus = useReturnFocus();
  return (
    <Radix.Root open onOpenChange={(open) => open || onClose()}>
      <Radix.Portal>
        <Radix.Content
          aria-describedby={undefined}
          onOpenAutoFocus={focus.remember}
          onCloseAutoFocus={focus.giveBack}
          className="fixed inset-0 z-40 overflow-y-auto bg-canvas outline-none"
        >
          <Radix.Title className="sr-only">{title}</Radix.Title>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
