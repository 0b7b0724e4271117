import {
  ArrowLeft,
  ChevronLeft,
  ChevronRight,
  Copy,
  Ellipsis,
  Eye,
  FilePlus2,
  History,
  Keyboard,
  Redo2,
  Scale,
  Undo2,
} from 'lucide-react';
import { Popover } from 'radix-ui';
import type { ReactNode } from 'react';
import { formatTime } from '../../../lib/format.ts';
import { modifierKey } from '../../../lib/keys.ts';
import { Badge } from '../../../ui/badges/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { KeyList } from '../../../ui/key-list.tsx';
import { Menu, MenuItem } from '../../../ui/menu.tsx';
import type { useEditing } from './state/use-editing.ts';

/** The questions before and after this one in its assessment; undefined: there is none. */
export interface Neighbours {
  /** "3 of 12"; empty for a new question. */
  words: string;
  onPrevious: (() => void) | undefined;
  onNext: (() => void) | undefined;
}

export function EditorHeader({
  title,
  isDraft,
  editing,
  isDirty,
  isSaving,
  savedAt,
  isPreviewed,
  setPreviewed,
  onDuplicate,
  onHistory,
  rescoring,
  neighbours,
  onSaveAndNew,
  onLeave,
}: {
  title: string;
  isDraft: boolean;
  editing: Pick<ReturnType<typeof useEditing>, 'undo' | 'redo' | 'canUndo' | 'canRedo'>;
  isDirty: boolean;
  isSaving: boolean;
  savedAt: Date | null;
  /** Below 1536 px the preview replaces the form. */
  isPreviewed: boolean;
  setPreviewed(isPreviewed: boolean): void;
  /** Opens a new question with the same fields; or why that cannot be done now. */
  onDuplicate: (() => void) | string;
  /** Null: a new question has none. */
  onHistory: (() => void) | null;
  /** Scores attempts again; or why that cannot be done now. */
  rescoring: (() => void) | string;
  neighbours: Neighbours | null;
  onSaveAndNew(): void;
  onLeave(): void;
}) {
  const { undo, redo, canUndo, canRedo } = editing;
  const steps: Step[] = [
    { name: 'Undo', icon: <Undo2 />, act: undo, why: canUndo ? undefined : 'Nothing to undo' },
    { name: 'Redo', icon: <Redo2 />, act: redo, why: canRedo ? undefined : 'Nothing to redo' },
    {
      name: 'Duplicate',
      icon: <Copy />,
      act: () => typeof onDuplicate !== 'string' && onDuplicate(),
      why: typeof onDuplicate === 'string' ? onDuplicate : undefined,
    },
    {
      name: 'History',
      icon: <History />,
      act: () => onHistory?.(),
      why: onHistory === null ? 'There are no earlier versions yet' : undefined,
    },
    {
      name: 'Rescore',
      icon: <Scale />,
      act: () => typeof rescoring !== 'string' && rescoring(),
      why: typeof rescoring === 'string' ? rescoring : undefined,
    },
  ];
  const previous: Step = {
    name: 'Previous question',
    icon: <ChevronLeft />,
    act: () => neighbours?.onPrevious?.(),
    why: neighbours?.onPrevious ? undefined : 'This is the first question',
    keys: 'Alt+ArrowLeft',
  };
  const next: Step = {
    name: 'Next question',
    icon: <ChevronRight />,
    act: () => neighbours?.onNext?.(),
    why: neighbours?.onNext ? undefined : 'This is the last question',
    keys: 'Alt+ArrowRight',
  };
  const mod = modifierKey();
  const status = isDirty
    ? 'Not saved yet. A reload keeps your changes.'
    : savedAt === null
      ? ''
      : `Saved ${formatTime(savedAt)}`;
  return (
    <header className="sticky top-14 z-20 -mx-4 -mt-4 mb-4 flex items-center gap-x-3 border-b border-line bg-canvas px-4 py-2.5 md:top-0 md:-mx-6 md:-mt-6 md:px-6 xl:-mx-8 xl:-mt-7 xl:px-8">
      <title>{`${title} · Invigil`}</title>
      <IconButton label="Back" side="bottom" className="-ms-1.5" onClick={onLeave}>
        <ArrowLeft />
      </IconButton>
      <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3">
        <h1 tabIndex={-1} className="text-lg! outline-none">
          {title}
        </h1>
        {isDraft && <Badge tone="neutral">Draft</Badge>}
        <p role="status" className="text-sm text-ink-2 max-sm:sr-only">
          {status}
        </p>
      </div>
      {neighbours !== null && (
        <nav
          aria-label="Questions of this assessment"
          className="flex flex-none items-center gap-0.5 max-lg:hidden"
        >
          <StepButton step={previous} />
          <span className="text-sm text-ink-2 tabular-nums">{neighbours.words}</span>
          <StepButton step={next} />
        </nav>
      )}
      <div className="flex flex-none items-center gap-0.5">
        <span className="flex gap-0.5 max-lg:hidden">
          {steps.map((step) => (
            <StepButton key={step.name} step={step} />
          ))}
          <ShortcutHelp />
        </span>
        <span className="lg:hidden">
          <Menu
            trigger={
              <IconButton label="More" side="bottom">
                <Ellipsis />
              </IconButton>
            }
          >
            <MenuItem icon={<FilePlus2 />} onSelect={onSaveAndNew}>
              Save and new
            </MenuItem>
            {(neighbours === null ? steps : [previous, next, ...steps]).map(
              ({ name, icon, why, act }) => (
                <MenuItem key={name} icon={icon} unavailable={why} onSelect={act}>
                  {name}
                </MenuItem>
              ),
            )}
          </Menu>
        </span>
        <IconButton
          label="Preview"
          side="bottom"
          aria-pressed={isPreviewed}
          className="aria-pressed:bg-accent-soft aria-pressed:text-accent-ink 2xl:hidden"
          onClick={() => setPreviewed(!isPreviewed)}
        >
          <Eye />
        </IconButton>
        <Button className="ms-2 max-sm:hidden" onClick={onSaveAndNew}>
          Save and new
        </Button>
        <Button
          type="submit"
          variant="primary"
          className="ms-2 max-sm:px-3"
          aria-keyshortcuts={`${mod === '⌘' ? 'Meta' : 'Control'}+Enter`}
          busy={isSaving && 'Saving…'}
        >
          Save<span className="max-sm:sr-only"> question</span>
        </Button>
      </div>
    </header>
  );
}

