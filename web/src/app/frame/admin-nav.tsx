import type { Work } from '@invigil/core/contract/installation/works';
import { getLiveCount } from '@invigil/core/contract/review/live';
import { percentText } from '@invigil/core/domain/locale';
import { t } from '@invigil/core/texts/i18n';
import { useQuery } from '@tanstack/react-query';
import {
  ClipboardList,
  Contact,
  Download,
  Folder,
  LayoutDashboard,
  Library,
  type LucideIcon,
  Radio,
  Scale,
  SlidersHorizontal,
  Upload,
  Users,
} from 'lucide-react';
import { Link, useLocation } from 'react-router';
import { shareOfDownload, useDownload } from '../../admin/data/downloads.ts';
import { addressOfWork, useWorks, WORK_TEXTS } from '../../admin/data/works.ts';
import { type PageName, useMayOpen } from '../../admin/parts/permitted.tsx';
import { presence, useReturn } from '../../lib/person/presence.ts';
import { endpointQuery } from '../../net/endpoint-query.ts';
import { Glyph } from '../../ui/badges/glyphs.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';

interface NavPage {
  to: string;
  name(): string;
  Icon: LucideIcon;
  page?: PageName;
  /** Opens it after `g`. */
  letter: string;
}

const PAGES: readonly NavPage[] = [
  {
    to: '/admin/dashboard',
    name: () => t(/* a page of the navigation */ 'portal.nav.dashboard', 'Dashboard'),
    Icon: LayoutDashboard,
    letter: 'd',
  },
  {
    to: '/admin/quizzes',
    name: () => t(/* a page of the navigation */ 'portal.assessments', 'Assessments'),
    Icon: ClipboardList,
    letter: 'a',
  },
  {
    to: '/admin/questions',
    name: () => t(/* a page of the navigation */ 'portal.questions', 'Questions'),
    Icon: Library,
    page: 'questions',
    letter: 'q',
  },
  {
    to: '/admin/participants',
    name: () => t(/* a page of the navigation */ 'portal.nav.participants', 'Participants'),
    Icon: Users,
    page: 'participants',
    letter: 't',
  },
  {
    to: '/admin/people',
    name: () => t(/* a page of the navigation */ 'portal.people', 'People'),
    Icon: Contact,
    page: 'people',
    letter: 'p',
  },
  {
    to: '/admin/categories',
    name: () => t(/* a page of the navigation */ 'portal.nav.categories', 'Categories'),
    Icon: Folder,
    page: 'categories',
    letter: 'c',
  },
  {
    to: '/admin/settings',
    name: () => t(/* a page of the navigation */ 'portal.nav.settings', 'Settings'),
    Icon: SlidersHorizontal,
    page: 'settings',
    letter: 's',
  },
];
const LIVE: NavPage = {
  to: '/admin/live',
  name: () => t(/* a page of the navigation */ 'portal.nav.live', 'Live now'),
  Icon: Radio,
  page: 'live',
  letter: 'l',
};

/** The pages of the navigation that are the reader's, the live board among them. */
export function useNavPages(): readonly NavPage[] {
  const mayOpen = useMayOpen();
  return [...PAGES, LIVE].filter(({ page }) => page === undefined || mayOpen(page));
}

/** The five sections (specification 2), the question bank and people, as far as they are the reader's: icons with tooltips in the rail, otherwise with labels. */
export function AdminNav({ rail = false, onGo }: { rail?: boolean; onGo?: () => void }) {
  const { pathname } = useLocation();
  const mayOpen = useMayOpen();
  return (
    <nav
      aria-label={t(/* the main navigation, for screen readers */ 'portal.nav', 'Main')}
      className="grid gap-0.5"
    >
      {PAGES.filter(({ page }) => page === undefined || mayOpen(page)).map(({ to, name, Icon }) => {
        const isCurrent =
          pathname === to ||
          pathname.startsWith(`${to}/`) ||
          (pathname === '/admin' && to === '/admin/dashboard');
        const link = (
          <Link
            key={to}
            to={to}
            {...(onGo === undefined ? {} : { onClick: onGo })}
            {...(isCurrent ? { 'aria-current': 'page' as const } : {})}
            className={`group flex min-h-9 items-center gap-2.5 rounded-md px-2.5 font-medium text-ink-2 transition-colors hover:bg-hover hover:text-ink aria-[current=page]:bg-accent-soft aria-[current=page]:text-accent-ink touch:min-h-11 ${rail ? 'justify-center lg:justify-start' : ''}`}
          >
            <Icon className="size-5 flex-none text-ink-3 group-aria-[current=page]:text-inherit" />
            <span className={rail ? 'sr-only lg:not-sr-only' : ''}>{name()}</span>
          </Link>
        );
        if (!rail) return link;
        return (
          <Tooltip key={to} text={name()} side="end" describes={false} className="lg:hidden">
            {link}
          </Tooltip>
        );
      })}
    </nav>
  );
}

const EVERY_MS = 20_000;

