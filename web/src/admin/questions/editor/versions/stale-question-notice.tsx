import type { BankQuestion } from '@invigil/core/contract/assessments/bank';
import type { QuestionDefinition } from '@invigil/core/domain/questions/question-definition';
import { Users } from 'lucide-react';
import { Button } from '../../../../ui/button.tsx';
import { Notice } from '../../../../ui/notice.tsx';
import { scrollIntoView } from '../../../../ui/scroll-into-view.ts';
import { useCategories } from '../../../assessments/api.ts';
import { type QuestionValues, valuesOf } from '../state/question-values.ts';
import { ChangesList } from './changes-list.tsx';
import { definitionChanges, labelChanges } from './definition-changes.ts';

/** Someone else saved the question: what differs from it here, and which version to keep. */
export function StaleQuestionNotice({
  theirs,
  mine,
  values,
  onTakeTheirs,
  onKeepMine,
}: {
  theirs: BankQuestion;
  mine: QuestionDefinition;
  /** With my labels. */
  values: QuestionValues;
  onTakeTheirs(): void;
  onKeepMine(): void;
}) {
  const categories = useCategories();
  const inWords = ({ tags, categoryId, difficulty, note }: QuestionValues) => {
    const category = categories.data?.find(({ id }) => id === categoryId)?.name ?? categoryId;
    return { tags, category, difficulty, note };
  };
  const changes = [
    ...definitionChanges(theirs.definition, mine),
    ...labelChanges(inWords(valuesOf(theirs)), inWords(values)),
  ];
  return (
    <div ref={scrollIntoView} className="scroll-mt-32 md:scroll-mt-20">
      <Notice
        tone="warn"
        role="alert"
        icon={<Users />}
        title="Someone else has changed this question"
      >
        <p>Your changes are still here. Nothing was overwritten. From their version to yours:</p>
        <div className="my-3 rounded-md bg-surface px-3.5 py-3 text-ink">
          <ChangesList changes={changes} />
        </div>
        <div className="flex flex-wrap gap-2">
          <Button size="dense" onClick={onTakeTheirs}>
            Use their version
          </Button>
          <Button size="dense" onClick={onKeepMine}>
            Save my version
          </Button>
        </div>
      </Notice>
    </div>
  );
}
