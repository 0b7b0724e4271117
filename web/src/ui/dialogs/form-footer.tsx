import type { ReactNode } from 'react';
import { Button } from '../button.tsx';
import { DialogClose } from './dialog.tsx';

/** Footer of a form in a dialog: "Cancel", and the submit button of the form with this id. */
export function FormFooter({
  formId,
  danger = false,
  icon,
  busy,
  unavailable,
  children,
}: {
  formId: string;
  danger?: boolean;
  icon?: ReactNode;
  /** The button's text while the form is being submitted, or `false`. */
  busy: string | false;
  /** Why it cannot be submitted now. */
  unavailable?: string | undefined;
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
        aria-disabled={unavailable !== undefined}
        title={unavailable}
      >
        {children}
      </Button>
    </>
  );
}
