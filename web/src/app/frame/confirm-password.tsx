import { confirmPassword } from '@invigil/core/contract/accounts/auth';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { ApiError, callEndpoint, inTime, sentenceOf, whenPasswordIsNeeded } from '../../net/api.ts';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { FormFooter } from '../../ui/dialogs/form-footer.tsx';
import { PasswordField } from '../../ui/fields/password-field.tsx';

/**
 * Asks for an administrator's password again (product 11). The refused call is then resent; the page
 * below keeps its input.
 */
export function ConfirmPassword() {
  const formId = useId();
  const field = useRef<HTMLInputElement>(null);
  const answer = useRef<(confirmed: boolean) => void>(undefined);
  const [open, setOpen] = useState(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();

  const end = (confirmed: boolean) => {
    setOpen(false);
    answer.current?.(confirmed);
    answer.current = undefined;
  };
  useEffect(() => {
    const stop = whenPasswordIsNeeded(
      () =>
        new Promise((resolve) => {
          answer.current = resolve;
          setProblem(undefined);
          setOpen(true);
        }),
    );
    return () => {
      stop();
      answer.current?.(false);
    };
  }, []);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    // The event would bubble through React's tree into a form below this dialog.
    event.stopPropagation();
    const currentPassword = field.current?.value ?? '';
    setProblem(currentPassword === '' ? 'Enter your password' : undefined);
    if (currentPassword === '') return field.current?.focus();
    setBusy(true);
    try {
      await callEndpoint(confirmPassword, { body: { currentPassword }, signal: inTime() });
      end(true);
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) return end(false);
      setProblem(sentenceOf(error));
      field.current?.focus();
      field.current?.select();
    } finally {
      setBusy(false);
    }
  };

  return (
    <Dialog
      open={open}
      onClose={() => end(false)}
      title="Confirm your password"
      description="This action needs a password entered in the last 15 minutes."
      footer={
        <FormFooter formId={formId} busy={busy && 'Confirming…'}>
          Confirm
        </FormFooter>
      }
    >
      <form id={formId} noValidate onSubmit={(event) => void submit(event)}>
        <PasswordField
          ref={field}
          label="Password"
          name="password"
          required
          autoComplete="current-password"
          error={problem}
        />
      </form>
    </Dialog>
  );
}
