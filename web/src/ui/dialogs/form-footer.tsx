import type { ReactNode } from 'react';
import { Button } from '../button.tsx';
import { DialogClose } from './dialog.tsx';

/** Below a form in a dialog: "Cancel", and the button that sends the form of this id. */
export function FormFooter({
  formId,
  danger = false,
  icon,
  busy,
  children,
}: {
  formId: string;
  /** What is sent takes something away. */
  danger?: boolean;
  icon?: ReactNode;
  /** What the button says while the form is under way, or `false`. */
  busy: string | false;
  children: ReactNode;
}) {
  return (
    <>
      <DialogClose>
        <Button>Cancel</Button>
      </DialogClose>
      <Button
        variant={danger ? 'danger' : 'primary'}
        type="submit"
        form={formId}
        icon={icon}
        busy={busy}
      >
        {children}
      </Button>
    </>
  );
}
