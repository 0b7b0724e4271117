import { Navigate, useParams } from 'react-router';
import author from '../../../../docs/use/author.md?raw';
import bringQuestions from '../../../../docs/use/bring-questions.md?raw';
import firstHour from '../../../../docs/use/first-hour.md?raw';
import invigilator from '../../../../docs/use/invigilator.md?raw';
import results from '../../../../docs/use/results.md?raw';
import reviewer from '../../../../docs/use/reviewer.md?raw';
import writeGoodQuestions from '../../../../docs/use/write-good-questions.md?raw';
import { Content } from '../../question-view/content.tsx';
import { Card, PageHeader } from '../../ui/page.tsx';
import { TabLinks } from '../parts/tab-links.tsx';

/** The guides of docs/use, as they are in the repository. */
const GUIDES = [
  { path: '/admin/guide', name: 'First hour', text: firstHour },
  { path: '/admin/guide/author', name: 'Authors', text: author },
  { path: '/admin/guide/write-good-questions', name: 'Good questions', text: writeGoodQuestions },
  { path: '/admin/guide/bring-questions', name: 'Bring questions', text: bringQuestions },
  { path: '/admin/guide/invigilator', name: 'Invigilators', text: invigilator },
  { path: '/admin/guide/reviewer', name: 'Reviewers', text: reviewer },
  { path: '/admin/guide/results', name: 'Results', text: results },
] as const;

/** /admin/guide, and the other guides below it. */
export function GuideScreen() {
  const { name } = useParams();
  const path = name === undefined ? '/admin/guide' : `/admin/guide/${name}`;
  const guide = GUIDES.find((each) => each.path === path);
  if (guide === undefined) return <Navigate to="/admin/guide" replace />;
  const { title, sections } = partsOf(guide.text);
  return (
    <>
      <PageHeader title="Guide" subtitle="How everyday work is done" />
      <TabLinks
        label="Guides"
        tabs={GUIDES.map((each) => ({ to: each.path, name: each.name }))}
        current={path}
      />
      <Card className="max-w-180">
        <article className="grid gap-6 px-5 py-5">
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
