import { plainLetters } from '@invigil/core/domain/typed-text';
import { t } from '@invigil/core/texts/i18n';
import { Command } from 'cmdk';
import {
  BookOpen,
  CircleHelp,
  CircleUser,
  ClipboardList,
  FileUp,
  History,
  type LucideIcon,
  Moon,
  Plus,
  Search,
  Sun,
  User,
} from 'lucide-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useMayCreateQuiz, useQuizzes } from '../../admin/data/assessments.ts';
import { NO_BANK_FILTER, useBank } from '../../admin/data/bank.ts';
import { shownName, usePeople } from '../../admin/data/people.ts';
import { editorOf } from '../../admin/data/questions.ts';
import { useMayOpen } from '../../admin/parts/permitted.tsx';
import { lineOf } from '../../admin/questions/bank/bank-cells.tsx';
import { useSession } from '../../lib/person/session.tsx';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { chooseTheme, currentTheme, themeText } from '../../ui/theme.ts';
import { useSettled } from '../../ui/use-settled.ts';
import { useNavPages } from './admin-nav.tsx';
import { recentPagesOf } from './recent-pages.ts';

interface Entry {
  id: string;
  name: string;
  /** Said behind the name: an address, a category. */
  note?: string;
  Icon: LucideIcon;
  /** An address, with history state for its page; or what is done here. */
  go: string | { to: string; state: unknown } | (() => void);
}

/** Entries of a group while something is searched. */
const SHOWN = 6;
/** Fewer letters would find nearly everyone. */
const FEWEST_LETTERS = 2;
const TYPING_PAUSE_MS = 200;

const wordsOf = (text: string) => plainLetters(text).split(/\s+/).filter(Boolean);

/** Whether an entry has all words of the search, in any order. */
function isFound({ name, note = '' }: Entry, words: readonly string[]): boolean {
  const text = wordsOf(`${name} ${note}`).join(' ');
  return words.every((word) => text.includes(word));
}

/** Pages, actions, assessments, people and questions by their names, with the reader's rights. */
export function CommandPalette({ onClose, onShortcuts }: { onClose(): void; onShortcuts(): void }) {
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const words = wordsOf(typed);
  const own = { recent: useRecent(), pages: usePages(), actions: useActions(onShortcuts) };
  const found = useFound(typed.trim());
  const of = (entries: readonly Entry[]) => entries.filter((entry) => isFound(entry, words));
  const groups: [heading: string, entries: readonly Entry[]][] = [
    [t(/* heading of results */ 'portal.palette.recent', 'Recent'), of(own.recent)],
    [
      t(/* heading of results */ 'portal.assessments', 'Assessments'),
      words.length === 0 ? [] : of(found.quizzes).slice(0, SHOWN),
    ],
    [t(/* heading of results */ 'portal.people', 'People'), found.people],
    [t(/* heading of results */ 'portal.questions', 'Questions'), found.questions],
    [t(/* heading of results */ 'portal.palette.pages', 'Pages'), of(own.pages)],
    [t(/* heading of results */ 'portal.actions', 'Actions'), of(own.actions)],
  ];
  const choose = ({ go }: Entry) => {
    onClose();
    if (typeof go === 'function') go();
    else if (typeof go === 'string') void navigate(go);
    else void navigate(go.to, { state: go.state });
  };
  return (
    <Dialog open onClose={onClose} title={t('portal.palette', 'Search and commands')}>
      <Command label={t('portal.palette', 'Search and commands')} shouldFilter={false} loop>
        <div className="flex items-center gap-2.5 rounded-md border border-line-strong bg-surface px-3 focus-within:outline-2 focus-within:outline-accent">
          <Search aria-hidden="true" className="size-4.5 flex-none text-ink-3" />
          <Command.Input
            value={typed}
            onValueChange={setTyped}
            maxLength={200}
            placeholder={t(
              'portal.palette.placeholder',
              'An assessment, a person, a question, a page…',
            )}
            className="h-10 min-w-0 flex-1 bg-transparent outline-none touch:h-11"
          />
        </div>
        <p role="status" className="h-5 px-2.5 pt-1 text-xs text-ink-3">
          {found.isSearching
            ? t('portal.palette.searching', 'Searching…')
            : groups.every(([, entries]) => entries.length === 0)
              ? t('portal.palette.none', 'Nothing has that name.')
              : ''}
        </p>
        <Command.List className="h-[min(26rem,60dvh)] scroll-py-2 overflow-y-auto">
          {groups.map(
            ([heading, entries]) =>
              entries.length > 0 && (
                <Command.Group
                  key={heading}
                  heading={heading}
                  className="[&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:pt-2.5 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:font-medium [&_[cmdk-group-heading]]:text-ink-3"
                >
                  {entries.map((entry) => (
                    <Command.Item
                      key={entry.id}
                      value={`${heading} ${entry.id}`}
                      onSelect={() => choose(entry)}
                      className="flex min-h-9 cursor-pointer items-center gap-2.5 rounded-md px-2.5 py-1 data-[selected=true]:bg-accent-soft data-[selected=true]:text-accent-ink touch:min-h-11"
                    >
                      <entry.Icon aria-hidden="true" className="size-4.5 flex-none text-ink-3" />
                      <bdi className="min-w-0 truncate">{entry.name}</bdi>
                      {entry.note !== undefined && (
                        <bdi className="ms-auto max-w-[45%] flex-none truncate text-sm text-ink-3">
                          {entry.note}
                        </bdi>
                      )}
                    </Command.Item>
                  ))}
                </Command.Group>
              ),
          )}
        </Command.List>
      </Command>
    </Dialog>
  );
}

