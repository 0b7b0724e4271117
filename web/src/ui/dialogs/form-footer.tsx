import { t } from '@invigil/core/texts/i18n';
import type { ReactNode } from 'react';
import { Button } from '../button.tsx';
import { DialogClose } from './dialog.tsx';

/** Footer of a dialog: "Cancel", and the button that does what it is for. */
export function FormFooter({
  formId,
  danger = false,
  icon,
  busy = false,
  isOff = false,
  unavailable,
  onSubmit,
  children,
}: {
  /** The form that the button submits. */
  formId?: string;
  danger?: boolean;
  icon?: ReactNode;
  /** The button's text while it is being done, or `false`. */
  busy?: string | false;
  isOff?: boolean;
  /** Why it cannot be done now. */
  unavailable?: string | undefined;
  /** Absent in a form, whose submit it is. */
  onSubmit?: () => void;
  children: ReactNode;
}) {
  return (
    <>
      <DialogClose>
        <Button>
          {t(/* a button: leaves a dialog without doing anything */ 'ui.cancel', 'Cancel')}
        </Button>
      </DialogClose>
      <Button
        variant={danger ? 'danger' : 'primary'}
        type={formId === undefined ? 'button' : 'submit'}
        form={formId}
        icon={icon}
        busy={busy}
        aria-disabled={isOff || unavailable !== undefined}
        title={unavailable}
        onClick={onSubmit}
      >
        {children}
      </Button>
    </>
  );
}
