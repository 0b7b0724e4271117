import { createContext, type KeyboardEvent, type ReactNode, useContext } from 'react';
import { inlineArrow } from '../direction.ts';

interface Group {
  value: string | null;
  /** The choice that Tab focuses: the selected one, or the first. */
  reachable: string | undefined;
  disabled: boolean;
  select(value: string): void;
}

const GroupContext = createContext<Group | null>(null);

const STEPS: Record<string, number | undefined> = {
  ...{ ArrowDown: 1, ArrowUp: -1 },
  ...{ forward: 1, back: -1 },
};

/**
 * A radio group: one tab stop, arrow keys move and select. Written here to keep the test screen small;
 * the component of the design system adds 12 kB.
 */
export function ChoiceGroup({
  label,
  labelledBy,
  values,
  value,
  onSelect,
  orientation = 'vertical',
  disabled = false,
  dir,
  className,
  children,
}: {
  label?: string;
  labelledBy?: string;
  values: readonly string[];
  /** `null`: nothing selected yet */
  value: string | null;
  onSelect(value: string): void;
  /** The arrow keys along it are for the next and the previous choice; the other two stay free. */
  orientation?: 'vertical' | 'horizontal';
  disabled?: boolean;
  dir?: 'ltr' | 'rtl';
  className: string;
  children: ReactNode;
}) {
  const reachable = value !== null && values.includes(value) ? value : values[0];
  const move = (event: KeyboardEvent<HTMLDivElement>) => {
    const step = STEPS[orientation === 'vertical' ? event.key : `${inlineArrow(event)}`];
    const radios = [...event.currentTarget.querySelectorAll('[role="radio"]')];
    const focused = document.activeElement;
    const from = focused === null ? -1 : radios.indexOf(focused);
    if (step === undefined || from === -1) return;
    event.preventDefault();
    const to = (from + step + radios.length) % radios.length;
    const radio = radios[to];
    if (radio instanceof HTMLElement) radio.focus();
    const next = values[to];
    if (next !== undefined) onSelect(next);
  };
  return (
    <GroupContext value={{ value, reachable, disabled, select: onSelect }}>
      <div
        role="radiogroup"
        aria-label={label}
        aria-labelledby={labelledBy}
        aria-orientation={orientation}
        onKeyDown={move}
        dir={dir}
        className={className}
      >
        {children}
      </div>
    </GroupContext>
  );
}

export function Choice({
  value,
  label,
  className,
  children,
}: {
  value: string;
  /** The accessible name, if the content is not one. */
  label?: string;
  className: string;
  children: ReactNode;
}) {
  const group = useContext(GroupContext);
  if (group === null) throw new Error('a Choice needs a ChoiceGroup above it');
  const checked = group.value === value;
  return (
    // A native radio cannot contain the lettered bubble and the whole option as its click area.
    // biome-ignore lint/a11y/useSemanticElements: a button with the role of a radio
    <button
      type="button"
      role="radio"
      aria-checked={checked}
      aria-label={label}
      data-state={checked ? 'checked' : 'unchecked'}
      tabIndex={group.reachable === value ? 0 : -1}
      disabled={group.disabled}
      onClick={() => group.select(value)}
      className={className}
    >
      {children}
    </button>
  );
}

/** The ring of a `Choice` of class `group`, filled once it is selected. */
export function ChoiceRing({ className = '' }: { className?: string }) {
  return (
    <span
      aria-hidden="true"
      data-shape=""
      className={`grid size-4.5 flex-none place-items-center rounded-full border-[1.5px] border-line-strong bg-surface group-data-[state=checked]:border-accent ${className}`}
    >
      <span className="size-2.25 rounded-full group-data-[state=checked]:bg-accent" />
    </span>
  );
}