const useRecent = (): Entry[] =>
  recentPagesOf(useSession().account?.user.id).map(({ to, title }) => ({
    ...{ id: to, name: title, Icon: History, go: to },
  }));

function usePages(): Entry[] {
  const mayOpen = useMayOpen();
  const settings: [path: string, name: string][] = [
    ['outbox', t(/* a page of the settings */ 'portal.nav.outbox', 'Outbox')],
    ['security', t(/* a page of the settings */ 'portal.nav.security', 'Security and data')],
    ['audit', t(/* a page of the settings */ 'portal.auditLog', 'Audit log')],
  ];
  const nav = useNavPages();
  return [
    ...nav.map(({ to, name, Icon }) => ({ id: to, name: name(), Icon, go: to })),
    ...settings.flatMap(([path, name]) => {
      const Icon = nav.find(({ page }) => page === 'settings')?.Icon;
      const go = `/admin/settings/${path}`;
      return Icon && mayOpen('settings')
        ? [
            {
              id: go,
              name,
              note: t(/* a page of the navigation */ 'portal.nav.settings', 'Settings'),
              Icon,
              go,
            },
          ]
        : [];
    }),
    {
      id: 'account',
      name: t('portal.ownMenu.account', 'Your account'),
      Icon: CircleUser,
      go: '/admin/account',
    },
    {
      id: 'guide',
      name: t(/* to the portal */ 'portal.ownMenu.guide', 'Guide'),
      Icon: BookOpen,
      go: '/admin/guide',
    },
  ];
}

function useActions(onShortcuts: () => void): Entry[] {
  const mayOpen = useMayOpen();
  const other = currentTheme() === 'dark' ? 'light' : 'dark';
  const create = { to: '/admin/quizzes', state: { create: true } };
  const actions: [isTheirs: boolean, name: string, Icon: LucideIcon, go: Entry['go']][] = [
    [
      useMayCreateQuiz(),
      t(/* a command */ 'portal.palette.create', 'Create an assessment'),
      Plus,
      create,
    ],
    [
      mayOpen('questions'),
      t(/* a command */ 'portal.palette.write', 'Write a question'),
      Plus,
      '/admin/questions/new',
    ],
    [
      mayOpen('questions'),
      t(/* a command */ 'portal.palette.importQuestions', 'Import questions'),
      FileUp,
      '/admin/questions/import',
    ],
    [
      mayOpen('peopleImport'),
      t(/* a command */ 'portal.palette.importPeople', 'Import people'),
      FileUp,
      '/admin/people/import',
    ],
    [true, themeText(other), other === 'dark' ? Moon : Sun, () => chooseTheme(other)],
    [
      true,
      t(/* a command */ 'portal.palette.shortcuts', 'Show keyboard shortcuts'),
      CircleHelp,
      onShortcuts,
    ],
  ];
  return actions.flatMap(([isTheirs, name, Icon, go]) =>
    isTheirs ? [{ id: name, name, Icon, go }] : [],
  );
}

/** Assessments, and the people and questions that the server finds once typing pauses. */
function useFound(typed: string) {
  const search = useSettled(typed, TYPING_PAUSE_MS);
  const mayOpen = useMayOpen();
  const isLong = typed.length >= FEWEST_LETTERS && search.length >= FEWEST_LETTERS;
  const quizzes = useQuizzes();
  const people = usePeople({ search, group: null }, 1, SHOWN, isLong && mayOpen('people'));
  const { page: _, view: __, ...anyQuestion } = NO_BANK_FILTER;
  const asked = isLong && mayOpen('questions');
  const questions = useBank({ ...anyQuestion, search }, 1, SHOWN, asked);
  return {
    isSearching:
      (typed.length >= FEWEST_LETTERS && typed !== search) ||
      (isLong && (people.isFetching || questions.isFetching)),
    quizzes: (quizzes.data ?? []).map(({ id, title, category }): Entry => {
      return { id, name: title, note: category, Icon: ClipboardList, go: `/admin/quizzes/${id}` };
    }),
    people: (isLong ? (people.data?.rows ?? []) : []).map((person): Entry => {
      const { id, email } = person;
      const name = shownName(person);
      const note = email === null || email === name ? {} : { note: email };
      return { id, name, ...note, Icon: User, go: `/admin/people/${id}` };
    }),
    questions: (isLong ? (questions.data?.rows ?? []) : []).map((question): Entry => {
      const { id, definition, quizId, quizTitle } = question;
      const note = quizTitle === null ? {} : { note: quizTitle };
      return {
        id,
        name: lineOf(definition),
        ...note,
        Icon: CircleHelp,
        go: editorOf({ id, quizId }),
      };
    }),
  };
}
