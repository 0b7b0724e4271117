import { t } from '@invigil/core/texts/i18n';
import type { ComponentProps } from 'react';
import { offeredLanguages } from '../lib/language.ts';
import { Mark } from './badges/mark.tsx';
import { LanguageMenu } from './language-menu.tsx';

/** A page for anyone, without a session; with the handlers of its whole area. */
export function PublicPage({
  title,
  lead,
  children,
  ...area
}: ComponentProps<'div'> & { title: string; lead: string }) {
  return (
    <div className="min-h-dvh" {...area}>
      <title>{`${title} · Invigil`}</title>
      <header className="flex min-h-14 items-center justify-between gap-4 border-b border-line bg-surface px-5 py-1 lg:min-h-16 lg:px-6 print:hidden">
        <Mark withName />
        <span className="flex flex-wrap items-center justify-end gap-x-4">
          <LanguageMenu languages={offeredLanguages()} />
          <a
            href="/"
            className="inline-flex min-h-11 items-center text-accent-ink underline underline-offset-4"
          >
            {t(/* link to the first page of the site */ 'publicPage.startPage', 'Start page')}
          </a>
        </span>
      </header>
      <main className="mx-auto grid w-full max-w-160 grid-cols-[minmax(0,1fr)] gap-6 px-5 py-8 md:px-6 md:py-12 print:max-w-none print:p-0">
        <div className="print:hidden">
          <h1>{title}</h1>
          <p className="mt-1 text-md text-ink-2">{lead}</p>
        </div>
        {children}
      </main>
    </div>
  );
}
