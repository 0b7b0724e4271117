import { Keyboard } from 'lucide-react';
import { Popover } from 'radix-ui';
import { IconButton } from '../../../ui/icon-button.tsx';
import { modifierKey } from './state/shortcuts.ts';

/** The keys of the editor. */
export function ShortcutHelp() {
  return (
    <Popover.Root>
      <Popover.Trigger asChild>
        <IconButton label="Keyboard shortcuts" side="bottom">
          <Keyboard />
        </IconButton>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="end"
          sideOffset={6}
          collisionPadding={12}
          aria-label="Keyboard shortcuts"
          className="z-50 w-90 max-w-[calc(100vw-1.5rem)] animate-enter rounded-lg border border-line bg-raised p-4 shadow-md"
        >
          <h2 className="mb-2.5">Keyboard shortcuts</h2>
          <dl className="grid grid-cols-[auto_minmax(0,1fr)] items-baseline gap-x-4 gap-y-2">
            {shortcuts().map(([keys, action]) => (
              <div key={keys} className="contents">
                <dt>
                  <kbd className="code rounded-sm bg-fill px-1.5 py-0.5 text-xs whitespace-nowrap">
                    {keys}
                  </kbd>
                </dt>
                <dd className="text-ink-2">{action}</dd>
              </div>
            ))}
          </dl>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

/** What the keys of the editor do, as the help lists it. */
function shortcuts(): [keys: string, action: string][] {
  const mod = modifierKey();
  return [
    [`${mod}+S`, 'Save'],
    [`${mod}+Enter`, 'Add an option'],
    ['Alt+↑ or ↓', 'Move the option'],
    [`${mod}+B, I, E, K`, 'Bold, italic, code, link'],
    [`${mod}+Z`, 'Undo: in a text its letters, elsewhere the last step'],
    [mod === '⌘' ? '⌘+Shift+Z' : 'Ctrl+Y', 'Redo'],
    [`${mod}+Shift+V`, 'Paste without formatting'],
    ['Escape', 'Leave the editor'],
  ];
}
