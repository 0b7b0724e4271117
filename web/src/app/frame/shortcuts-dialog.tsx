import { t } from '@invigil/core/texts/i18n';
import { useState } from 'react';
import { modifierKey } from '../../lib/keys.ts';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { Checkbox } from '../../ui/fields/checkbox.tsx';
import { KeyList } from '../../ui/key-list.tsx';
import { useNavPages } from './admin-nav.tsx';
import { letterKeys, letterKeyTexts } from './frame-keys.ts';

/** The keys of every page, and a switch for those that are letters. */
export function ShortcutsDialog({ onClose }: { onClose(): void }) {
  const [isOn, setOn] = useState(letterKeys.read() !== false);
  const keys: readonly (readonly [keys: string, what: string])[] = [
    [`${modifierKey()}+K`, t('portal.palette', 'Search and commands')],
    ...letterKeyTexts(),
    ...useNavPages().map(
      ({ letter, name }) =>
        [
          `g ${letter}`,
          t(/* the name of a page, as in the navigation */ 'portal.shortcuts.go', 'Go to {page}', {
            page: name(),
          }),
        ] as const,
    ),
  ];
  return (
    <Dialog open onClose={onClose} title={t('portal.shortcuts', 'Keyboard shortcuts')}>
      <KeyList keys={keys} />
      <div className="mt-4 border-t border-line pt-4">
        <Checkbox
          label={t('portal.shortcuts.letters', 'Use keys that are letters or signs alone')}
          hint={t(
            'portal.shortcuts.hint',
            'Switch them off if speech input types them by mistake. This browser remembers it.',
          )}
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
