import { useState } from 'react';
import { modifierKey } from '../../lib/keys.ts';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { Checkbox } from '../../ui/fields/checkbox.tsx';
import { KeyList } from '../../ui/key-list.tsx';
import { useNavPages } from './admin-nav.tsx';
import { LETTER_KEYS, letterKeys } from './frame-keys.ts';

/** The keys of every page, and a switch for those that are letters. */
export function ShortcutsDialog({ onClose }: { onClose(): void }) {
  const [isOn, setOn] = useState(letterKeys.read() !== false);
  const keys: readonly (readonly [keys: string, what: string])[] = [
    [`${modifierKey()}+K`, 'Search and commands'],
    ...LETTER_KEYS,
    ...useNavPages().map(({ letter, name }) => [`g ${letter}`, `Go to ${name}`] as const),
  ];
  return (
    <Dialog open onClose={onClose} title="Keyboard shortcuts">
      <KeyList keys={keys} />
      <div className="mt-4 border-t border-line pt-4">
        <Checkbox
          label="Use keys that are letters or signs alone"
          hint="Switch them off if speech input types them by mistake. This browser remembers it."
          checked={isOn}
          onChange={({ target }) => {
            setOn(target.checked);
            letterKeys.write(target.checked);
          }}
        />
      </div>
    </Dialog>
  );
}
