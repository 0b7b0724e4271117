import { AlertDialog as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { Button } from '../button.tsx';
import { SCRIM, SHEET } from './modal-classes.ts';
import { useReturnFocus } from './use-return-focus.ts';

/**
 * Confirmation of an action that cannot be undone. The focus starts on Cancel; the confirming button
 * names the action.
 */
export function AlertDialog({
  open,
  onCancel,
  title,
  cancelLabel = 'Cancel',
  confirmLabel,
  confirmVariant = 'danger',
  busy = false,
  onConfirm,
  children,
}: {
  open: boolean;
  onCancel(): void;
  title: string;
  cancelLabel?: string;
  confirmLabel: string;
  confirmVariant?: 'danger' | 'primary';
  busy?: string | false;
  onConfirm(): void;
  /** What is deleted and what remains. */
  children: ReactNode;
}) {
  const focus = useReturnFocus();
  return (
    <Radix.Root open={open} onOpenChange={(next) => next || busy !== false || onCancel()}>
      <Radix.Portal>
        <Radix.Overlay className={SCRIM}>
          <Radix.Content
            onOpenAutoFocus={focus.remember}
            onCloseAutoFocus={focus.giveBack}
            className={`${SHEET} max-h-full max-w-110 overflow-y-auto`}
          >
            <div className="px-5 pt-5 md:px-6">
              <Radix.Title className="text-lg">{title}</Radix.Title>
              <Radix.Description asChild>
                <div className="mt-1 text-ink-2">{children}</div>
              </Radix.Description>
            </div>
            <div
              data-dialog-foot=""
              className="flex flex-col-reverse gap-3 p-5 md:flex-row md:justify-end md:px-6"
            >
              <Radix.Cancel asChild>
                <Button>{cancelLabel}</Button>
              </Radix.Cancel>
              <Button variant={confirmVariant} busy={busy} onClick={onConfirm}>
                {confirmLabel}
              </Button>
            </div>
          </Radix.Content>
        </Radix.Overlay>
      </Radix.Portal>
    </Radix.Root>
  );
}
