import { ALargeSmall } from 'lucide-react';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { z } from 'zod';
import { localKey } from '../../lib/person/local-keys.ts';
import { onForget } from '../../lib/person/person-memory.ts';
import { buttonClasses } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/fields/checkbox.tsx';
import { Choice, ChoiceGroup } from '../../ui/fields/choice-group.tsx';

/** A candidate's reading settings. Stored on this device until the attempt is over. */
export const ReadingSettings = z.object({
  textSize: z.enum(['normal', 'large', 'larger']),
  letterKeys: z.boolean(),
});
export type ReadingSettings = z.infer<typeof ReadingSettings>;

/** Scale of questions and options. */
export const TEXT_SCALE = { normal: 1, large: 1.2, larger: 1.45 } as const;

const key = localKey('readingSettings', ReadingSettings);
const DEFAULTS: ReadingSettings = { textSize: 'normal', letterKeys: true };

let settings: ReadingSettings | null = null;
const listeners = new Set<() => void>();
onForget(() => {
  settings = null;
});

function read(): ReadingSettings {
  settings ??= key.read() ?? DEFAULTS;
  return settings;
}

function changeReading(change: Partial<ReadingSettings>): void {
  settings = { ...read(), ...change };
  key.write(settings);
  for (const listener of listeners) listener();
}

export function useReading(): ReadingSettings {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, read);
}

const SIZES = [
  ['normal', 'Normal', 'text-sm'],
  ['large', 'Large', 'text-lg'],
  ['larger', 'Larger', 'text-2xl'],
] as const;

export function ReadingControls({ keys = true }: { keys?: boolean }) {
  const { textSize, letterKeys } = useReading();
  return (
    <div className="grid gap-4">
      <div className="flex items-center justify-between gap-4">
        <span id="text-size" className="font-medium">
          Text size
        </span>
        <ChoiceGroup
          labelledBy="text-size"
          orientation="horizontal"
          values={SIZES.map(([value]) => value)}
          value={textSize}
          onSelect={(value) => {
            const size = ReadingSettings.shape.textSize.safeParse(value);
            if (size.success) changeReading({ textSize: size.data });
          }}
          className="flex gap-1"
        >
          {SIZES.map(([value, name, classes]) => (
            <Choice
              key={value}
              value={value}
              label={name}
              className={`grid size-11 place-items-center rounded-md border border-line-2 bg-surface font-semibold text-ink-2 hover:bg-hover data-[state=checked]:border-accent data-[state=checked]:bg-accent-soft data-[state=checked]:text-accent-ink data-[state=checked]:inset-ring data-[state=checked]:inset-ring-accent ${classes}`}
            >
              A
            </Choice>
          ))}
        </ChoiceGroup>
      </div>
      {keys && (
        <Checkbox
          label="Letter keys"
          hint="A, B, C and so on, or 1, 2, 3, select an answer; F flags the question"
          checked={letterKeys}
          onChange={(event) => changeReading({ letterKeys: event.target.checked })}
        />
      )}
    </div>
  );
}

/** The same behind one button, for the bar. Escape and a press outside close it. */
export function ReadingMenu({
  keys = true,
  className = '',
}: {
  keys?: boolean;
  className?: string;
}) {
  const [open, setOpen] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!open) return;
    const ended = new AbortController();
    const leave = ({ target }: Event) => {
      if (target instanceof Node && place.current?.contains(target) === false) setOpen(false);
    };
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      setOpen(false);
      button.current?.focus();
    };
    document.addEventListener('pointerdown', leave, { signal: ended.signal });
    document.addEventListener('focusin', leave, { signal: ended.signal });
    document.addEventListener('keydown', onKey, { signal: ended.signal });
    return () => ended.abort();
  }, [open]);

  return (
    <div ref={place} className={`relative flex-none ${className}`}>
      <button
        ref={button}
        type="button"
        aria-expanded={open}
        aria-haspopup="dialog"
        onClick={() => setOpen(!open)}
        className={`${buttonClasses('ghost', 'admin')} px-2.5!`}
      >
        <ALargeSmall />
        <span className="max-sm:sr-only">Text size</span>
      </button>
      {open && (
        <div
          role="dialog"
          aria-label="Text size and keys"
          className="absolute top-full right-0 z-50 mt-2 w-76 max-w-[calc(100vw-1.5rem)] animate-enter rounded-lg border border-line bg-raised p-4 shadow-md"
        >
          <ReadingControls keys={keys} />
        </div>
      )}
    </div>
  );
}
