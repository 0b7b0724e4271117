import { currentLanguage, isRightToLeft } from '@invigil/core/domain/locale';
import { t } from '@invigil/core/texts/i18n';
import { useQuery } from '@tanstack/react-query';
import { Navigate, useParams } from 'react-router';
import author from '../../../../docs/use/author.md?raw';
import bringQuestions from '../../../../docs/use/bring-questions.md?raw';
import firstHour from '../../../../docs/use/first-hour.md?raw';
import invigilator from '../../../../docs/use/invigilator.md?raw';
import results from '../../../../docs/use/results.md?raw';
import reviewer from '../../../../docs/use/reviewer.md?raw';
import writeGoodQuestions from '../../../../docs/use/write-good-questions.md?raw';
import { useLanguage } from '../../lib/language.ts';
import { Content } from '../../question-view/content.tsx';
import { Card, PageHeader } from '../../ui/page.tsx';
import { TabLinks } from '../parts/tab-links.tsx';

/** The guides of docs/use, as they are in the repository. */
const GUIDES = [
  {
    path: '/admin/guide',
    name: () =>
      t(/* a guide for the first hour with the portal */ 'dashboard.guide.firstHour', 'First hour'),
    text: firstHour,
  },
  {
    path: '/admin/guide/author',
    name: () => t(/* a guide for those who write questions */ 'dashboard.guide.authors', 'Authors'),
    text: author,
  },
  {
    path: '/admin/guide/write-good-questions',
    name: () =>
      t(
        /* a guide: how to write good questions */ 'dashboard.guide.goodQuestions',
        'Good questions',
      ),
    text: writeGoodQuestions,
  },
  {
    path: '/admin/guide/bring-questions',
    name: () =>
      t(/* a guide: how to import questions */ 'dashboard.guide.bringQuestions', 'Bring questions'),
    text: bringQuestions,
  },
  {
    path: '/admin/guide/invigilator',
    name: () =>
      t(
        /* a guide for those who watch candidates */ 'dashboard.guide.invigilators',
        'Invigilators',
      ),
    text: invigilator,
  },
  {
    path: '/admin/guide/reviewer',
    name: () =>
      t(
        /* a guide for those who decide what was detected */ 'dashboard.guide.reviewers',
        'Reviewers',
      ),
    text: reviewer,
  },
  {
    path: '/admin/guide/results',
    name: () => t(/* a guide: how to release results */ 'portal.results', 'Results'),
    text: results,
  },
] as const;

/** Translations of the first one, by language; each is loaded when it is read. */
const FIRST_HOURS = import.meta.glob<string>('../../../../docs/use/*/first-hour.md', {
  query: '?raw',
  import: 'default',
});

/** A guide in the language of the portal, or in English until it is here, or where there is none. */
function useGuide(guide: (typeof GUIDES)[number] | undefined): { text: string; language: string } {
  const language = useLanguage();
  const fetchText =
    guide?.text === firstHour
      ? FIRST_HOURS[`../../../../docs/use/${language}/first-hour.md`]
      : undefined;
  const translated = useQuery({
    queryKey: ['guide', language],
    queryFn: () => fetchText?.() ?? null,
    enabled: fetchText !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return fetchText !== undefined && translated.data
    ? { text: translated.data, language }
    : { text: guide?.text ?? '', language: 'en' };
}

/** /admin/guide, and the other guides below it. */
export function GuideScreen() {
  const { name } = useParams();
  const path = name === undefined ? '/admin/guide' : `/admin/guide/${name}`;
  const guide = GUIDES.find((each) => each.path === path);
  const { text, language } = useGuide(guide);
  if (guide === undefined) return <Navigate to="/admin/guide" replace />;
  const { title, sections } = partsOf(text);
  return (
    <>
      <PageHeader
        title={t(/* title of a screen */ 'dashboard.guide', 'Guide')}
        subtitle={t('dashboard.guide.subtitle', 'How everyday work is done')}
      />
      <TabLinks
        label={t('dashboard.guide.list', 'Guides')}
        tabs={GUIDES.map((each) => ({ to: each.path, name: each.name() }))}
        current={path}
      />
      {language !== currentLanguage() && (
        <p className="mb-3 text-sm text-ink-3">
          {t('dashboard.guide.inEnglish', 'This guide is in English.')}
        </p>
      )}
      <Card className="max-w-180">
        <article
          lang={language}
          dir={isRightToLeft(language) ? 'rtl' : 'ltr'}
          className="grid gap-6 px-5 py-5"
        >
          {sections.map(({ heading, body }) => (
            <section key={heading} className="grid gap-2">
              <h2>{heading || title}</h2>
              <Content text={body} format="markdown" />
            </section>
          ))}
        </article>
      </Card>
    </>
  );
}

/**
 * The title of a guide and its sections; the first has no heading of its own. Links between documents become
 * emphasis: they have no address here.
 */
export function partsOf(markdown: string): {
  title: string;
  sections: { heading: string; body: string }[];
} {
  const [title = '', ...rest] = markdown.replace(/^# /, '').split('\n');
  const sections = `\n${rest.join('\n')}`.split(/\n##+ /).map((section, index) => {
    const [first = '', ...lines] = section.split('\n');
    const body = lines.join('\n').replace(/\[([^\]]+)\]\((?!https?:)[^)]*\)/g, '*$1*');
    return { heading: index === 0 ? '' : first, body: body.trim() };
  });
  return { title, sections: sections.filter(({ body }) => body !== '') };
}
