import { t } from '@invigil/core/texts/i18n';
import { Link } from 'wouter';
import { Mark } from '../ui/badges/mark.tsx';

/** Any path that is not in the route table (specification 2). */
export function NotFoundScreen() {
  return (
    <main className="grid min-h-dvh place-items-center p-5">
      <title>{`${t('notFound.title', '404 Page Not Found')} · Invigil`}</title>
      <div className="grid justify-items-center gap-3 text-center">
        <Mark withName />
        <h1 className="mt-4">{t('notFound.title', '404 Page Not Found')}</h1>
        <p className="text-md text-ink-2">{t('notFound.text', 'We cannot find that page.')}</p>
        <Link
          to="/"
          className="inline-flex min-h-11 items-center font-medium text-accent-ink underline underline-offset-4"
        >
          {t(/* a link */ 'notFound.start', 'Go to the start page')}
        </Link>
      </div>
    </main>
  );
}
