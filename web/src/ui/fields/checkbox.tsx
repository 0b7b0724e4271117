import { Check } from 'lucide-react';
import { type ComponentProps, type ReactNode, useId } from 'react';

export interface CheckboxProps
  extends Omit<ComponentProps<'input'>, 'type' | 'id' | 'className' | 'size'> {
  label: ReactNode;
  hint?: ReactNode;
  /** Candidates get 16 px text. */
  size?: 'admin' | 'candidate';
}

/** A styled native checkbox; the whole line is its label. */
export function Checkbox({ label, hint, size = 'admin', ...input }: CheckboxProps) {
  const id = useId();
  return (
    <span className="flex items-start gap-2.5">
      <span className="relative mt-0.5 grid size-4.5 flex-none place-items-center touch:mt-3.25">
        <input
          {...input}
          {...(hint === undefined ? {} : { 'aria-describedby': `${id}-hint` })}
          id={id}
          type="checkbox"
          className="peer absolute inset-0 m-0 size-4.5 cursor-pointer appearance-none rounded-sm border-[1.5px] border-line-strong bg-surface checked:border-accent checked:bg-accent disabled:cursor-not-allowed disabled:border-line-2 disabled:bg-fill"
        />
        <Check
          strokeWidth={2.5}
          className="pointer-events-none relative size-3.5 text-on-accent opacity-0 peer-checked:opacity-100"
        />
      </span>
      <span className="grid min-w-0 gap-0.5 wrap-anywhere">
        <label
          htmlFor={id}
          // The first line of a long label stays beside its box.
          className={`touch:block touch:min-h-11 ${size === 'candidate' ? 'text-md touch:py-2.5' : 'touch:py-3'}`}
        >
          {label}
        </label>
        {hint !== undefined && (
          <span id={`${id}-hint`} className="text-sm text-ink-3">
            {hint}
          </span>
        )}
      </span>
    </span>
  );
}