/** "Live now" below the five sections, only while attempts are in progress or wait for a common start. */
export function LiveNav({ rail = false, onGo }: { rail?: boolean; onGo?: () => void }) {
  const { pathname } = useLocation();
  const { writing, hasHall } = useLiveCount();
  const isCurrent = pathname === '/admin/live';
  const mayOpen = useMayOpen();
  if ((writing === 0 && !hasHall && !isCurrent) || !mayOpen('live')) return null;
  const link = (
    <Link
      to="/admin/live"
      {...(onGo === undefined ? {} : { onClick: onGo })}
      {...(isCurrent ? { 'aria-current': 'page' as const } : {})}
      className={`group flex min-h-9 items-center gap-2.5 rounded-md px-2.5 font-medium text-ink-2 transition-colors hover:bg-hover hover:text-ink aria-[current=page]:bg-accent-soft aria-[current=page]:text-accent-ink touch:min-h-11 ${rail ? 'justify-center lg:justify-start' : ''}`}
    >
      <Radio className="size-5 flex-none text-ink-3 group-aria-[current=page]:text-inherit" />
      <span className={rail ? 'sr-only lg:not-sr-only' : ''}>
        {t(/* a page of the navigation */ 'portal.nav.live', 'Live now')}
      </span>
      <span className="sr-only">{` ${t(/* attempts that are taken now */ 'portal.nav.inProgress', '{count, plural, one {# in progress} other {# in progress}}', { count: writing })}`}</span>
      <span
        aria-hidden="true"
        className={`ms-auto rounded-sm bg-ok-soft px-1.5 text-xs leading-5 font-semibold text-ok-ink tabular-nums ${rail ? 'hidden lg:inline' : ''}`}
      >
        {writing}
      </span>
    </Link>
  );
  return (
    <nav
      aria-label={t(
        /* a part of the navigation, for screen readers */ 'portal.nav.liveNav',
        'Live',
      )}
      className="mt-3 grid border-t border-line pt-3"
    >
      {rail ? (
        <Tooltip
          text={t(/* a page of the navigation */ 'portal.nav.live', 'Live now')}
          side="end"
          describes={false}
          className="lg:hidden"
        >
          {link}
        </Tooltip>
      ) : (
        link
      )}
    </nav>
  );
}

function shownOf({ kind, state, done, total }: Work) {
  const isRunning = state === 'running';
  return {
    text: WORK_TEXTS[kind][state === 'lost' ? 'failed' : state](),
    share: isRunning && total ? percentText(Math.floor((100 * done) / total)) : '',
    Icon: kind === 'questions.import' ? Upload : Scale,
  };
}

/** Long work that is under way, or has ended and was not looked at since; a download comes first. */
function useShownWork() {
  const download = useDownload();
  const [work] = useWorks();
  if (download !== null) {
    const { name, address: to } = download;
    return {
      text: t(/* a file: a download under way */ 'portal.work.coming', '{name} is coming', {
        name,
      }),
      share: shareOfDownload(download),
      Icon: Download,
      to,
    };
  }
  return work === undefined ? null : { ...shownOf(work), to: addressOfWork(work) };
}

/** Links to the page of long work. */
export function WorkNav({ rail = false, onGo }: { rail?: boolean; onGo?: () => void }) {
  const shown = useShownWork();
  if (shown === null) return null;
  const { text, share, Icon, to } = shown;
  const link = (
    <Link
      to={to}
      {...(onGo === undefined ? {} : { onClick: onGo })}
      className={`flex min-h-9 items-center gap-2.5 rounded-md px-2.5 font-medium text-ink-2 transition-colors hover:bg-hover hover:text-ink touch:min-h-11 ${rail ? 'justify-center lg:justify-start' : ''}`}
    >
      <Icon className="size-5 flex-none text-ink-3" />
      <span className={rail ? 'sr-only lg:not-sr-only' : ''}>{text}</span>
      {share !== '' && (
        <span
          className={`ms-auto flex-none text-xs whitespace-nowrap tabular-nums ${rail ? 'hidden lg:inline' : ''}`}
        >
          {share}
        </span>
      )}
    </Link>
  );
  return (
    <nav
      aria-label={t(
        /* a part of the navigation, for screen readers */ 'portal.work',
        'Work under way',
      )}
      className="mt-3 grid border-t border-line pt-3"
    >
      {rail ? (
        <Tooltip text={text} side="end" describes={false} className="lg:hidden">
          {link}
        </Tooltip>
      ) : (
        link
      )}
    </nav>
  );
}

/** A link to long work in the bar of a phone, whose menu is closed. The narrowest have it in the menu alone. */
export function WorkDot() {
  const shown = useShownWork();
  if (shown === null) return null;
  const { text, share, Icon, to } = shown;
  return (
    <Link
      to={to}
      className="hidden min-h-11 items-center gap-1.5 px-2 text-sm font-medium text-ink-2 min-[22.5rem]:inline-flex"
    >
      <Icon className="size-5" />
      <span className="sr-only">{text}</span>
      {share !== '' && <span className="tabular-nums">{share}</span>}
    </Link>
  );
}

/** A link to the live board while attempts are in progress, in the bar of a phone, whose menu is closed. */
export function LiveDot() {
  const { writing, hasHall } = useLiveCount();
  if (writing === 0 && !hasHall) return null;
  return (
    <Link
      to="/admin/live"
      className="inline-flex min-h-11 items-center gap-1.5 px-2 text-sm font-medium text-ok-ink"
    >
      <Glyph name="dot" />
      <span aria-hidden="true" className="tabular-nums">
        {t(
          /* attempts that are taken now */ 'portal.nav.liveCount',
          '{count, plural, one {# live} other {# live}}',
          { count: writing },
        )}
      </span>
      <span className="sr-only">
        {t(
          /* attempts that are taken now */ 'portal.nav.liveNow',
          '{count, plural, one {Live now, # in progress} other {Live now, # in progress}}',
          { count: writing },
        )}
      </span>
    </Link>
  );
}

/** The number of attempts in progress, and whether some wait to start, polled while the page is in use. */
function useLiveCount(): { writing: number; hasHall?: true | undefined } {
  const enabled = useMayOpen()('live');
  const { data, refetch } = useQuery({
    ...endpointQuery(getLiveCount, {}),
    enabled,
    refetchInterval: () => presence.whileThere(EVERY_MS),
  });
  useReturn(() => enabled && refetch());
  return data ?? { writing: 0 };
}