interface Step {
  name: string;
  icon: ReactNode;
  act(): void;
  /** The reason if it cannot be taken. */
  why: string | undefined;
  keys?: string;
}

function StepButton({ step: { name, icon, act, why, keys } }: { step: Step }) {
  return (
    <IconButton label={name} side="bottom" aria-keyshortcuts={keys} unavailable={why} onClick={act}>
      {icon}
    </IconButton>
  );
}

function ShortcutHelp() {
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
          <KeyList keys={shortcuts()} />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

function shortcuts(): [keys: string, action: string][] {
  const mod = modifierKey();
  return [
    [`${mod}+Enter or ${mod}+S`, 'Save'],
    [`${mod}+Shift+Enter`, 'Save and open the next one; behind the last, a new one'],
    ['Alt+← or →', 'Previous or next question of the assessment'],
    ['Enter', 'In an option, item or answer: the next one'],
    ['Alt+Enter', 'In the question: to the options. In an option: mark it as correct'],
    ['Backspace', 'In an empty option: remove it'],
    ['Alt+↑ or ↓', 'Move the option'],
    [`${mod}+B, I, E, K, M`, 'Bold, italic, code, link, formula'],
    ['- or 1. or >, space', 'A list or a quote; ``` and Enter: code'],
    ['Alt+F10', 'The buttons above the text; Escape goes back'],
    [`${mod}+] or [`, 'In a list: deeper, or less deep'],
    [`${mod}+Z`, 'Undo: in a text its letters, elsewhere the last step'],
    [mod === '⌘' ? '⌘+Shift+Z' : 'Ctrl+Y', 'Redo'],
    [`${mod}+Shift+V`, 'Paste without formatting'],
    ['Escape', 'Leave the editor'],
  ];
}
