import type { Permission } from '@invigil/core/domain/rights';
import { t } from '@invigil/core/texts/i18n';
import { Link, Outlet } from 'react-router';
import { useLanguage } from '../../lib/language.ts';
import { Notice } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page.tsx';
import { useMay, useMayAnywhere } from '../data/own-rights.ts';
import { type Purpose, whoMaySentence } from '../data/role-words.ts';

interface AdminPage {
  title: () => string;
  /** The page's purpose, and the permissions for it: one of them is enough. */
  what: Purpose;
  permissions: readonly Permission[];
  /** It is about the installation; the others show what of it someone may see. */
  isOfAll?: true;
}

/** The pages that are not for every administrator. */
export const PAGES = {
  questions: {
    title: () => t('portal.questions', 'Questions'),
    what: 'writeQuestions',
    permissions: ['questions.edit'],
  },
  participants: {
    title: () => t('portal.nav.participants', 'Participants'),
    what: 'readAttempts',
    permissions: ['records.see'],
  },
  people: {
    title: () => t('portal.people', 'People'),
    what: 'seePeople',
    permissions: ['people.see'],
  },
  peopleImport: {
    title: () => t(/* the title of a page */ 'people.import.title', 'Import people'),
    what: 'importPeople',
    permissions: ['people.invite'],
    isOfAll: true,
  },
  live: {
    title: () => t('portal.nav.live', 'Live now'),
    what: 'watchLive',
    permissions: ['live.watch'],
  },
  categories: {
    title: () => t('portal.nav.categories', 'Categories'),
    what: 'editCategories',
    permissions: ['categories.edit'],
  },
  settings: {
    title: () => t('portal.nav.settings', 'Settings'),
    what: 'openSettings',
    permissions: ['installation.manage', 'mail.see'],
    isOfAll: true,
  },
} as const satisfies Record<string, AdminPage>;

export type PageName = keyof typeof PAGES;

/** Whether the administrator who is signed in may open a page. */
export function useMayOpen() {
  const may = useMay();
  const mayAnywhere = useMayAnywhere();
  return (name: PageName) => {
    const { permissions, isOfAll }: AdminPage = PAGES[name];
    return permissions.some((one) => (isOfAll ? may(one) : mayAnywhere(one)));
  };
}

/** Routes of a page; for those who may not open it, whose it is and who can help. */
export function Permitted({ page }: { page: PageName }) {
  const mayOpen = useMayOpen();
  useLanguage();
  if (mayOpen(page)) return <Outlet />;
  const { title, permissions, what } = PAGES[page];
  return (
    <>
      <PageHeader
        title={title()}
        subtitle={t('parts.whoMay.notYourPage', 'This page is not part of your roles')}
      />
      <WhoMay permissions={permissions} what={what} />
    </>
  );
}

/** Stands where a part of a page is missing. */
export function WhoMay({
  permissions,
  what,
}: {
  permissions: readonly Permission[];
  what: Purpose;
}) {
  return (
    <Notice>
      {`${whoMaySentence(permissions, what)} ${t('parts.whoMay.askOwner', 'An owner can give you a role.')} `}
      <Link
        to="/admin/account"
        className="font-medium text-accent-ink underline underline-offset-4"
      >
        {t(/* a link */ 'parts.whoMay.yourRoles', 'See your roles')}
      </Link>
    </Notice>
  );
}
