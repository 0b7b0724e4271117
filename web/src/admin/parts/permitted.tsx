import type { Permission } from '@invigil/core/domain/rights';
import { Link, Outlet } from 'react-router';
import { Notice } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page.tsx';
import { useMay, useMayAnywhere } from '../data/own-rights.ts';
import { whoMaySentence } from '../data/role-words.ts';

interface AdminPage {
  title: string;
  /** The page's purpose, and the permissions for it: one of them is enough. */
  what: string;
  permissions: readonly Permission[];
  /** It is about the installation; the others show what of it someone may see. */
  isOfAll?: true;
}

/** The pages that are not for every administrator. */
export const PAGES = {
  questions: { title: 'Questions', what: 'write questions', permissions: ['questions.edit'] },
  participants: { title: 'Participants', what: 'read attempts', permissions: ['records.see'] },
  people: { title: 'People', what: 'see people', permissions: ['people.see'] },
  peopleImport: {
    title: 'Import people',
    what: 'import people',
    permissions: ['people.invite'],
    isOfAll: true,
  },
  live: { title: 'Live now', what: 'watch attempts in progress', permissions: ['live.watch'] },
  categories: {
    title: 'Categories',
    what: 'edit categories',
    permissions: ['categories.edit'],
  },
  settings: {
    title: 'Settings',
    what: 'open the settings',
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
  if (mayOpen(page)) return <Outlet />;
  const { title, permissions, what } = PAGES[page];
  return (
    <>
      <PageHeader title={title} subtitle="This page is not part of your roles" />
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
  what: string;
}) {
  return (
    <Notice>
      {`${whoMaySentence(permissions, what)} An owner can give you a role. `}
      <Link
        to="/admin/account"
        className="font-medium text-accent-ink underline underline-offset-4"
      >
        See your roles
      </Link>
    </Notice>
  );
}
