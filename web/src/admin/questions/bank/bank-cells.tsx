import { plainTextOf } from '@invigil/core/content/content-facts';
import type { BankQuestion } from '@invigil/core/contract/assessments/bank';
import type { QuestionDefinition } from '@invigil/core/domain/questions/question-definition';
import { t } from '@invigil/core/texts/i18n';
import { Link } from 'react-router';
import { Badge } from '../../../ui/badges/badge.tsx';
import { Checkbox } from '../../../ui/fields/checkbox.tsx';
import { VisuallyHidden } from '../../../ui/visually-hidden.tsx';
import { QuizLink } from '../../parts/quiz-link.tsx';

export interface BankListProps {
  rows: readonly BankQuestion[];
  selected: ReadonlySet<string>;
  onSelect(ids: readonly string[], isSelected: boolean): void;
}

export function lineOf({ format, question }: QuestionDefinition): string {
  const line = format === 'markdown' ? plainTextOf(question) : question.replace(/\s+/g, ' ').trim();
  return line === ''
    ? t(/* stands for a question whose text is empty */ 'bank.withoutText', 'Question without text')
    : line;
}

export function BankTitle({
  question,
  selected,
  onSelect,
}: { question: BankQuestion } & Omit<BankListProps, 'rows'>) {
  const line = lineOf(question.definition);
  return (
    <div className="flex items-start">
      <Checkbox
        label={
          <VisuallyHidden>
            {t('bank.selectQuestion', 'Select: {question}', { question: line })}
          </VisuallyHidden>
        }
        checked={selected.has(question.id)}
        onChange={(event) => onSelect([question.id], event.target.checked)}
      />
      <div className="grid min-w-0 gap-1.5">
        <Link
          to={`/admin/questions/${question.id}`}
          className="w-fit font-medium wrap-anywhere hover:text-accent-ink hover:underline touch:py-3"
        >
          {/* Cut inside of the padding: a third line would show in it. */}
          <bdi className="line-clamp-2">{line}</bdi>
        </Link>
        <BankLabels question={question} />
      </div>
    </div>
  );
}

function BankLabels({ question: { tags, isDraft, archivedAt } }: { question: BankQuestion }) {
  if (tags.length === 0 && !isDraft && archivedAt === null) return null;
  return (
    <div className="flex flex-wrap gap-1">
      {isDraft && (
        <Badge tone="warn" glyph="dashed">
          {t(/* said of a question */ 'bank.draft', 'Draft')}
        </Badge>
      )}
      {archivedAt !== null && (
        <Badge glyph="slashed">{t(/* said of a question */ 'bank.archived', 'Archived')}</Badge>
      )}
      {tags.map((tag) => (
        <span
          key={tag}
          className="max-w-full rounded-sm bg-fill px-1.5 py-0.5 text-xs wrap-anywhere text-ink-2"
        >
          {tag}
        </span>
      ))}
    </div>
  );
}

export function OwnerOf({ question: { quizId, quizTitle } }: { question: BankQuestion }) {
  if (quizId === null || quizTitle === null)
    return t(/* the question belongs to no assessment */ 'portal.bankOnly', 'Bank only');
  return <QuizLink quizId={quizId} title={quizTitle} />;
}
