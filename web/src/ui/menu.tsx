import { Check, ChevronRight } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { createContext, type ReactNode, useContext, useRef } from 'react';
import { pageDirection } from './direction.ts';

/** Runs the selected action once the menu has closed and returned the focus to its button. */
const AfterClosing = createContext<(action: () => void) => void>((action) => action());

/**
 * A menu button: a short list of actions with arrow-key navigation. An action that opens a dialog runs
 * with the focus on the button, so that the dialog can return it there.
 */
export function Menu({
  trigger,
  startsOpen = false,
  children,
}: {
  trigger: ReactNode;
  startsOpen?: boolean;
  children: ReactNode;
}) {
  const selectedAction = useRef<(() => void) | null>(null);
  return (
    <DropdownMenu.Root dir={pageDirection()} modal={false} defaultOpen={startsOpen}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="end"
          sideOffset={4}
          collisionPadding={8}
          onCloseAutoFocus={() => {
            const action = selectedAction.current;
            selectedAction.current = null;
            if (action !== null) queueMicrotask(action);
          }}
          className={SURFACE}
        >
          <AfterClosing
            value={(action) => {
              selectedAction.current = action;
            }}
          >
            {children}
          </AfterClosing>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

const SURFACE = 'z-50 min-w-44 animate-enter rounded-lg border border-line bg-raised p-1 shadow-md';

const ROW =
  'flex min-h-8 cursor-default items-center gap-2.5 rounded-md px-2.5 py-1 outline-none select-none aria-disabled:cursor-not-allowed data-highlighted:bg-hover touch:min-h-11 touch:text-md [&_svg]:size-4 [&_svg]:flex-none';

/** One action. `unavailable`: why it is disabled; it remains in the list. */
export function MenuItem({
  icon,
  unavailable,
  onSelect,
  children,
}: {
  icon: ReactNode;
  unavailable?: string | undefined;
  onSelect(): void;
  children: string;
}) {
  const afterClosing = useContext(AfterClosing);
  return (
    <DropdownMenu.Item
      {...(unavailable === undefined ? {} : { 'aria-disabled': true })}
      onSelect={(event) => {
        if (unavailable === undefined) afterClosing(onSelect);
        else event.preventDefault();
      }}
      className={ROW}
    >
      {icon}
      <span>
        {children}
        {unavailable !== undefined && (
          <span className="block text-xs text-ink-3">{unavailable}</span>
        )}
      </span>
    </DropdownMenu.Item>
  );
}

/** One of several values, which open beside the menu. */
export function MenuChoice({
  icon,
  label,
  value,
  options,
  onSelect,
}: {
  icon: ReactNode;
  label: string;
  value: string;
  options: readonly { value: string; label: ReactNode }[];
  onSelect(value: string): void;
}) {
  const afterClosing = useContext(AfterClosing);
  return (
    <DropdownMenu.Sub>
      <DropdownMenu.SubTrigger className={ROW}>
        {icon}
        <span className="flex-1">{label}</span>
        <ChevronRight className="text-ink-3" />
      </DropdownMenu.SubTrigger>
      <DropdownMenu.Portal>
        <DropdownMenu.SubContent sideOffset={4} collisionPadding={8} className={SURFACE}>
          <DropdownMenu.RadioGroup value={value}>
            {options.map((option) => (
              <DropdownMenu.RadioItem
                key={option.value}
                value={option.value}
                onSelect={() => afterClosing(() => onSelect(option.value))}
                className={`${ROW} ps-9! aria-checked:ps-2.5!`}
              >
                <DropdownMenu.ItemIndicator>
                  <Check />
                </DropdownMenu.ItemIndicator>
                {option.label}
              </DropdownMenu.RadioItem>
            ))}
          </DropdownMenu.RadioGroup>
        </DropdownMenu.SubContent>
      </DropdownMenu.Portal>
    </DropdownMenu.Sub>
  );
}
