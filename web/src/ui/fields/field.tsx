import { t } from '@invigil/core/texts/i18n';
import { TriangleAlert } from 'lucide-react';
import { type ReactNode, useId } from 'react';

export type FieldSize = 'admin' | 'candidate';

export interface FieldTexts {
  label: string;
  /** A text below the control; replaced by an error. */
  hint?: ReactNode;
  error?: string | undefined;
  /** Most fields are required, so optional ones are labeled. */
  optional?: boolean | undefined;
}

export const CONTROL =
  'w-full min-w-0 rounded-md border border-line-strong bg-surface text-ink aria-invalid:border-bad aria-invalid:inset-ring aria-invalid:inset-ring-bad disabled:border-line-2 disabled:bg-fill disabled:text-ink-off';

export const CONTROL_SIZE: Record<FieldSize, string> = {
  // 16 px on touch screens: iOS zooms into smaller fields.
  admin: 'min-h-9 px-3 text-base touch:min-h-11 touch:text-md',
  candidate: 'min-h-11 px-3 text-md',
};

export interface ControlIds {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
}

export function Field({
  label,
  hint,
  error,
  optional = false,
  className = '',
  children,
}: FieldTexts & { className?: string; children: (ids: ControlIds) => ReactNode }) {
  const id = useId();
  const noteId = `${id}-note`;
  const hasNote = error !== undefined || (hint !== undefined && hint !== null);
  return (
    <div className={`grid content-start gap-1.5 ${className}`}>
      <label htmlFor={id} className="w-fit font-medium">
        {label}
        {optional && (
          <span className="font-normal text-ink-3">{` ${t(/* after the label of a field */ 'ui.optional', '(optional)')}`}</span>
        )}
      </label>
      {children({
        id,
        'aria-describedby': hasNote ? noteId : undefined,
        'aria-invalid': error === undefined ? undefined : true,
      })}
      {hasNote && <FieldNote id={noteId} hint={hint} error={error} />}
    </div>
  );
}

export function FieldNote({
  id,
  hint,
  error,
}: {
  id: string;
  hint?: ReactNode;
  error?: string | undefined;
}) {
  if (error === undefined) {
    return (
      <p id={id} className="text-sm text-ink-3">
        {hint}
      </p>
    );
  }
  return (
    <p id={id} className="flex gap-1.5 text-sm text-bad-ink">
      <TriangleAlert className="mt-px size-4 flex-none" />
      <span>{error}</span>
    </p>
  );
}
