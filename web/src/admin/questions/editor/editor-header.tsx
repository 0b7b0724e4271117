import { t } from '@invigil/core/texts/i18n';
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
import { isReversed } from '../../../ui/direction.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { KeyList } from '../../../ui/key-list.tsx';
import { Menu, MenuItem } from '../../../ui/menu.tsx';
import { Trans } from '../../../ui/trans.tsx';
import type { useEditing } from './state/use-editing.ts';

/** The questions before and after this one in its assessment; undefined: there is none. */
export interface Neighbours {
  /** "3 of 12"; empty for a new question. */
  words: string;
  onPrevious: (() => void) | undefined;
  onNext: (() => void) | undefined;
}

interface HeaderProps {
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
}

/** Buttons, or on a narrow screen items of a menu. */
function stepsOf({
  editing: { undo, redo, canUndo, canRedo },
  onDuplicate,
  onHistory,
  rescoring,
}: Pick<HeaderProps, 'editing' | 'onDuplicate' | 'onHistory' | 'rescoring'>): Step[] {
  return [
    {
      name: t(/* a button: takes back the last step */ 'editor.undo', 'Undo'),
      icon: <Undo2 />,
      act: undo,
      why: canUndo ? undefined : t('editor.undo.none', 'Nothing to undo'),
    },
    {
      name: t(/* a button: repeats what was undone */ 'editor.redo', 'Redo'),
      icon: <Redo2 />,
      act: redo,
      why: canRedo ? undefined : t('editor.redo.none', 'Nothing to redo'),
    },
    {
      name: t(
        /* a button: begins another question like this one */ 'editor.duplicate',
        'Duplicate',
      ),
      icon: <Copy />,
      act: () => typeof onDuplicate !== 'string' && onDuplicate(),
      why: typeof onDuplicate === 'string' ? onDuplicate : undefined,
    },
    {
      name: t(/* the earlier versions of a question */ 'editor.history', 'History'),
      icon: <History />,
      act: () => onHistory?.(),
      why:
        onHistory === null
          ? t('editor.history.none', 'There are no earlier versions yet')
          : undefined,
    },
    {
      name: t(/* a button: scores attempts again */ 'portal.rescore', 'Rescore'),
      icon: <Scale />,
      act: () => typeof rescoring !== 'string' && rescoring(),
      why: typeof rescoring === 'string' ? rescoring : undefined,
    },
  ];
}

function neighbourSteps({ onPrevious, onNext }: Pick<Neighbours, 'onPrevious' | 'onNext'>) {
  const previous: Step = {
    name: t(/* a button */ 'editor.previous', 'Previous question'),
    icon: <ChevronLeft />,
    act: () => onPrevious?.(),
    why: onPrevious ? undefined : t('editor.previous.none', 'This is the first question'),
    keys: isReversed() ? 'Alt+ArrowRight' : 'Alt+ArrowLeft',
  };
  const next: Step = {
    name: t(/* a button */ 'editor.next', 'Next question'),
    icon: <ChevronRight />,
    act: () => onNext?.(),
    why: onNext ? undefined : t('editor.next.none', 'This is the last question'),
    keys: isReversed() ? 'Alt+ArrowLeft' : 'Alt+ArrowRight',
  };
  return [previous, next] as const;
}

