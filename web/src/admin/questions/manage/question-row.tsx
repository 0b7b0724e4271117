import type { BankQuestion } from '@invigil/core/contract/assessments/bank';
import {
  hasOptions,
  isInRows,
  isSeveralChoice,
  type QuestionDefinition,
} from '@invigil/core/domain/questions/question-definition';
import { acceptedText, isDraft, TYPES } from '@invigil/core/domain/questions/types/question-types';
import { t } from '@invigil/core/texts/i18n';
import { ChevronRight } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { pointsText } from '../../../lib/format.ts';
import { Content } from '../../../question-view/content.tsx';
import { QuestionText } from '../../../question-view/question-head.tsx';
import { Badge } from '../../../ui/badges/badge.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { KeyRowsLine } from '../../parts/key-rows.tsx';
import { lineOf } from '../bank/bank-cells.tsx';
import { KeyedOptions, LetterBubble } from '../question-key.tsx';

/** The bank's facts about a question besides its content; unknown until they are loaded. */
export type RowLabels = Pick<BankQuestion, 'tags' | 'timesSeen' | 'archivedAt'>;

/** The names of the button that shows the whole question of a number. */
export const questionNames = (number: number) => ({
  show: t('manage.showQuestion', 'Show question {number}', { number }),
  hide: t('manage.hideQuestion', 'Hide question {number}', { number }),
});

/**
 * A question of an assessment: a line with its beginning, its key and its labels, that opens to the
 * whole question. The same in the list and inside sections.
 */
export function QuestionRow({
  names,
  definition,
  labels,
  to,
  start,
  actions,
}: {
  /** Read by screen readers: "Show question 3", "Hide question 3". */
  names: ReturnType<typeof questionNames>;
  definition: QuestionDefinition;
  labels: RowLabels | undefined;
  /** The editor. */
  to: string;
  /** The handle, and the number. */
  start?: ReactNode;
  /** Buttons; on a phone with the whole question. */
  actions?: ReactNode;
}) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div>
      <div className="flex items-center gap-3 max-sm:items-start max-sm:gap-2">
        {start !== undefined && (
          <span className="flex flex-none items-center gap-3 max-sm:items-start max-sm:gap-2 sm:[&_[data-move]]:mt-0">
            {start}
          </span>
        )}
        <div className="min-w-0 flex-1">
          <Link
            to={to}
            dir="auto"
            className="block max-h-7 w-fit max-w-full truncate font-medium hover:text-accent-ink hover:underline max-sm:line-clamp-2 max-sm:max-h-none max-sm:whitespace-normal touch:py-1"
          >
            <FirstWords definition={definition} />
          </Link>
          <Facts definition={definition} labels={labels} />
        </div>
        <span className="flex flex-none items-center gap-0.5">
          {actions && <span className="flex gap-0.5 max-sm:hidden">{actions}</span>}
          <IconButton
            label={isOpen ? names.hide : names.show}
            tooltip={
              isOpen
                ? t(
                    /* a button: shows only the beginning of a question again */ 'manage.hide',
                    'Hide',
                  )
                : t('manage.showWholeQuestion', 'Show the whole question')
            }
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            <ChevronRight
              className={`transition-transform ${isOpen ? 'rotate-90 rtl:-rotate-90' : ''}`}
            />
          </IconButton>
        </span>
      </div>
      {isOpen && (
        <div
          className={`mt-2 mb-1.5 border-t border-line pt-3 ${start === undefined ? '' : 'sm:ms-17'}`}
        >
          <WholeQuestion definition={definition} />
          {actions && <div className="mt-2 flex justify-end sm:hidden">{actions}</div>}
        </div>
      )}
    </div>
  );
}

export function WholeQuestion({ definition }: { definition: QuestionDefinition }) {
  const { question, format, options } = definition;
  return (
    <>
      <QuestionText
        text={question}
        format={format}
        className="max-w-[64ch] text-[0.9375rem] leading-5.5 wrap-anywhere whitespace-pre-wrap"
      />
      <KeyedOptions
        options={options.map(({ text }) => text)}
        correctAnswer=""
        definition={definition}
      />
    </>
  );
}

/** A block of Markdown that is a picture, a table, code or a formula of its own. */
const FIGURE = /^(```|~~~|\||\$\$)|!\[/;

/** The first paragraph of a question, with formulas drawn; if it has none, the words in it. */
export function FirstWords({ definition }: { definition: QuestionDefinition }) {
  const { format, question } = definition;
  const blocks = format === 'markdown' ? question.trim().split(/\n\s*\n/) : [];
  const first = blocks.find((block) => block !== '' && !FIGURE.test(block));
  return first === undefined ? (
    lineOf(definition)
  ) : (
    <Content text={first} format={format} inline links="shown" />
  );
}

function Facts({
  definition,
  labels,
}: {
  definition: QuestionDefinition;
  labels: RowLabels | undefined;
}) {
  const { timesSeen = 0, tags = [], archivedAt = null } = labels ?? {};
  return (
    <div className="flex min-h-6 items-center gap-x-3 overflow-hidden text-sm whitespace-nowrap text-ink-2 max-sm:flex-wrap">
      {archivedAt !== null && (
        <Badge glyph="slashed">{t(/* said of a question */ 'manage.archived', 'Archived')}</Badge>
      )}
      <span>{TYPES[definition.type].name()}</span>
      <span className="tabular-nums">{pointsText(definition.points)}</span>
      <ShortKey definition={definition} />
      {timesSeen > 0 && (
        <span className="tabular-nums">
          {t(
            /* said of a question: so many candidates got it */ 'manage.onPapers',
            '{count, plural, one {On # paper} other {On # papers}}',
            { count: timesSeen },
          )}
        </span>
      )}
      {tags.map((tag) => (
        <bdi key={tag} className="max-w-40 truncate rounded-sm bg-fill px-1.5 text-xs leading-5">
          {tag}
        </bdi>
      ))}
    </div>
  );
}

function ShortKey({ definition }: { definition: QuestionDefinition }) {
  if (isDraft(definition)) {
    return (
      <Badge tone="warn" glyph="dashed">
        {t(
          /* said of a question: its correct answer is missing */ 'manage.draft',
          'Draft, no key yet',
        )}
      </Badge>
    );
  }
  const { type, format, options } = definition;
  const right = options.flatMap((option, i) =>
    option.isCorrect ? [{ text: option.text, i }] : [],
  );
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for controls
    <span
      role="group"
      aria-label={t('portal.correctAnswer', 'Correct answer')}
      className="flex min-w-0 items-center gap-x-1.5"
    >
      {right.map(({ text, i }) => (
        <span key={text} className="flex min-w-0 items-center gap-x-1.5">
          <LetterBubble index={i} isKey isSeveral={isSeveralChoice(type)} />
          {right.length === 1 && (
            <bdi className="max-w-60 truncate">
              <Content text={text} format={format} inline links="shown" />
            </bdi>
          )}
        </span>
      ))}
      {!hasOptions(type) && (
        <bdi className="max-w-72 truncate">
          {isInRows(type) ? (
            <KeyRowsLine definition={definition} />
          ) : (
            acceptedText(definition).join('; ')
          )}
        </bdi>
      )}
    </span>
  );
}
