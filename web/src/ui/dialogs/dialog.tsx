import { t } from '@invigil/core/texts/i18n';
import { X } from 'lucide-react';
import { Dialog as Radix, AlertDialog as RadixAlert } from 'radix-ui';
import { type ReactElement, type ReactNode, useEffect, useRef, useState } from 'react';
import { Button } from '../button.tsx';
import { useScrollEdges } from '../use-scroll-edges.ts';
import { useUnsaved } from './unsaved.ts';
import { useReturnFocus } from './use-return-focus.ts';

/**
 * Confirmation of an action that cannot be undone. The focus starts on Cancel; the confirming button
 * names the action.
 */
export function AlertDialog({
  open,
  onCancel,
  title,
  cancelLabel = t(/* a button: leaves a dialog without doing anything */ 'ui.cancel', 'Cancel'),
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
  children: ReactNode;
}) {
  const focus = useReturnFocus();
  return (
    <RadixAlert.Root open={open} onOpenChange={(next) => next || busy !== false || onCancel()}>
      <RadixAlert.Portal>
        <RadixAlert.Overlay className={SCRIM}>
          <RadixAlert.Content
            onOpenAutoFocus={focus.remember}
            onCloseAutoFocus={focus.giveBack}
            className={`${SHEET} max-h-full max-w-110 overflow-y-auto`}
          >
            <div className="px-5 pt-5 md:px-6">
              <RadixAlert.Title className="text-lg">{title}</RadixAlert.Title>
              <RadixAlert.Description asChild>
                <div className="mt-1 text-ink-2">{children}</div>
              </RadixAlert.Description>
            </div>
            <div
              data-dialog-foot=""
              className="flex flex-wrap justify-end gap-3 p-5 max-md:*:grow md:px-6"
            >
              <RadixAlert.Cancel asChild>
                <Button>{cancelLabel}</Button>
              </RadixAlert.Cancel>
              <Button variant={confirmVariant} busy={busy} onClick={onConfirm}>
                {confirmLabel}
              </Button>
            </div>
          </RadixAlert.Content>
        </RadixAlert.Overlay>
      </RadixAlert.Portal>
    </RadixAlert.Root>
  );
}

/** Asks before typed input is lost. */
export function DiscardDialog(on: { open: boolean; onCancel(): void; onConfirm(): void }) {
  return (
    <AlertDialog
      {...on}
      title={t('ui.discard.title', 'Discard your changes?')}
      cancelLabel={t('ui.discard.keep', 'Keep editing')}
      confirmLabel={t(/* a button: throws unsaved changes away */ 'ui.discard', 'Discard')}
    >
      {t('ui.discard.text', 'Your changes have not been saved.')}
    </AlertDialog>
  );
}

/** The scrim of modal elements: centers its only child and limits it to the page. */
const SCRIM =
  'fixed inset-0 z-40 grid grid-cols-[minmax(0,1fr)] grid-rows-[minmax(0,1fr)] place-items-center bg-scrim p-4 md:p-6';

const SHEET =
  'relative flex w-full animate-enter flex-col rounded-xl bg-raised shadow-lg outline-none';

const FADE =
  'before:pointer-events-none before:absolute before:inset-x-0 before:bottom-full before:h-8 before:bg-linear-to-t before:from-raised before:to-transparent';

export interface DialogProps {
  open: boolean;
  /** The dialog was closed (with `unsaved`: after confirming to discard the input). */
  onClose(): void;
  title: string;
  description?: ReactNode;
  /** 480 px, or 880 for long ones that scroll inside. */
  size?: 'normal' | 'wide';
  /** Closing would lose typed input and asks first. */
  unsaved?: boolean;
  /** Fixed between header and body: a row of tabs. */
  bar?: ReactNode;
  /** When it changes, the body scrolls to the top. */
  page?: string;
  footer?: ReactNode;
  children: ReactNode;
}

