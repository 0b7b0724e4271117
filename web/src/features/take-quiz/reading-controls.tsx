import { ALargeSmall } from 'lucide-react';
import { Popover, RadioGroup } from 'radix-ui';
import { Checkbox } from '../../ui/checkbox.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { changeReading, ReadingSettings, useReading } from './reading-settings.ts';

const SIZES = [
  ['normal', 'Normal', 'text-sm'],
  ['large', 'Large', 'text-lg'],
  ['larger', 'Larger', 'text-2xl'],
] as const;

/** Text size of questions and options, and the switch for the letter keys (WCAG 2.1.4). */
export function ReadingControls({ keys = true }: { keys?: boolean }) {
  const { textSize, letterKeys } = useReading();
  return (
    <div className="grid gap-4">
      <div className="flex items-center justify-between gap-4">
        <span id="text-size" className="font-medium">
          Text size
        </span>
        <RadioGroup.Root
          aria-labelledby="text-size"
          orientation="horizontal"
          value={textSize}
          onValueChange={(value) => {
            const size = ReadingSettings.shape.textSize.safeParse(value);
            if (size.success) changeReading({ textSize: size.data });
          }}
          className="flex gap-1"
        >
          {SIZES.map(([value, name, classes]) => (
            <RadioGroup.Item
              key={value}
              value={value}
              aria-label={name}
              className={`grid size-11 place-items-center rounded-md border border-line-2 bg-surface font-semibold text-ink-2 hover:bg-hover data-[state=checked]:border-accent data-[state=checked]:bg-accent-soft data-[state=checked]:text-accent-ink data-[state=checked]:inset-ring data-[state=checked]:inset-ring-accent ${classes}`}
            >
              A
            </RadioGroup.Item>
          ))}
        </RadioGroup.Root>
      </div>
      {keys && (
        <Checkbox
          label="Letter keys"
          hint="A to D or 1 to 4 choose, F flags"
          checked={letterKeys}
          onChange={(event) => changeReading({ letterKeys: event.target.checked })}
        />
      )}
    </div>
  );
}

/** The same behind one button, for the bar. */
export function ReadingMenu({
  keys = true,
  className = '',
}: {
  keys?: boolean;
  className?: string;
}) {
  return (
    <Popover.Root>
      <Popover.Trigger asChild>
        <IconButton label="Text size and keys" side="bottom" className={`size-10 ${className}`}>
          <ALargeSmall aria-hidden="true" strokeWidth={1.5} />
        </IconButton>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="end"
          sideOffset={8}
          collisionPadding={12}
          aria-label="Text size and keys"
          className="z-50 w-76 max-w-[calc(100vw-1.5rem)] animate-enter rounded-lg border border-line bg-raised p-4 shadow-md"
        >
          <ReadingControls keys={keys} />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
