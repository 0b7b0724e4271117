import { t } from '@invigil/core/texts/i18n';
import { ALargeSmall } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { z } from 'zod';
import { localKey } from '../../lib/person/local-keys.ts';
import { onForget } from '../../lib/person/person-memory.ts';
import { Checkbox } from '../../ui/fields/checkbox.tsx';
import { Choice, ChoiceGroup } from '../../ui/fields/choice-group.tsx';
import { BarMenu } from './bar-menu.tsx';

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
  ['normal', () => t(/* size of text */ 'reading.normal', 'Normal'), 'text-sm'],
  ['large', () => t(/* size of text */ 'reading.large', 'Large'), 'text-lg'],
  ['larger', () => t(/* size of text */ 'reading.larger', 'Larger'), 'text-2xl'],
] as const;

export function ReadingControls({ keys = true }: { keys?: boolean }) {
  const { textSize, letterKeys } = useReading();
  return (
    <div className="grid gap-4">
      <div className="flex items-center justify-between gap-4">
        <span id="text-size" className="font-medium">
          {t('reading.size', 'Text size')}
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
              label={name()}
              className={`grid size-11 place-items-center rounded-md border border-line-2 bg-surface font-semibold text-ink-2 hover:bg-hover data-[state=checked]:border-accent data-[state=checked]:bg-accent-soft data-[state=checked]:text-accent-ink data-[state=checked]:inset-ring data-[state=checked]:inset-ring-accent ${classes}`}
            >
              {t(/* a letter that shows how large the text will be */ 'reading.sample', 'A')}
            </Choice>
          ))}
        </ChoiceGroup>
      </div>
      {keys && (
        <Checkbox
          label={t('reading.keys.label', 'Letter keys')}
          hint={t(
            /* keys, the same in every language */
            'reading.keys.hint',
            'A, B, C and so on, or 1, 2, 3, select an answer; F flags the question',
          )}
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
    <BarMenu
      label={t('reading.menu', 'Text size and keys')}
      button={
        <>
          <ALargeSmall />
          <span className="max-sm:sr-only">{t('reading.size', 'Text size')}</span>
        </>
      }
      className={className}
    >
      <ReadingControls keys={keys} />
    </BarMenu>
  );
}