export function EditorHeader({
  title,
  isDraft,
  isDirty,
  isSaving,
  savedAt,
  isPreviewed,
  setPreviewed,
  neighbours,
  onSaveAndNew,
  onLeave,
  ...given
}: HeaderProps) {
  const steps = stepsOf(given);
  const [previous, next] = neighbourSteps(
    neighbours ?? { onPrevious: undefined, onNext: undefined },
  );
  const mod = modifierKey();
  const status = isDirty
    ? t('editor.unsaved', 'Not saved yet. A reload keeps your changes.')
    : savedAt === null
      ? ''
      : t(/* a question, at this time of day */ 'editor.saved', 'Saved {time}', {
          time: formatTime(savedAt),
        });
  return (
    <header className="sticky top-14 z-20 -mx-4 -mt-4 mb-4 flex items-center gap-x-3 border-b border-line bg-canvas px-4 py-2.5 md:top-0 md:-mx-6 md:-mt-6 md:px-6 xl:-mx-8 xl:-mt-7 xl:px-8">
      <title>{`${title} · Invigil`}</title>
      <IconButton
        label={t(/* a button: leaves the editor of a question */ 'editor.back', 'Back')}
        side="bottom"
        className="-ms-1.5"
        onClick={onLeave}
      >
        <ArrowLeft />
      </IconButton>
      <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3">
        <h1 tabIndex={-1} className="text-lg! outline-none">
          {title}
        </h1>
        {isDraft && (
          <Badge tone="neutral">
            {t(/* a question without a correct answer */ 'editor.draft', 'Draft')}
          </Badge>
        )}
        <p role="status" className="text-sm text-ink-2 max-sm:sr-only">
          {status}
        </p>
      </div>
      {neighbours !== null && (
        <nav
          aria-label={t(
            /* the buttons to the question before and after */ 'editor.neighbours',
            'Questions of this assessment',
          )}
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
              <IconButton
                label={t(/* a button: opens a menu of further actions */ 'editor.more', 'More')}
                side="bottom"
              >
                <Ellipsis />
              </IconButton>
            }
          >
            <MenuItem icon={<FilePlus2 />} onSelect={onSaveAndNew}>
              {t(
                /* a button: saves the question and begins another one */ 'editor.saveAndNew',
                'Save and new',
              )}
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
          label={t(/* noun: the question as candidates see it */ 'editor.preview', 'Preview')}
          side="bottom"
          aria-pressed={isPreviewed}
          className="aria-pressed:bg-accent-soft aria-pressed:text-accent-ink 2xl:hidden"
          onClick={() => setPreviewed(!isPreviewed)}
        >
          <Eye />
        </IconButton>
        <Button className="ms-2 max-sm:hidden" onClick={onSaveAndNew}>
          {t(
            /* a button: saves the question and begins another one */ 'editor.saveAndNew',
            'Save and new',
          )}
        </Button>
        <Button
          type="submit"
          variant="primary"
          className="ms-2 max-sm:px-3 [&>span]:first-letter:uppercase"
          aria-keyshortcuts={`${mod === '⌘' ? 'Meta' : 'Control'}+Enter`}
          busy={isSaving && t('portal.saving', 'Saving…')}
        >
          <Trans
            id="editor.save"
            comment="A button; a phone has no room for <rest>"
            message="Save<rest> question</rest>"
            components={{ rest: <span className="max-sm:sr-only" /> }}
          />
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
        <IconButton label={t('portal.shortcuts', 'Keyboard shortcuts')} side="bottom">
          <Keyboard />
        </IconButton>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="end"
          sideOffset={6}
          collisionPadding={12}
          aria-label={t('portal.shortcuts', 'Keyboard shortcuts')}
          className="z-50 w-90 max-w-[calc(100vw-1.5rem)] animate-enter rounded-lg border border-line bg-raised p-4 shadow-md"
        >
          <h2 className="mb-2.5">{t('portal.shortcuts', 'Keyboard shortcuts')}</h2>
          <KeyList keys={shortcuts()} />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

const eitherKey = (first: string, second: string) =>
  t(/* keys of which each does the same */ 'editor.keys.either', '{first} or {second}', {
    first,
    second,
  });

function shortcuts(): [keys: string, action: string][] {
  const mod = modifierKey();
  return [
    [
      eitherKey(`${mod}+Enter`, `${mod}+S`),
      t(/* what keys do: saves the question */ 'portal.save', 'Save'),
    ],
    [
      `${mod}+Shift+Enter`,
      t(
        /* what keys do: of a question */ 'editor.shortcuts.saveAndNext',
        'Save and open the next one; behind the last, a new one',
      ),
    ],
    [
      isReversed() ? eitherKey('Alt+→', '←') : eitherKey('Alt+←', '→'),
      t(
        /* what keys do: goes to it */ 'editor.shortcuts.neighbours',
        'Previous or next question of the assessment',
      ),
    ],
    [
      'Enter',
      t(
        /* what a key does: goes to it */ 'editor.shortcuts.nextOption',
        'In an option, item or answer: the next one',
      ),
    ],
    [
      'Alt+Enter',
      t(
        /* what keys do */ 'editor.shortcuts.mark',
        'In the question: to the options. In an option: mark it as correct',
      ),
    ],
    [
      'Backspace',
      t(/* what a key does */ 'editor.shortcuts.removeOption', 'In an empty option: remove it'),
    ],
    [
      eitherKey('Alt+↑', '↓'),
      t(/* what keys do */ 'editor.shortcuts.moveOption', 'Move the option'),
    ],
    [
      `${mod}+B, I, E, K, M`,
      t(
        /* what the keys Ctrl+B, I, E, K and M do, in this order */ 'editor.shortcuts.format',
        'Bold, italic, code, link, formula',
      ),
    ],
    [
      t(
        /* what is typed: one of these signs and then a space */ 'editor.keys.blocks',
        '- or 1. or >, space',
      ),
      t(
        /* what begins with these signs in a text */ 'editor.shortcuts.blocks',
        'A list or a quote; ``` and Enter: code',
      ),
    ],
    [
      'Alt+F10',
      t(
        /* what keys do: go to the buttons */ 'editor.shortcuts.toolbar',
        'The buttons above the text; Escape goes back',
      ),
    ],
    [
      eitherKey(`${mod}+]`, '['),
      t(
        /* what keys do: indent the item */ 'editor.shortcuts.indent',
        'In a list: deeper, or less deep',
      ),
    ],
    [
      `${mod}+Z`,
      t(
        /* what keys do */ 'editor.shortcuts.undo',
        'Undo: in a text its letters, elsewhere the last step',
      ),
    ],
    [
      mod === '⌘' ? '⌘+Shift+Z' : 'Ctrl+Y',
      t(/* a button: repeats what was undone */ 'editor.redo', 'Redo'),
    ],
    [
      `${mod}+Shift+V`,
      t(/* what keys do */ 'editor.shortcuts.pastePlain', 'Paste without formatting'),
    ],
    ['Escape', t(/* what a key does */ 'editor.shortcuts.leave', 'Leave the editor')],
  ];
}
