import type { BankQuestion } from '@invigil/core/contract/assessments/bank';
import type { QuestionDefinition } from '@invigil/core/domain/questions/question-definition';
import { t } from '@invigil/core/texts/i18n';
import { Archive, FileClock, Info } from 'lucide-react';
import { formatDate, formatDateTime, formatTime } from '../../../lib/format.ts';
import { Button } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { useCategories } from '../../data/assessments.ts';
import { DIFFICULTY_NAMES } from '../../data/bank.ts';
import type { FoundDraft } from './state/device-draft.ts';
import { type QuestionValues, valuesOf } from './state/question-values.ts';
import { definitionChanges, labelChanges } from './versions/definition-changes.ts';
import { StaleQuestionNotice } from './versions/stale-question-notice.tsx';

export function EditorNotices({
  question,
  isDirty,
  drafts,
  onRestore,
  onDiscard,
}: {
  question: BankQuestion | null;
  isDirty: boolean;
  /** Unsaved changes that earlier pages left on this device. */
  drafts: readonly FoundDraft[];
  onRestore(draft: FoundDraft): void;
  onDiscard(draft: FoundDraft): void;
}) {
  return (
    <>
      {drafts.map((draft) => (
        <Notice
          key={draft.key.name}
          tone="accent"
          role="status"
          icon={<FileClock />}
          title={t(
            /* a time of day, or a date and time */ 'editor.deviceDraft',
            'Restore your unsaved changes from {time}?',
            { time: timeOf(draft.at) },
          )}
          action={
            <span className="flex flex-wrap gap-2">
              <Button size="dense" onClick={() => onDiscard(draft)}>
                {t(/* a button: removes unsaved changes */ 'editor.deviceDraft.discard', 'Discard')}
              </Button>
              <Button size="dense" onClick={() => onRestore(draft)}>
                {t(
                  /* a button: puts unsaved changes back into the fields */ 'editor.deviceDraft.restore',
                  'Restore',
                )}
              </Button>
            </span>
          }
        >
          {question !== null && draft.version < question.version
            ? t(
                'editor.deviceDraft.stale',
                'The question was saved again since then. Restoring shows both versions; nothing is overwritten.',
              )
            : t(/* unsaved changes */ 'editor.deviceDraft.here', 'They are on this device only.')}
        </Notice>
      ))}
      {question !== null && question.archivedAt !== null && (
        <Notice icon={<Archive />}>
          {t(
            /* said of a question; a paper is the test of one candidate */ 'editor.archived',
            'Archived on {date}: no new paper gets it, unless a section names it.',
            { date: formatDate(question.archivedAt) },
          )}
        </Notice>
      )}
      {question !== null && question.timesSeen > 0 && isDirty && (
        <Notice role="status" icon={<Info />}>
          {t(
            /* a paper is the test of one candidate */ 'editor.inUse',
            '{count, plural, one {One paper has this question. It keeps its version, whether the attempt is running or ended.} other {# papers have this question. They keep their version, whether the attempt is running or ended.}}',
            { count: question.timesSeen },
          )}{' '}
          {t(
            'editor.inUse.change',
            'Your change is for attempts that start later. If the correct answer or the points change, you can rescore after saving.',
          )}
        </Notice>
      )}
    </>
  );
}

/** "10:42", with the date where it is not today's. */
function timeOf(at: number): string {
  const isToday = new Date(at).toDateString() === new Date().toDateString();
  return isToday ? formatTime(at) : formatDateTime(at);
}

export function StaleEdit({
  theirs,
  mine,
  values,
  onTakeTheirs,
  onKeepMine,
}: {
  theirs: BankQuestion;
  mine: QuestionDefinition;
  values: QuestionValues;
  onTakeTheirs(): void;
  onKeepMine(): void;
}) {
  const categories = useCategories();
  const inWords = ({ tags, categoryId, difficulty, note }: QuestionValues) => {
    const category = categories.data?.find(({ id }) => id === categoryId)?.name ?? categoryId;
    const level = difficulty === '' ? '' : DIFFICULTY_NAMES[difficulty]();
    return { tags, category, difficulty: level, note };
  };
  const changes = [
    ...definitionChanges(theirs.definition, mine),
    ...labelChanges(inWords(valuesOf(theirs)), inWords(values)),
  ];
  return <StaleQuestionNotice {...{ changes, onTakeTheirs, onKeepMine }} />;
}