/** A dialog with fixed header and footer and a scrolling body. Escape and the close button close it. */
export function Dialog({
  open,
  onClose,
  title,
  description,
  size = 'normal',
  unsaved = false,
  bar,
  page,
  footer,
  children,
}: DialogProps) {
  const [asking, setAsking] = useState(false);
  const focus = useReturnFocus();
  useUnsaved(open && unsaved);
  const body = useRef<HTMLDivElement>(null);
  const [watchEdges, edges] = useScrollEdges();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the change itself is the reason
  useEffect(() => {
    // Braces: scrollTo returns a promise in newer browsers, and an effect must not return one.
    body.current?.scrollTo(0, 0);
  }, [page]);
  const close = () => {
    setAsking(false);
    onClose();
  };
  return (
    <Radix.Root
      open={open}
      onOpenChange={(next) => {
        if (next) return;
        if (unsaved) setAsking(true);
        else close();
      }}
    >
      <Radix.Portal>
        <Radix.Overlay className={SCRIM}>
          <Radix.Content
            {...(description === undefined ? { 'aria-describedby': undefined } : {})}
            onOpenAutoFocus={(event) => {
              focus.remember();
              startOnFirstField(event);
            }}
            onCloseAutoFocus={focus.giveBack}
            onInteractOutside={leaveToastsAlone}
            className={`${SHEET} ${size === 'wide' ? 'h-full max-h-205 max-w-220' : 'max-h-full max-w-120'}`}
          >
            <div
              className={`flex items-start justify-between gap-4 border-b px-5 pt-5 md:px-6 ${bar === undefined ? `pb-2 ${edges.above ? 'border-line' : 'border-transparent'}` : 'border-transparent'}`}
            >
              <div className="min-w-0">
                <Radix.Title className="text-lg">{title}</Radix.Title>
                {description !== undefined && (
                  <Radix.Description className="text-ink-2">{description}</Radix.Description>
                )}
              </div>
              <Radix.Close asChild>
                <button
                  type="button"
                  aria-label={t(/* a button: closes a dialog */ 'ui.close', 'Close')}
                  className="-mt-1 -me-1.5 grid size-8 flex-none place-items-center rounded-md text-ink-2 hover:bg-hover hover:text-ink touch:size-11"
                >
                  <X className="size-4.5" />
                </button>
              </Radix.Close>
            </div>
            {bar}
            <div
              ref={(box) => {
                body.current = box;
                return watchEdges(box);
              }}
              data-dialog-body=""
              className={`min-h-0 flex-1 overflow-y-auto px-5 md:px-6 ${bar === undefined ? 'pt-2 pb-4' : ''} ${size === 'wide' ? 'pb-8' : ''}`}
            >
              {children}
            </div>
            {footer !== undefined && (
              <div
                // Used by main.css to keep toasts clear of the actions.
                data-dialog-foot={size}
                className={`relative flex flex-wrap items-center justify-end gap-3 border-t px-5 pt-3 pb-5 max-md:*:grow md:px-6 ${size === 'wide' ? `border-transparent ${FADE}` : edges.below ? 'border-line' : 'border-transparent'}`}
              >
                {footer}
              </div>
            )}
          </Radix.Content>
        </Radix.Overlay>
      </Radix.Portal>
      <DiscardDialog open={asking} onCancel={() => setAsking(false)} onConfirm={close} />
    </Radix.Root>
  );
}

/** Makes a button close its dialog, with the same confirmation as the close button. */
export function DialogClose({ children }: { children: ReactElement }) {
  return <Radix.Close asChild>{children}</Radix.Close>;
}

/** Focuses the first visible field, or the element with `data-autofocus`. */
function startOnFirstField(event: Event) {
  const { currentTarget } = event;
  if (!(currentTarget instanceof HTMLElement)) return;
  const fields = currentTarget.querySelectorAll<HTMLElement>(
    '[data-dialog-body] :is(input, textarea, [role="combobox"]):not(:disabled, [type="file"])',
  );
  const start =
    currentTarget.querySelector<HTMLElement>('[data-autofocus]') ??
    [...fields].find((field) => field.checkVisibility());
  if (start === undefined) return;
  event.preventDefault();
  start.focus();
}

/**
 * A toast is above the dialog; dismissing it must not close the dialog. The toast may already be
 * unmounted, so look for the card itself, not its container.
 */
function leaveToastsAlone(event: Event) {
  if (event.target instanceof Element && event.target.closest('[data-toast]') !== null) {
    event.preventDefault();
  }
}
