import { createContext, type KeyboardEvent, type ReactNode, useContext } from 'react';

interface Group {
  value: string | null;
  /** The one that Tab reaches: the selected one, or the first. */
  reachable: string | undefined;
  disabled: boolean;
  choose(value: string): void;
}

const GroupContext = createContext<Group | null>(null);

/** Keys that go to the next and to the previous choice; the other two arrows stay free. */
const STEPS = {
  vertical: { ArrowDown: 1, ArrowUp: -1 },
  horizontal: { ArrowRight: 1, ArrowLeft: -1 },
} as const;

/**
 * One of several, as radio buttons behave: one stop for Tab, arrows move and select. Written here
 * because the test screen has to stay small; the group of the design system brings 12 kB along.
 */
export function ChoiceGroup({
  label,
  labelledBy,
  values,
  value,
  onChoose,
  orientation = 'vertical',
  disabled = false,
  className,
  children,
}: {
  label?: string;
  labelledBy?: string;
  /** in the order on the screen */
  values: readonly string[];
  /** `null`: nothing selected yet */
  value: string | null;
  onChoose(value: string): void;
  orientation?: keyof typeof STEPS;
  /** only to be read */
  disabled?: boolean;
  className: string;
  children: ReactNode;
}) {
  const reachable = value !== null && values.includes(value) ? value : values[0];
  const move = (event: KeyboardEvent<HTMLDivElement>) => {
    const steps: Record<string, number | undefined> = STEPS[orientation];
    const step = steps[event.key];
    const radios = [...event.currentTarget.querySelectorAll('[role="radio"]')];
    const focused = document.activeElement;
    const from = focused === null ? -1 : radios.indexOf(focused);
    if (step === undefined || from === -1) return;
    event.preventDefault();
    const to = (from + step + radios.length) % radios.length;
    const radio = radios[to];
    if (radio instanceof HTMLElement) radio.focus();
    const next = values[to];
    if (next !== undefined) onChoose(next);
  };
  return (
    <GroupContext value={{ value, reachable, disabled, choose: onChoose }}>
      <div
        role="radiogroup"
        aria-label={label}
        aria-labelledby={labelledBy}
        aria-orientation={orientation}
        onKeyDown={move}
        className={className}
      >
        {children}
      </div>
    </GroupContext>
  );
}

/** One of the choices. Styles go by `data-state=checked` and `disabled`. */
export function Choice({
  value,
  label,
  className,
  children,
}: {
  value: string;
  /** The spoken name, where the content is not one. */
  label?: string;
  className: string;
  children: ReactNode;
}) {
  const group = useContext(GroupContext);
  if (group === null) throw new Error('a Choice stands in a ChoiceGroup');
  const checked = group.value === value;
  return (
    // A native radio cannot hold the lettered bubble and the whole option as its own area.
    // biome-ignore lint/a11y/useSemanticElements: a button with the role of a radio
    <button
      type="button"
      role="radio"
      aria-checked={checked}
      aria-label={label}
      data-state={checked ? 'checked' : 'unchecked'}
      tabIndex={group.reachable === value ? 0 : -1}
      disabled={group.disabled}
      onClick={() => group.choose(value)}
      className={className}
    >
      {children}
    </button>
  );
}
